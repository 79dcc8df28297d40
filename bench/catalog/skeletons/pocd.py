def meets(job, task, copies):
    """The probability that a task meets its job's deadline, R_i(r)."""
    time = job["deadline"] - job["elapsed"]
    q = 1.0 if time <= 0 else min(1.0, (1 - task["progress"]) * task["t_min"] / time)
    return 1 - q ** (task["beta"] * (copies + 1))


def solve(instance):
    """One copy after the other to the task with the largest gain in utility, as far as the machines go."""
    alpha = instance["alpha"]
    spare = instance["capacity"] - sum(1 + len(job["tasks"]) for job in instance["jobs"])  # its master, its tasks
    chance = {job["id"]: math.prod(meets(job, task, 0) for task in job["tasks"]) for job in instance["jobs"]}
    copies, queue = {}, Events()

    def gain(job, task, have):
        before, after = chance[job["id"]], chance[job["id"]] * meets(job, task, have + 1) / meets(job, task, have)
        if alpha == "inf":
            return (after - before) / before**9  # the least job first, nearly
        return math.log(after / before) if alpha == 1 else (after ** (1 - alpha) - before ** (1 - alpha)) / (1 - alpha)

    def offer(job, task, have):
        if have < instance["max_copies"] and meets(job, task, have) > 0:
            queue.push(-gain(job, task, have), (job, task, have))

    for job in instance["jobs"]:
        for task in job["tasks"]:
            if task["straggler"] and chance[job["id"]] > 0:
                offer(job, task, 0)
    while queue and spare > 0:
        _, offers = queue.pop()
        job, task, have = offers.pop(0)
        for other in offers:
            offer(*other)
        now = -gain(job, task, have)
        if queue and now > queue.heap[0][0]:
            queue.push(now, (job, task, have))  # its job's chance has changed since it was offered
            continue
        chance[job["id"]] *= meets(job, task, have + 1) / meets(job, task, have)
        copies.setdefault(job["id"], {})[task["id"]] = have + 1
        spare -= 1
        offer(job, task, have + 1)
    return {"copies": copies}
