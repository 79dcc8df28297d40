def solve(instance):
    """Every unfinished job has its minimum, and the first of them have the rest up to their maxima."""
    slots = instance["slots"]
    left = {job["id"]: job["work"] for job in instance["jobs"]}
    least = {job["id"]: job.get("min", 0) for job in instance["jobs"]}
    most = {job["id"]: job.get("max", slots) for job in instance["jobs"]}
    intervals, now = [], 0.0
    while left:
        given = {job: least[job] for job in left}
        spare = slots - sum(given.values())
        for job in given:
            more = min(spare, most[job] - given[job])
            given[job] += more
            spare -= more
        # Nothing changes until the first of them is done.
        first = min((job for job in left if given[job] > 0), key=lambda job: left[job] / given[job])
        span = left[first] / given[first]
        intervals.append({"start": now, "end": now + span, "slots": {job: n for job, n in given.items() if n > 0}})
        now += span
        for job, n in given.items():
            left[job] -= n * span
            if job == first or left[job] <= 1e-9 * n * span:
                del left[job]
    return {"intervals": intervals}
