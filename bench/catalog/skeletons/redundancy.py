def solve(instance):
    """Least remaining work first, one machine each; machines left over run copies of the jobs that gain most by one more."""
    speedup, machines = instance["speedup"], instance["machines"]
    coming = sorted(instance["jobs"], key=lambda job: job["arrival"])
    left, intervals, now = {}, [], 0.0
    while coming or left:
        while coming and coming[0]["arrival"] <= now:
            job = coming.pop(0)
            left[job["id"]] = job["work"]
        chosen = sorted(left, key=left.get)[:machines]
        copies = {job: 1 for job in chosen}
        for _ in range(machines - len(chosen)):
            # A job with less work left ends sooner for the same gain; the order of chosen decides ties.
            gain = lambda job: (speedup[copies[job]] - speedup[copies[job] - 1]) / left[job]
            if not chosen or gain(max(chosen, key=gain)) <= 0:
                break
            copies[max(chosen, key=gain)] += 1
        rate = {job: speedup[copies[job] - 1] for job in chosen}
        first = min(chosen, key=lambda job: left[job] / rate[job], default=None)
        end = now + left[first] / rate[first] if first else coming[0]["arrival"]
        if first and coming and coming[0]["arrival"] < end:
            first, end = None, coming[0]["arrival"]
        intervals.append({"start": now, "end": end, "alloc": {job: {"copies": copies[job], "share": 1} for job in chosen}})
        for job in chosen:
            left[job] -= rate[job] * (end - now)
            if job == first or left[job] <= 1e-9 * rate[job] * (end - now):
                del left[job]
        now = end
    return {"intervals": intervals}
