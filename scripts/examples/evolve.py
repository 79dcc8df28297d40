#!/usr/bin/env python3
"""evolve.py PROBLEM PROGRAM [GENERATIONS [MUTANTS]]: improves the numbers of a heuristic at random, and tries to cheat once a generation.

What counts is the set train with the instances on which the parents before were worst. The best is the next parent; the last is the cheat.
"""
import json, os, random, re, shlex, subprocess, sys
from pathlib import Path

# What other evaluators fall for: a value that is claimed, an instance that is changed, a value that is no number.
CHEATS = ['return {"objective": 0, "intervals": []}', 'instance["speedup"] = [1e9] * instance["machines"]', 'return {"objective": math.nan, "intervals": []}']


def evaluate(problem, program, *options):
    command = [os.environ.get("SCHEDGAP", "schedgap"), "-q", "evaluate", problem, *shlex.split(os.environ.get("EVALUATE", "--batch")), *options]
    return json.loads(subprocess.run([*command, "--", "python3", program], check=True, stdout=subprocess.PIPE).stdout)["metrics"]


def mutant(text, rng):
    line = re.search(r".*# NUMBERS", text)  # those of this line
    place = rng.choice(list(re.compile(r"\d+\.\d+").finditer(text, line.start(), line.end())))
    return text[: place.start()] + f"{float(place[0]) * rng.lognormvariate(0, 1):.4f}" + text[place.end() :]


def main(problem, program, generations=3, mutants=16):
    rng, folder = random.Random(1), Path(program).parent
    hard, parent = folder / "hard", Path(program).read_text()
    for generation in range(int(generations) + 1):
        texts = [parent] + [mutant(parent, rng) for _ in range(int(mutants) if generation else 0)]
        cheat = CHEATS[generation % len(CHEATS)]
        texts += [re.sub(r"(def solve.*)", rf"\1\n    import math; {cheat}", parent)] if generation else []
        scores = []
        for i, text in enumerate(texts):
            file = folder / f"g{generation}-{i}.py"
            file.write_text(text)
            sets = [[], ["--suite", str(hard / "set.yaml")]][: 2 if generation else 1]
            results = [evaluate(problem, str(file), *options) for options in sets]
            total = sum(r["combined_score"] * r["instances"] for r in results) / sum(r["instances"] for r in results)
            scores.append((total, results[0]["combined_score"], i))
        best = max(scores)
        parent, file = texts[best[2]], str(folder / f"g{generation}-{best[2]}.py")
        evaluate(problem, file, "--stage", "1", "--seed", str(generation + 1), "--adversarial", "2", "--evaluations", "60", "--out", str(hard))
        test = evaluate(problem, file, "--set", "test")["combined_score"]
        print(json.dumps({"generation": generation, "train": best[1], "test": test, "mutants": [s[1] for s in scores]}), flush=True)


main(*sys.argv[1:])
