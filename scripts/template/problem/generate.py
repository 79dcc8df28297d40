"""{"seed": 7, "params": {…}} -> a random instance. Set-up times belong to a job and the one before it, so that jobs can be left out."""
import random
from common import serve


def generate(question):
    rng, p = random.Random(question["seed"]), question["params"]
    names, longest = ["j%d" % (k + 1) for k in range(p["jobs"])], 20

    def setups():
        return [rng.randint(0, round(p["setup"] * longest)) for _ in range(p["machines"])]

    jobs = [{"id": name, "weight": rng.randint(1, 10), "times": [rng.randint(1, longest) for _ in range(p["machines"])],
             "setups": {before: setups() for before in ["first"] + names if before != name}} for name in names]
    return {"metric": "makespan" if p["makespan"] else "weighted", "machines": p["machines"], "jobs": jobs}


serve(generate)
