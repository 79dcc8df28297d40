#!/usr/bin/env python3
"""A heuristic for PROBLEM to begin with: put something better into solve.

    schedgap algorithm check PROBLEM -- python3 FILE    # is it right?
    schedgap bench PROBLEM -- python3 FILE              # is it good?

An instance comes in on standard input, a solution goes out on standard output, both JSON (docs/your-algorithm.md).
"""
HELPER


BODY


if __name__ == "__main__":
    main("PROBLEM", solve)
