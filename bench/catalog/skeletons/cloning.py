def solve(instance):
    """One task after the other, without clones: jobs by arrival, phases after their parents, each on the first server that fits."""
    resources = instance.get("resources", ["cpu", "mem"])
    copies, now = [], 0
    for job in sorted(instance["jobs"], key=lambda job: job["arrival"]):
        now = max(now, job["arrival"])
        waiting, done = list(job["phases"]), set()
        while waiting:
            phase = next(p for p in waiting if done.issuperset(p["parents"]))
            server = next(s for s in instance["servers"] if all(phase[r] <= s[r] for r in resources))
            slots = max(1, int(-((1e-9 - phase["mean"]) // 1)))  # rounded up
            for task in range(phase["tasks"]):
                copies.append({"task": [job["id"], phase["id"], task], "server": server["id"], "start": now, "end": now + slots})
                now += slots
            done.add(phase["id"])
            waiting.remove(phase)
    return {"copies": copies}
