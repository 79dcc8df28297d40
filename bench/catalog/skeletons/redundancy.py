def solve(instance):
    """One job after the other in order of arrival, each on one machine."""
    intervals, now = [], 0.0
    for job in sorted(instance["jobs"], key=lambda job: job["arrival"]):
        if job["arrival"] > now:  # nothing runs until it comes
            intervals.append({"start": now, "end": job["arrival"], "alloc": {}})
            now = job["arrival"]
        end = now + job["work"] / instance["speedup"][0]
        intervals.append({"start": now, "end": end, "alloc": {job["id"]: {"copies": 1, "share": 1}}})
        now = end
    return {"intervals": intervals}
