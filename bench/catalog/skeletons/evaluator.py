"""What OpenEvolve calls for every program, in three stages: a score by `schedgap evaluate`, which runs the program in a sandbox.

In the environment SCHEDGAP is the program schedgap, if it is not found by PATH, and EVALUATE further options, such as --time-limit 1s.
"""
import json
import os
import shlex
import subprocess

from openevolve.evaluation_result import EvaluationResult


def judged(path, stage):
    options = ["--stage", stage, *shlex.split(os.environ.get("EVALUATE", ""))]
    command = [os.environ.get("SCHEDGAP", "schedgap"), "-q", "evaluate", "PROBLEM", *options, "--", "python3", path]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if not done.stdout:  # the options are wrong, or this machine has no sandbox: no program's fault
        raise RuntimeError(done.stderr.strip())
    result = json.loads(done.stdout)
    return EvaluationResult(metrics=result["metrics"], artifacts=result["artifacts"])


def evaluate_stage1(path):
    return judged(path, "1")


def evaluate_stage2(path):
    return judged(path, "2")


def evaluate_stage3(path):
    return judged(path, "3")


def evaluate(path):
    return judged(path, "2")
