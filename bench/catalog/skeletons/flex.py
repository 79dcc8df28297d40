def solve(instance):
    """Every unfinished job has its minimum; the rest goes to the most urgent jobs first, up to their maxima."""
    slots, metric = instance["slots"], instance["objective"]["metric"]
    jobs = {job["id"]: job for job in instance["jobs"]}
    left = {name: job["work"] for name, job in jobs.items()}
    least = {name: job.get("min", 0) for name, job in jobs.items()}
    most = {name: job.get("max", slots) for name, job in jobs.items()}

    def urgency(name):
        job = jobs[name]
        if metric in ("tardy", "tardiness", "lateness"):
            return job["deadline"]
        if metric == "sla":
            return job["steps"][0]["at"]
        if instance["objective"]["aggregate"] == "max":
            return -job["work"] / most[name]  # what takes longest decides
        weight = job.get("weight", 1) if instance["objective"]["weighted"] else 1
        return left[name] / weight

    intervals, now = [], 0.0
    while left:
        given = {name: least[name] for name in left}
        spare = slots - sum(given.values())
        for name in sorted(left, key=urgency):
            more = min(spare, most[name] - given[name])
            given[name] += more
            spare -= more
        # Nothing changes until the first of them is done.
        first = min((name for name in left if given[name] > 0), key=lambda name: left[name] / given[name])
        span = left[first] / given[first]
        intervals.append({"start": now, "end": now + span, "slots": {name: n for name, n in given.items() if n > 0}})
        now += span
        for name, n in given.items():
            left[name] -= n * span
            if name == first or left[name] <= 1e-9 * n * span:
                del left[name]
    return {"intervals": intervals}
