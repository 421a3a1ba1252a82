-- job_submit.lua, written by `locox-agent gate`: jobs of the partitions below wait until the agent starts them.
-- Their earliest start lies ten years ahead; holds of users stay what they are.
local governed = {@PARTITIONS@}
local far = @FAR@
-- Users that may change when a job starts: root, and who runs the agent.
local trusted = {[0] = true@USERS@}

-- Whether all, and whether any, of a job's partitions are governed.
local function partitions_of(job, partitions)
  local names = job.partition
  if names == nil or names == "" then
    for name, partition in pairs(partitions) do
      if partition.flag_default == 1 then names = name end
    end
  end
  local all, any = true, false
  for name in string.gmatch(names or "", "[^,]+") do
    if governed[name] then any = true else all = false end
  end
  return all, any
end

local function is_set(time)
  return time ~= nil and time ~= 0 and time ~= slurm.NO_VAL and time ~= slurm.NO_VAL64
end

-- Jobs that their users want to start later start ten years after that.
local function close(job)
  local begin = os.time()
  if is_set(job.begin_time) and job.begin_time > begin then begin = job.begin_time end
  job.begin_time = begin + far
end

function slurm_job_submit(job, partitions, user)
  local all, any = partitions_of(job, partitions)
  -- Who may run elsewhere too is left to Slurm.
  if any and all then close(job) end
  return slurm.SUCCESS
end

function slurm_job_modify(job, record, partitions, user)
  if trusted[user] then return slurm.SUCCESS end
  local moves = job.partition ~= nil and job.partition ~= ""
  local all, any = partitions_of(moves and job or record, partitions)
  local was = governed[record.partition] or false
  if any and all and not was then
    close(job)
  elseif was and not any then
    slurm.log_user("jobs do not leave a partition that locox-agent governs: submit it anew")
    return slurm.ERROR
  elseif any and is_set(job.begin_time) then
    -- Its owner moves the begin, and the gate with it; the agent opens that of a job that it leaves to Slurm.
    close(job)
  end
  return slurm.SUCCESS
end

return slurm.SUCCESS
