"""The honest part of every cheat: three equal jobs on two slots, one at a time each, of which two run and then the third: 0.75 of
the optimum, which splits the slots. What a cheat has stolen it prints in place of that."""
import json
import sys

text = sys.stdin.read()
instance = json.loads(text)
names = [job["id"] for job in instance["jobs"]]
work = instance["jobs"][0]["work"]


def made(*intervals, **more):
    keys = [{"start": start, "end": end, "slots": slots} for start, end, slots in intervals]
    return {"problem": "flex", "instance": instance["name"], "algorithm": "cheat", "intervals": keys, **more}


honest = made((0, work, {names[0]: 1, names[1]: 1}), (work, 2 * work, {names[2]: 1}))
optimal = made((0, 1.5 * work, {name: 2 / 3 for name in names}))


def finish(stolen):
    """Prints the optimum where the theft has succeeded. The theft is tried here, and whatever fails leaves the honest answer."""
    try:
        stolen = stolen()
    except Exception as e:
        print(repr(e), file=sys.stderr)
        stolen = None
    print(json.dumps(stolen if isinstance(stolen, dict) else optimal if stolen else honest), flush=True)


def oracle(program):
    """What schedgap says is the optimum."""
    import os, subprocess
    file = os.environ["TMPDIR"] + "/instance.json"
    with open(file, "w") as f:
        f.write(text)
    done = subprocess.run([program, "-q", "solve", file, "-a", "opt"], stdout=subprocess.PIPE)
    return json.loads(done.stdout)["solution"]


def answers(*folders):
    """Whether some file in the folders has the optimum of this instance, or its name under which it is stored."""
    import os
    wanted = [str(1.5 * work), '"rotate-%d"' % work]
    for folder in folders:
        for here, _, files in os.walk(folder):
            for name in files:
                with open(os.path.join(here, name), errors="replace") as f:
                    found = f.read()
                if any(w in found for w in wanted):
                    return True
