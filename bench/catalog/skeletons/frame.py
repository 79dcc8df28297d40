#!/usr/bin/env python3
"""An algorithm for PROBLEM. It is right, but not good: put something better into solve.

    schedgap algorithm check PROBLEM -- python3 FILE

An instance comes in on standard input, a solution goes out on standard output, both JSON. SCHEDGAP_SEED is the seed of a random
algorithm, and after SCHEDGAP_TIME_LIMIT_SECONDS the solution must be printed.
"""
import json
import sys


BODY


def main():
    instance = json.load(sys.stdin)
    if instance["problem"] != "PROBLEM":
        print("it is for PROBLEM", file=sys.stderr)
        sys.exit(77)  # not applicable; so it would be for instances of PROBLEM that it is not made for
    solution = {"problem": "PROBLEM", "instance": instance["name"], "algorithm": "mine"}
    solution.update(solve(instance))
    json.dump(solution, sys.stdout)


if __name__ == "__main__":
    main()
