def solve(instance):
    """Jobs with least remaining work first, each task on the tightest server; what is left over in a slot clones the tasks that began in it."""
    servers, events = Servers(instance), Events()
    waiting = {}  # job -> phases whose parents are done, with the tasks that have not begun
    left = {}  # (job, phase) -> tasks that have not ended
    copies, jobs = [], {job["id"]: job for job in instance["jobs"]}

    def volume(job):
        return sum(left[job["id"], p["id"]] * p["mean"] * max(p[r] for r in servers.resources) for p in job["phases"])

    def release(job):
        for p in job["phases"]:
            ready = all(left[job["id"], q] == 0 for q in p["parents"])
            if ready and p["id"] not in waiting[job["id"]]:
                waiting[job["id"]][p["id"]] = [p, list(range(p["tasks"]))]

    for job in instance["jobs"]:
        for p in job["phases"]:
            left[job["id"], p["id"]] = p["tasks"]
        events.push(job["arrival"], (None, job["id"]))
    while events:
        now, happens = events.pop()
        for begun, name in happens:
            if begun is None:
                waiting[name] = {}
            else:
                phase, _, places = begun
                for place in places:
                    servers.take(place, phase, -1)
                left[name, phase["id"]] -= 1
            release(jobs[name])
        started, blocked = [], False
        for name in sorted(waiting, key=lambda name: volume(jobs[name])):
            for phase, tasks in waiting[name].values():
                while tasks:
                    place = servers.best(phase)
                    if place is None:
                        blocked = True
                        break
                    servers.take(place, phase)
                    started.append((name, phase, tasks.pop(0), [place]))
        for name, phase, task, places in [] if blocked else started:
            while len(places) < instance["max_copies"] and whole_slots(phase, len(places) + 1) < whole_slots(phase, len(places)):
                place = servers.best(phase)
                if place is None or places.count(place) >= instance["max_copies_per_server"]:
                    break
                servers.take(place, phase)
                places.append(place)
        for name, phase, task, places in started:
            end = now + whole_slots(phase, len(places))
            for place in places:
                copies.append({"task": [name, phase["id"], task], "server": servers.ids[place], "start": now, "end": end})
            events.push(end, ((phase, task, places), name))
    return {"regime": "nonpreemptive", "copies": copies}
