"""Outcomes as tables; needs pandas."""


def to_pandas(outcome):
    """The jobs in Batsim's columns. What is not known, and most of a rejected job, is missing."""
    try:
        import pandas
    except ImportError as missing:
        raise ImportError("to_pandas needs pandas; pip install pandas") from missing

    jobs = outcome.jobs
    ran = jobs["ran"]
    run = jobs["finish"] - jobs["start"]
    turnaround = jobs["finish"] - jobs["submit"]
    whole = lambda column, known: pandas.Series(column, dtype="Int64").where(known)  # noqa: E731
    stretched = ran & (run > 0)
    return pandas.DataFrame(
        {
            "job_id": jobs["id"],
            "workload_name": outcome.workload,
            "profile": "delay",
            "submission_time": jobs["submit"],
            "requested_number_of_resources": jobs["processors"],
            "requested_time": whole(jobs["requested"], jobs["requested"] >= 0),
            "success": ran.astype(int),
            "final_state": pandas.Series(ran).map({True: "COMPLETED_SUCCESSFULLY", False: "REJECTED"}),
            "starting_time": whole(jobs["start"], ran),
            "execution_time": whole(run, ran),
            "finish_time": whole(jobs["finish"], ran),
            "waiting_time": whole(jobs["start"] - jobs["submit"], ran),
            "turnaround_time": whole(turnaround, ran),
            "stretch": pandas.Series(turnaround / run.clip(1)).where(stretched),
            "consumed_energy": None,
            "allocated_resources": outcome.allocated,
            "metadata": None,
        }
    )
