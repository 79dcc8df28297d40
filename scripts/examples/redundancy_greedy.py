#!/usr/bin/env python3
"""Machines go one by one to the copy that is worth most: what scripts/examples/evolve.py begins with."""
from schedgap import main


# EVOLVE-BLOCK-START
def solve(instance):
    first_copy, urgency, crowd = 9.0, 1.0, 0.1  # NUMBERS
    speedup, machines = instance["speedup"], instance["machines"]
    coming = sorted(instance["jobs"], key=lambda job: job["arrival"])
    left, intervals, now = {}, [], 0.0
    while coming or left:
        while coming and coming[0]["arrival"] <= now:
            job = coming.pop(0)
            left[job["id"]] = job["work"]
        copies = {job: 0 for job in left}
        for _ in range(machines if left else 0):
            more = {job: speedup[n] - (speedup[n - 1] if n else 0) for job, n in copies.items() if n < machines}
            worth = {job: gain * (first_copy * len(left) ** crowd if copies[job] == 0 else 1) / left[job] ** urgency for job, gain in more.items()}
            best = max(worth, key=worth.get)
            if worth[best] > 0:
                copies[best] += 1
        rate = {job: speedup[n - 1] for job, n in copies.items() if n}
        first = min(rate, key=lambda job: left[job] / rate[job], default=None)
        end = now + left[first] / rate[first] if first else coming[0]["arrival"]
        if first and coming and coming[0]["arrival"] < end:
            first, end = None, coming[0]["arrival"]
        intervals.append({"start": now, "end": end, "alloc": {job: {"copies": copies[job], "share": 1} for job in rate}})
        for job in rate:
            left[job] -= rate[job] * (end - now)
            if job == first or left[job] <= 1e-9 * rate[job] * (end - now):
                del left[job]
        now = end
    return {"intervals": intervals}
# EVOLVE-BLOCK-END


if __name__ == "__main__":
    main("redundancy", solve)
