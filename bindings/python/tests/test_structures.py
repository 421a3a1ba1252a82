"""The kernel's structures as a user of Python meets them."""

import ast
import doctest
import inspect
import pathlib
import threading

import numpy
import pytest

import locox


@pytest.mark.parametrize("name", ["locox", *locox.__all__])
def test_the_examples_of_the_documentation_hold(name):
    it = locox if name == "locox" else getattr(locox, name)
    assert it.__doc__ and it.__doc__.strip()
    test = doctest.DocTestParser().get_doctest(it.__doc__, {"locox": locox}, name, None, None)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    runner.run(test)
    assert runner.failures == 0


@pytest.mark.parametrize("name", locox.__all__)
def test_all_that_is_public_has_a_documentation(name):
    it = getattr(locox, name)
    if issubclass(type(it), type) and it.__module__ == "locox" and not issubclass(it, Exception):
        plain = {"name", "pool", "machine", "queue", "start", "end", "id", "processors", "strategy", "discipline", "pes", "mapper"}
        for member, value in vars(it).items():
            if not member.startswith("_") and member not in plain:
                assert value.__doc__, f"{name}.{member}"


def stubs():
    """The classes of the stubs: for each its members, those of its base included, with their parameters."""
    tree = ast.parse((pathlib.Path(locox.__file__).parent / "_locox.pyi").read_text())
    classes = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            members = {}
            for base in node.bases:
                members.update(classes.get(getattr(base, "id", ""), {}))
            for member in node.body:
                if isinstance(member, ast.FunctionDef):
                    given = member.args
                    members[member.name] = [argument.arg for argument in given.args + given.kwonlyargs]
            classes[node.name] = members
        elif isinstance(node, ast.FunctionDef):
            classes[node.name] = [argument.arg for argument in node.args.args + node.args.kwonlyargs]
    return classes


@pytest.mark.parametrize("name", locox.__all__)
def test_the_stubs_name_what_there_is(name):
    it, told = getattr(locox, name), stubs()[name]
    if isinstance(told, list):
        assert list(inspect.signature(it).parameters) == told
        return
    public = {member for member in vars(it) if not member.startswith("_")}
    if not issubclass(it, Exception) and name != "Decision":
        assert public == {member for member in told if not member.startswith("_")}
    for member, parameters in told.items():
        value = it if member == "__init__" else getattr(it, member)
        if callable(value) and (member == "__init__" or not member.startswith("_")):
            assert list(inspect.signature(value).parameters) == parameters[member == "__init__":], member


def refusal(call, kind=locox.Refused):
    with pytest.raises(kind) as raised:
        call()
    text = str(raised.value)
    assert text and "\n" not in text
    return raised.value.reason


def test_a_pool_grants_and_takes_back():
    pool = locox.Pool(4)
    half = pool.allocate(3)
    assert (half.cube, half.dim, len(half), list(half)) == ("0***", 3, 8, list(range(8)))
    assert half.nodes.tolist() == list(range(8)) and 7 in half and 8 not in half
    assert list(pool) == [half] and half in pool and pool.lease_at(3) == half and pool.lease_at(9) is None
    assert pool.fits(3) and not pool.fits(4) and not pool.fits(99) and pool.free == 8 and len(pool) == 1
    assert repr(pool) == "<locox.Pool free-list: 8 of 16 nodes free>" and repr(half) == "<locox.Lease 0***>"
    assert refusal(lambda: pool.allocate(4)) == "too-few-free"
    assert refusal(lambda: pool.allocate(5)) == refusal(lambda: pool.allocate(99)) == "too-large"
    pool.release(half)
    assert refusal(lambda: pool.release(half), locox.Misused) == "stale"
    assert refusal(half.release, locox.Misused) == "stale"
    assert half not in pool and len(pool) == 0 and pool
    assert refusal(lambda: locox.Pool(4).release(pool.allocate(1)), locox.Misused) == "foreign"


@pytest.mark.parametrize("large", [99, 2**32, 2**64, 10**50])
def test_what_no_structure_has_room_for_is_for_the_structure_to_say(large):
    pool, timeline, queue = locox.Pool(4), locox.Timeline(4), locox.Queue(4)
    assert refusal(lambda: pool.allocate(large)) == "too-large"
    assert refusal(lambda: locox.MeshPool(4).fail(large), locox.Misused) == refusal(lambda: pool.state(large), locox.Misused)
    assert not pool.fits(large) and pool.lease_at(large) is None and large not in pool.allocate(1)
    assert refusal(lambda: pool.state(large), locox.Misused) == "no-such-node"
    assert refusal(lambda: timeline.fail(large), locox.Misused) == "no-such-pe"
    assert refusal(lambda: timeline.reserve(large, 1)) == refusal(lambda: queue.submit(0, large, 1)) == "too-large"
    assert refusal(lambda: locox.FairShare(2, 2).demand(large, wants=1), locox.Misused) == "no-such-station"


def test_what_would_end_beyond_the_end_of_time_is_a_misuse():
    last = 2**64 - 1
    for calendar in (locox.Timeline(4), locox.Profile(4)):
        assert refusal(lambda: calendar.reserve(1, last, ready=5), locox.Misused) == "overflow"
        assert refusal(lambda: calendar.add(5, last, 1), locox.Misused) == "overflow"
        assert len(calendar) == 0
    for queue in (locox.Queue(4, "easy"), locox.Queue(4, "conservative")):
        assert refusal(lambda: queue.submit(last, 1, last), locox.Misused) == "overflow"
        assert len(queue) == 0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: locox.Pool(4).release(locox.Pool(4).allocate(1)), "the lease belongs to another pool"),
        (lambda: locox.Timeline(4).cancel(locox.Timeline(4).reserve(1, 1)), "the reservation belongs to another timeline"),
        (lambda: locox.Profile(4).look_up(locox.Timeline(4).reserve(1, 1)), "another timeline or profile"),
        (lambda: locox.Queue(4).finish(0, locox.Queue(4).submit(0, 1, 1)), "the job belongs to another queue"),
    ],
)
def test_whose_something_is_is_said_by_what_it_is(call, words):
    with pytest.raises(locox.Misused, match=words) as raised:
        call()
    assert raised.value.reason == "foreign"


def test_a_lease_ends_with_its_block():
    pool = locox.Pool(4)
    with pool.allocate(2) as lease:
        assert lease in pool
    with pytest.raises(KeyError), pool.allocate(2):
        raise KeyError
    with pool.allocate(2) as lease:
        lease.release()
    assert pool.free == 16 and pool.stats() == {
        "free": 16, "leased": 0, "out": 0, "largest": 4, "fragmentation_permille": 0
    }


def test_a_subcube_is_claimed_by_name():
    pool = locox.Pool(4, strategy="complete")
    lease = pool.claim("*0*1")
    assert lease.nodes.tolist() == [1, 3, 9, 11]
    assert refusal(lambda: pool.claim("***1")) == "not-free"
    for wrong in ("0*", "0*2*", ""):
        with pytest.raises(ValueError):
            pool.claim(wrong)
    with pytest.raises(TypeError, match="no subcube"):
        pool.claim(7)


def test_nodes_fail_and_are_repaired():
    pool = locox.Pool(3)
    lease = pool.allocate(1)
    assert pool.fail([0, 7]) == [lease] and pool.drain(6) == []
    assert [pool.state(node) for node in (0, 1, 2, 6, 7)] == ["leased, failed", "leased", "free", "drained", "failed"]
    assert refusal(lambda: pool.allocate(3)) == "faulty"
    lease.release()
    assert pool.free == 5
    pool.repair(numpy.array([0, 6, 7]))
    assert pool.free == 8
    for call in (lambda: pool.fail(8), lambda: pool.repair([8]), lambda: pool.state(8)):
        assert refusal(call, locox.Misused)
    with pytest.raises(ValueError, match=r"nodes\[1\] is -1"):
        pool.fail([0, -1])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: locox.Pool(25), "dims is 25, and must be 0 to 24"),
        (lambda: locox.Pool(-1), "dims is -1, and must be 0 to 24"),
        (lambda: locox.Pool(10**50), "and must be 0 to 24"),
        (lambda: locox.Pool(3).allocate(-1), "dim is -1, and must not be negative"),
        (lambda: locox.Pool(3).fail([0, -1]), r"nodes\[1\] is -1, and must not be negative"),
        (lambda: locox.Timeline(-1), "pes is -1, and must be 1 to 1073741823"),
        (lambda: locox.Queue(2**30), "processors is 1073741824, and must be 1 to 1073741823"),
        (lambda: locox.Queue(4, room=0), "room is 0, and must be 1 to 1000000"),
        (lambda: locox.FairShare(-1, 4), "stations is -1, and must be 0 to 4194304"),
        (lambda: locox.map_jobs([[1]], seed=2**32), "seed is 4294967296, and must be 0 to 4294967295"),
        (lambda: locox.map_jobs([[1]], now=2**40 + 1), "now is 1099511627777, and must be 0 to 1099511627776"),
        (lambda: locox.map_jobs([[1]], chromosomes=-1), "chromosomes is -1, and must be 0 to 1000"),
        (lambda: locox.map_jobs([[1]], generations=10**7), "generations is 10000000, and must be 0 to 1000000"),
        (lambda: locox.Pool(3, strategy="best"), "unknown strategy"),
        (lambda: locox.MeshPool(3).allocate("0x1"), "at least one node"),
        (lambda: locox.MeshPool(3).allocate([1, 2, 3, 4]), "1 to 3 sides"),
        (lambda: locox.GridPool("torus:65"), "one to four axes of 1 to 64 nodes"),
        (lambda: locox.GridPool("mesh:4", placement="best"), 'must be "first", "corner" or "fewest"'),
        (lambda: locox.GridPool("mesh:4", step=[300]), "step is .300., and must have numbers below 256"),
        (lambda: locox.GridPool("mesh:4", step=[1] * 5), "at most 4 numbers"),
        (lambda: locox.GridPool("mesh:4").allocate("4x0"), "one to four sides of 1 to 64"),
        (lambda: locox.GridPool("mesh:4").claim((4,), "1"), "1 at .4. is not inside mesh:4"),
        (lambda: locox.GridPool("mesh:4").defragment("1", moves=17), "moves is 17, and must be 0 to 16"),
        (lambda: locox.SlicePool("a200"), 'must be "a100", "h100" or "a30"'),
        (lambda: locox.SlicePool().allocate("5g"), "must be one of 1g, 2g, 3g, 4g, 7g"),
        (lambda: locox.SlicePool().fail([32]), "there is no slice 32"),
        (lambda: locox.NodePool([[1]], [1, 2]), "counts has 2 numbers, and there are 1 classes"),
        (lambda: locox.NodePool([[1]], [1], placement="corner"), 'must be "first", "best" or "fewest"'),
        (lambda: locox.NodePool([[2**32 - 1]], [1]), "classes has an amount beyond 4294967294"),
        (lambda: locox.NodePool([[1] * 9], [1]), "8 quantities are the most"),
        (lambda: locox.NodePool([{"cores": 1}], [1], parts=("gpus", 2)), "parts has .gpus., which is none of ..cores.."),
        (lambda: locox.NodePool([[1]], [1]).allocate([-1]), r"amounts\[0\] is -1, and must not be negative"),
        (lambda: locox.NodePool([[1]], [1]).allocate([1], nodes=0), "nodes is 0, and must be 1 or more"),
        (lambda: locox.NodePool([[1]], [1]).allocate([1], nodes=1, part=1), "name one of nodes, tasks and part"),
        (lambda: locox.Timeline(0), "pes is 0, and must be 1 to 1073741823"),
        (lambda: locox.Timeline(10, room=0), "room is 0"),
        (lambda: locox.Timeline(2**29, room=2**29), "gigabyte"),
        (lambda: locox.Timeline(4).reserve(1, 5, policy="best"), "the policies are FF, PE_B"),
        (lambda: locox.Timeline(4).reserve(1, 5, choice="best"), "the choices are"),
        (lambda: locox.Timeline(4).reserve(1, -5), "duration is -5"),
        (lambda: locox.Queue(0), "processors is 0"),
        (lambda: locox.Queue(4, "lifo"), "unknown queue"),
        (lambda: locox.Queue(4, room=2**31), "room is 2147483648"),
        (lambda: locox.FairShare(2**30, 4), "stations is 1073741824"),
        (lambda: locox.FairShare(2, 4).demand(0, wants=70_000), "wants is 70000, and must be 0 to 65535"),
        (lambda: locox.map_jobs([[1]], "best"), "the mappers are olb"),
        (lambda: locox.map_jobs([[1], [1, 2]]), r"times\[1\] has 2 values and times\[0\] has 1"),
        (lambda: locox.map_jobs([[1, -2]]), r"times\[0\]\[1\] is -2"),
        (lambda: locox.map_jobs([[1]], best="of all"), "completion or execution"),
        (lambda: locox.map_jobs([[1]], levels=[300]), r"levels\[0\] is 300"),
        (lambda: locox.map_jobs([[1]], seed=-1), "seed is -1"),
        (lambda: locox.map_jobs([[1]], "genetic", chromosomes=10**6), "chromosomes is 1000000"),
    ],
)
def test_what_makes_no_sense_is_said_in_one_sentence(call, words):
    with pytest.raises(ValueError, match=words) as raised:
        call()
    assert "\n" not in str(raised.value)


def test_meshes_share_what_others_leave_over():
    pool = locox.MeshPool(6)
    five = pool.allocate((5, 5))
    tenant = pool.allocate("3x4")
    line = pool.allocate(2)
    assert (five.shape, tenant.shape, line.shape) == ((5, 5, 1), (3, 4, 1), (2, 1, 1))
    assert (len(five), len(tenant), len(line)) == (25, 12, 2)
    assert not set(five) & set(tenant) and not set(tenant) & set(line)
    assert refusal(lambda: pool.allocate((5, 5))) == "too-few-free"
    assert pool.stats()["asked"] == 39 and pool.free == 64 - 39
    kept = locox.MeshPool(6, reuse=False)
    with kept.allocate((5, 5)):
        assert refusal(lambda: kept.allocate(2)) == "too-few-free"


def test_boxes_lie_in_a_torus_and_go_round_its_rings():
    pool = locox.GridPool("torus:4x4x2", placement="corner")
    slab = pool.claim((3, 1, 0), "2x1x2")
    assert (slab.at, slab.shape, len(slab), list(slab)) == ([3, 1, 0], [2, 1, 2], 4, [7, 4, 23, 20])
    assert slab.nodes.tolist() == list(slab) and 4 in slab and 5 not in slab and slab.isolated
    assert repr(slab) == "<locox.BoxLease 2x1x2 at 3,1,0>"
    assert repr(pool) == "<locox.GridPool torus:4x4x2: 28 of 32 nodes free>" and pool.machine == "torus:4x4x2"
    assert pool.lease_at(4) == slab and pool.lease_at(5) is None and list(pool) == [slab] and slab in pool
    assert refusal(lambda: pool.claim((0, 0), (4, 4))) == "not-free"
    assert refusal(lambda: pool.allocate("4x4x2")) == refusal(lambda: pool.allocate(32)) == "too-few-free"
    assert refusal(lambda: pool.allocate((5, 1))) == refusal(lambda: pool.allocate(31)) == "too-large"
    assert refusal(lambda: pool.allocate(2**64)) == "too-large"
    assert pool.fits("2x4x2", turned=False) and not pool.fits("4x4") and pool.fits(["4x4x2", (2, 2)])
    with pool.allocate(["4x4x2", "2x2"]) as square:
        assert square.shape == [2, 2, 1] and pool.stats() == {"free": 24, "leased": 8, "out": 0}
    assert refusal(lambda: pool.release(square), locox.Misused) == "stale"
    assert refusal(lambda: locox.GridPool("mesh:4").release(slab), locox.Misused) == "foreign"
    assert pool.fail(4) == [slab] and pool.state(4) == "leased, failed" and pool.drain([0]) == []
    pool.repair([0, 4])
    assert pool.state(0) == "free" and refusal(lambda: pool.state(32), locox.Misused) == "no-such-node"


def test_a_plan_of_moves_makes_a_request_fit():
    line = locox.GridPool("mesh:8")
    for at in (1, 3, 4):
        line.claim((at,), "1")
    assert refusal(lambda: line.allocate("4")) == "fragmented" and line.stranded("4") == 5 and line.stranded("3") == 2
    plan = line.defragment("4")
    assert [(lease.at, to) for lease, to in plan] == [([4], [0])]
    for lease, to in plan:
        line.claim(to, lease.shape)
        lease.release()
    assert line.fits("4") and line.defragment("4") == []
    assert refusal(lambda: line.defragment("8")) == "too-few-free" and refusal(lambda: line.defragment("9")) == "too-large"
    full = locox.GridPool("mesh:4")
    for at in (0, 2):
        full.claim((at,), "1")
    assert refusal(lambda: full.defragment("2", moves=0)) == "impossible" and len(full.defragment("2")) == 1
    steps = locox.GridPool("mesh:8", step=[4], reuse=False)
    assert [steps.allocate("3").at, steps.allocate("3").at] == [[0], [4]] and not steps.fits("1")
    assert locox.GridPool("torus:8", isolated=True).fits("4") and not locox.GridPool("torus:8", isolated=True).fits("5")


def test_jobs_get_boxes_of_a_torus():
    jobs = locox.lublin(200, processors=64, seed=1)
    outcome = locox.replay(jobs, machine="torus:4x4x4", strategy="corner", allocations=True)
    assert outcome.summary["jobs"] == 200 and outcome.processors == 64
    with pytest.raises(ValueError, match="not by places"):
        locox.replay(jobs, machine="torus:4x4x4", queue="easy")
    with pytest.raises(ValueError, match='strategy is "buddy": write first, corner or fewest'):
        locox.replay(jobs, machine="torus:4x4x4", strategy="buddy")
    with pytest.raises(ValueError, match="one to four sides of 1 to 64"):
        locox.replay(jobs, machine="torus:4x65")
    steps = locox.replay(jobs, machine="torus:4x4x4", strategy="first@2x2x2+lent")
    assert steps.summary["jobs"] == 200
    with pytest.raises(ValueError, match="a step of 3 does not divide a ring of 4 nodes"):
        locox.replay(jobs, machine="torus:4x4x4", strategy="first@3")
    many = locox.lublin(3000, processors=64, seed=1)
    methods = ["first/fcfs", "fewest@2x2x2/fcfs", "pool/easy"]
    rows = locox.compare(many, methods, machine="torus:4x4x4", seeds=3)
    assert {it["method"] for it in rows} == set(methods)


def test_jobs_run_in_one_rack():
    jobs = locox.lublin(200, processors=64, seed=1)
    outcome = locox.replay(jobs, machine="tree:8x8", queue="promises:1", allocations=True)
    assert outcome.summary["jobs"] == 200 and outcome.processors == 64
    with pytest.raises(ValueError, match='strategy is "buddy"; on racks use "preferred" or "required"'):
        locox.replay(jobs, machine="tree:8x8", strategy="buddy")
    with pytest.raises(ValueError, match="write tree:RACKSxNODES"):
        locox.replay(jobs, machine="tree:8")
    with pytest.raises(ValueError, match="not by places; use queue=\"promises:1\""):
        locox.replay(jobs, machine="tree:8x8", queue="easy")
    many = locox.lublin(3000, processors=64, seed=1)
    methods = ["required/fcfs", "required/promises:1", "pool/easy"]
    rows = locox.compare(many, methods, machine="tree:8x8", seeds=3)
    assert {it["method"] for it in rows} == set(methods)


def nodes_file(folder):
    path = folder / "nodes.csv"
    path.write_text("class,count,cores,memory\nthin,14,4,8000\nfat,2,8,64000\n")
    return f"nodes:{path}"


def test_jobs_share_nodes_of_a_file(tmp_path):
    jobs, machine = locox.lublin(200, processors=64, seed=1), nodes_file(tmp_path)
    outcome = locox.replay(jobs, machine=machine, strategy="best", queue="promises:1", allocations=True)
    assert outcome.summary["jobs"] == 200 and outcome.processors == 72 and outcome.machine == f"{machine}, best"
    alone = locox.replay(jobs, machine=machine, strategy="first+exclusive", queue="fcfs")
    assert alone.summary["mean_wait"] >= outcome.summary["mean_wait"]
    with pytest.raises(ValueError, match='strategy is "buddy"; on nodes use "first" or "best"'):
        locox.replay(jobs, machine=machine, strategy="buddy")
    with pytest.raises(ValueError, match="not by places; use queue=\"promises:1\""):
        locox.replay(jobs, machine=machine, queue="easy")
    with pytest.raises(ValueError, match="nodes:FILE"):
        locox.replay(jobs, machine="nodes:")
    with pytest.raises(FileNotFoundError, match="no such file"):
        locox.replay(jobs, machine=f"nodes:{tmp_path}/no such file")
    (tmp_path / "bad.csv").write_text("count\n3\n")
    with pytest.raises(ValueError, match="cores.: no such column") as raised:
        locox.replay(jobs, machine=f"nodes:{tmp_path}/bad.csv")
    assert "\n" not in str(raised.value)
    many = locox.lublin(3000, processors=64, seed=1)
    methods = ["best/fcfs", "first+exclusive/promises:1", "pool/easy"]
    rows = locox.compare(many, methods, machine=machine, seeds=3)
    assert {it["method"] for it in rows} == set(methods) and rows[0]["machine"] == machine


def test_nodes_are_shared_by_what_they_have():
    classes = [{"cores": 64, "memory": 256}, {"cores": 32, "memory": 512, "gpus": 4}]
    pool = locox.NodePool(classes, [3, 1], placement="fewest", parts=("gpus", 100), common={"licences": 1})
    assert repr(pool) == "<locox.NodePool: 0 leases on 4 nodes>" and pool.free(0) == {"cores": 64, "memory": 256, "gpus": 0}
    half = pool.allocate({"cores": 4, "memory": 16}, part=50, common={"licences": 1})
    assert (half.part, list(half), pool.free_parts(3)[:4]) == ((0, 50), [3], [50, 100, 100, 100])
    assert pool.free_common == {"licences": 0} and half.amounts == {"cores": 4, "memory": 16, "gpus": 0}
    assert refusal(lambda: pool.allocate({"cores": 1}, common={"licences": 1})) == "fragmented"
    with pool.allocate({"cores": 48, "memory": 64}, nodes=2) as two:
        assert (repr(two), len(two), 0 in two) == ("<locox.NodeLease 0-1>", 2, True)
        assert refusal(lambda: pool.allocate({"cores": 1}, tasks=300)) == "no-place"
        assert len(pool.allocate({"cores": 1, "memory": 2}, tasks=32)) == 1
        assert pool.fits({"cores": 1}, nodes=(1, 9)) and not pool.fits({"cores": 1}, nodes=5)
    assert refusal(two.release, locox.Misused) == "stale"
    whole = pool.allocate({"cores": 1}, only=[0, 1], exclusive=True)
    assert whole.amounts is None and pool.free(min(whole)) == {"cores": 0, "memory": 0, "gpus": 0}
    assert pool.fail(3) == [half] and pool.state(3) == "leased, failed"
    assert refusal(lambda: pool.allocate({"cores": 1}, classes=[1])) == "faulty"
    pool.repair([3])
    assert pool.allocate({"cores": 1}, classes=1).nodes.tolist() == [3]
    assert refusal(lambda: pool.allocate({"cores": 2**80})) == "no-place"
    assert refusal(lambda: pool.allocate([1], only=[4]), locox.Misused) == "no-such-node"
    plain = locox.NodePool([(2, 4)], [1], room=1)
    assert plain.allocate((1, 2)).amounts == [1, 2, 0, 0, 0, 0, 0, 0] and refusal(lambda: plain.allocate([1])) == "full"
    assert refusal(lambda: locox.NodePool([[1]], [4097]), locox.Misused) == "count"
    assert refusal(lambda: locox.NodePool([[1, 17]], [1], parts=(1, 2)), locox.Misused) == "devices"
    assert refusal(lambda: plain.release(half), locox.Misused) == "foreign"


def test_slices_lie_where_most_stays_possible():
    pool = locox.SlicePool("a100")
    assert pool.profiles == ["1g", "2g", "3g", "4g", "7g"] and pool.free == list(range(8))
    small = pool.allocate("1g")
    assert (small.slices, small.profile, repr(small)) == ([6], "1g", "<locox.SliceLease 6>")
    with pool.allocate("4g") as large:
        assert large.slices == [0, 1, 2, 3] and refusal(lambda: pool.allocate("3g")) == "too-few-free"
        assert list(pool) == [small, large] and len(pool) == 2 and large in pool
    assert refusal(large.release, locox.Misused) == "stale" and refusal(lambda: pool.claim("1g", [6])) == "not-free"
    assert refusal(lambda: pool.claim("2g", [1, 2]), locox.Misused) == "no-such-placement"
    assert pool.stranded("3g") == [4, 5, 7] and pool.fail([4]) == [] and pool.drain(6) == [small]
    assert refusal(lambda: pool.allocate("7g")) == "faulty"
    pool.repair([4, 6])
    assert repr(pool) == "<locox.SlicePool: 7 of 8 slices free>" and pool.fits("3g") and not pool.fits("7g")


def test_a_timeline_keeps_deadlines():
    timeline = locox.Timeline(8, room=3)
    first = timeline.reserve(5, 10)
    assert (first.start, first.end, first.pes) == (0, 10, [0, 1, 2, 3, 4])
    assert refusal(lambda: timeline.reserve(5, 10, deadline=15)) == "late"
    second = timeline.reserve(5, 10, deadline=20)
    assert list(timeline) == [first, second] and len(timeline) == 2
    assert [column.tolist() for column in timeline.slots()] == [[0, 20], [5, 0]]
    assert timeline.find(3, 20) == (0, 20) and timeline.find(4, 5, ready=3) == (20, 25)
    assert timeline.fail(0) == [first, second] and timeline.busy_at(25) == [0]
    timeline.repair(0)
    assert refusal(lambda: timeline.move_to(second, 5)) == "busy"
    moved = timeline.move_to(second, 30)
    assert moved == second and (second.start, moved.start) == (10, 30) and timeline.look_up(second).start == 30
    assert timeline.set_end(first, 12).end == 12 and timeline.free_at(11) == 3 and timeline.fewest_free(0, 99) == 3
    timeline.advance(12)
    assert list(timeline) == [moved] and timeline.now == 12
    assert refusal(lambda: timeline.cancel(first), locox.Misused) == "stale"
    assert refusal(lambda: timeline.advance(3), locox.Misused) == "past"
    assert refusal(lambda: timeline.reserve(0, 5), locox.Misused) == "no-pes"
    assert refusal(lambda: timeline.reserve(1, 0), locox.Misused) == "no-time"
    assert refusal(lambda: timeline.reserve(9, 5)) == "too-large"
    assert timeline.cancel(moved) == (30, 40)
    own = timeline.add(20, 25, [3, 7])
    assert own.pes == [3, 7] and refusal(lambda: timeline.add(24, 30, [7])) == "busy"
    assert refusal(lambda: timeline.add(24, 30, [8]), locox.Misused) == "no-such-pe"
    timeline.reserve(2, 9, choice="aligned-subcube")
    timeline.reserve(1, 1)
    assert refusal(lambda: timeline.reserve(1, 1)) == "full"


def test_a_profile_counts():
    profile = locox.Profile(1_000_000)
    first = profile.add(10, 20, 900_000)
    assert first.pes == 900_000 and profile.find(200_000, 15) == (20, 35)
    second = profile.reserve(200_000, 15)
    profile.cancel(first)
    assert profile.bring_forward(second).start == 0
    profile.set_out_of_service(999_999)
    assert refusal(lambda: profile.reserve(2, 5)) == "faulty"
    assert repr(profile) == "<locox.Profile: 1000000 PEs, 1 reservations at 0>"
    assert refusal(lambda: locox.Profile(9).cancel(second), locox.Misused) == "foreign"


def test_a_queue_starts_jobs_in_order():
    queue = locox.Queue(4, "fcfs", room=3)
    a, b, c = (queue.submit(0, size, id=10 + size) for size in (3, 2, 1))
    assert (a.id, a.processors, a.requested, a.key) == (13, 3, None, 0)
    assert queue.start(0) == [a] and queue.waiting() == [b, c] and queue.running() == [a] and queue.free == 1
    assert refusal(lambda: queue.submit(0, 1)) == "full"
    assert refusal(lambda: queue.submit(0, 5)) == "too-large"
    assert refusal(lambda: queue.submit(0, 0), locox.Misused) == "no-pes"
    assert refusal(lambda: queue.cancel(0, a), locox.Misused) == "runs"
    assert refusal(lambda: queue.finish(0, b), locox.Misused) == "waits"
    queue.finish(5, a)
    assert queue.start(5) == [b, c] and len(queue) == 0
    assert refusal(lambda: queue.finish(5, a), locox.Misused) == "stale"
    assert refusal(lambda: locox.Queue(4, "fcfs").finish(5, b), locox.Misused) == "foreign"
    queue.requeue(6, b)
    queue.withdraw(6, 3)
    assert queue.start(6) == [] and queue.free == 0
    assert refusal(lambda: queue.repair(6, 4), locox.Misused) == "outage"
    queue.repair(6, 3)
    queue.hold(6, b)
    assert queue.start(6) == []
    queue.release(6, b)
    assert queue.rekey(6, b, 7).key == 7 and queue.start(6) == [b]


def test_easy_promises_and_estimates():
    queue = locox.Queue(8, "easy")
    with pytest.raises(locox.Misused, match="give requested="):
        queue.submit(0, 3)
    first, second, third = (queue.submit(0, 6, 20), queue.submit(0, 8, 10), queue.submit(0, 3, 5))
    assert queue.start(0) == [first] and list(queue) == [second, third]
    assert queue.planned(second) == queue.estimate(second) == (20, 30)
    assert queue.planned(third) is None and queue.estimate(third) == (30, 35)
    conservative = locox.Queue(8, "conservative")
    jobs = [conservative.submit(0, size, time) for size, time in ((6, 20), (8, 10))]
    conservative.start(0)
    assert conservative.estimate(jobs[1]) == (20, 30) and conservative.wake_at == 20


def test_a_machine_of_the_callers_takes_jobs():
    pool, queue = locox.Pool(3), locox.Queue(8, "window:4")
    leases = {}

    def take(number, processors):
        try:
            leases[number] = pool.allocate((processors - 1).bit_length())
        except locox.Refused:
            return False
        return True

    big, small = queue.submit(0, 8), queue.submit(0, 3)
    pool.fail(7)
    assert queue.next(0, take) == small and len(leases[small.id]) == 4
    assert queue.next(0, take) is None and list(queue) == [big]

    def broken(_number, _processors):
        raise KeyError("enough")

    queue.finish(0, small)
    with pytest.raises(KeyError, match="enough"):
        queue.next(0, broken)
    assert list(queue) == [big] and queue.free == 8


def test_a_call_from_within_or_from_another_thread_is_turned_away():
    queue = locox.Queue(8, "fcfs")
    queue.submit(0, 1)
    told = []

    def elsewhere():
        try:
            queue.submit(0, 1)
        except locox.Misused as fault:
            told.append(str(fault))

    def take(_number, _processors):
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        elsewhere()
        return True

    assert queue.next(0, take) is not None
    assert told == ["it is in use by another thread, or by a call that has not returned"] * 2
    assert len(queue) == 0


def test_fair_shares_go_to_who_had_least():
    fair = locox.FairShare(3, processors=2)
    fair.demand(0, wants=5)
    assert [(one.to, one.taken_from) for one in fair.decide(0)] == [(0, None), (0, None)]
    assert fair.holds.tolist() == [2, 0, 0] and fair.wants.tolist() == [3, 0, 0]
    fair.advance(86_400)
    assert fair.indices[0] > 0.5 and fair.indices[1] == 0
    fair.demand(1, wants=1)
    assert [(one.to, one.taken_from) for one in fair.decide(86_400)] == [(1, 0)]
    assert fair.holds.tolist() == [1, 1, 0]
    assert refusal(lambda: fair.demand(3, wants=1), locox.Misused) == "no-such-station"
    assert refusal(lambda: fair.set_weight(0, 0), locox.Misused) == "zero"
    assert refusal(lambda: fair.decide(90_000, free=9), locox.Misused) == "holdings-exceed-capacity"
    with pytest.raises(ValueError, match="now is 5, before 86400"):
        fair.advance(5)


MAPPERS = ["olb", "best-assignment", "min-min", "max-min", "sufferage", "duplex", "pjs", "genetic"]


@pytest.mark.parametrize("mapper", MAPPERS)
def test_jobs_are_mapped(mapper):
    times = numpy.array([[2, 6], [2, 3], [5, 3], [6, 4]])
    plan = locox.map_jobs(times, mapper)
    assert plan.mapper == mapper and len(plan) == 4
    for job, resource in enumerate(plan.resource):
        assert plan.end[job] - plan.start[job] == times[job, resource]
    assert plan.merit == plan.end.sum() >= plan.lower_bound and plan.makespan == plan.end.max()


def test_mappings_know_levels_clusters_and_what_is_impossible():
    assert locox.map_jobs([[5], [3]], levels=[0, 1]).start.tolist() == [0, 5]
    assert locox.map_jobs([[5], [3]], levels=[1, 0]).start.tolist() == [3, 0]
    assert locox.map_jobs([[5, None], [3, -1]], free_from=[7, 0], now=2).start.min() == 7
    assert locox.map_jobs([[9, 9, 2]], clusters=[[0, 1]]).resource.tolist() == [2]
    assert refusal(lambda: locox.map_jobs([[-1, -1]])) == "no-machine"
    for wrong in (
        lambda: locox.map_jobs([[1, 2]], clusters=[[5]]),
        lambda: locox.map_jobs([[1, 2]], free_from=[0]),
        lambda: locox.map_jobs([[1, 2]], levels=[0, 0]),
    ):
        assert refusal(wrong, locox.Misused)
    with pytest.raises(TypeError):
        locox.map_jobs(5)
