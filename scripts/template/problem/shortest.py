"""An instance -> a lower bound: no job is shorter than on its fastest machine; all machines together do that work at best evenly."""
from common import serve, step


def bound(instance):
    jobs, machines = instance["jobs"], range(instance["machines"])
    least = {job["id"]: min(step(job, before, i) for i in machines for before in [None] + jobs if before is not job) for job in jobs}
    if instance["metric"] == "makespan":
        return {"bound": max([sum(least.values()) / len(machines), *least.values()])}
    return {"bound": sum(job["weight"] * least[job["id"]] for job in jobs)}


serve(bound)
