def solve(instance):
    """One copy for every straggler, in the order of the file, while there are machines."""
    spare = instance["capacity"] - sum(1 + len(job["tasks"]) for job in instance["jobs"])  # its master, its tasks
    copies = {}
    for job in instance["jobs"]:
        for task in job["tasks"]:
            if task["straggler"] and spare > 0 and instance["max_copies"] > 0:
                copies.setdefault(job["id"], {})[task["id"]] = 1
                spare -= 1
    return {"copies": copies}
