"""schedgap from Python: tools for a heuristic, and in the second part the results of runs."""
import heapq
import json
import math
import os
import sys

SEED = int(os.environ.get("SCHEDGAP_SEED", "0"))  # the same seed should give the same solution
TIME_LIMIT = float(os.environ.get("SCHEDGAP_TIME_LIMIT_SECONDS", "60"))  # wall-clock seconds, the start of Python included
THREADS = int(os.environ.get("SCHEDGAP_THREADS", "1"))


def main(problem, solve, name="mine"):
    """Read the instance on standard input, print what solve(instance) returns as a solution; in a batch, one a line."""
    for text in sys.stdin if os.environ.get("SCHEDGAP_BATCH") else [sys.stdin.read()]:
        instance = json.loads(text)
        if instance["problem"] != problem:
            print("it is for " + problem, file=sys.stderr)
            sys.exit(77)  # not applicable; so it would be for instances of the problem that it is not made for
        solution = {"problem": problem, "instance": instance["name"], "algorithm": name, **solve(instance)}
        print(json.dumps(solution), flush=True)


class Events:
    """A queue of events: push(time, what) in any order, pop() -> (time, all that happens then in the order of pushing)."""

    def __init__(self):
        self.heap, self.pushed = [], 0

    def push(self, time, what):
        heapq.heappush(self.heap, (time, self.pushed, what))
        self.pushed += 1

    def pop(self):
        time, happens = self.heap[0][0], []
        while self.heap and self.heap[0][0] == time:
            happens.append(heapq.heappop(self.heap)[2])
        return time, happens

    def __bool__(self):
        return bool(self.heap)


class Servers:
    """Free capacity of the servers of a cloning instance, in whole numbers, so that the checker's rule of what fits is kept exactly.

    Servers with as much free are alike, and few of many differ: a choice looks at one of each kind."""

    def __init__(self, instance):
        self.resources = instance.get("resources", ["cpu", "mem"])
        self.ids = [s["id"] for s in instance["servers"]]
        self.size = [[s[r] for r in self.resources] for s in instance["servers"]]
        self.scale = [tuple(60 - math.frexp(c)[1] for c in size) for size in self.size]
        self.free = [tuple(math.floor(c * (1 + 1e-9) * 2.0**e) for c, e in zip(size, scale)) for size, scale in zip(self.size, self.scale)]
        self.alike = {}  # what is free, in units of the scale -> how many servers, a heap of them and of some that were
        for i in range(len(self.ids)):
            self.count(i, 1)

    def count(self, i, one):
        kind = self.scale[i], self.free[i]
        group = self.alike.setdefault(kind, [0, []])
        group[0] += one
        if one > 0:
            heapq.heappush(group[1], i)
        elif not group[0]:
            del self.alike[kind]

    def need(self, server, phase):
        return [math.ceil(phase[r] * 2.0**e) for r, e in zip(self.resources, self.scale[server])]

    def fits(self, server, phase):
        return all(n <= f for n, f in zip(self.need(server, phase), self.free[server]))

    def take(self, server, phase, copies=1):
        """copies may be negative: then they are given back."""
        self.count(server, -1)
        self.free[server] = tuple(f - copies * n for f, n in zip(self.free[server], self.need(server, phase)))
        self.count(server, 1)

    def best(self, phase):
        """The server on which a copy fits with the least room left over, or None."""
        best, needs = (math.inf, None), {}
        for (scale, free), (_, heap) in self.alike.items():
            left = sum(f / 2.0**e for f, e in zip(free, scale))
            if left > best[0]:
                continue
            if scale not in needs:
                needs[scale] = [math.ceil(phase[r] * 2.0**e) for r, e in zip(self.resources, scale)]
            if all(n <= f for n, f in zip(needs[scale], free)):
                while (self.scale[heap[0]], self.free[heap[0]]) != (scale, free):
                    heapq.heappop(heap)
                best = min(best, (left, heap[0]))
        return best[1]


def h(phase, copies):
    """Progress per slot of a task of a cloning instance's phase in so many copies: its table, or that of the Pareto distribution."""
    if phase.get("speedup"):
        return phase["speedup"][copies - 1]
    if phase.get("sd", 0) == 0 or copies == 1:
        return 1.0
    alpha = 1 + math.sqrt(1 + (phase["mean"] / phase["sd"]) ** 2)
    return 1 + (1 - 1 / copies) / (alpha - 1)


def whole_slots(phase, copies):
    """Slots that a task of a phase runs in so many copies from beginning to end."""
    return max(1, math.ceil((phase["mean"] - 1e-9) / h(phase, copies)))


# Results. What follows is for those who look at them; a heuristic needs none of it.


def program(*arguments, codes=(0,), made=None):
    """Run the program schedgap, or the one that the variable SCHEDGAP names, and return its output. If it fails and has made the file
    made all the same, its message is passed on."""
    import subprocess

    name = os.environ.get("SCHEDGAP", "schedgap")
    try:
        done = subprocess.run([name, "-q", *map(str, arguments)], capture_output=True, text=True)
    except FileNotFoundError:
        raise FileNotFoundError("%s: no such program; install schedgap in PATH, or name it in the variable SCHEDGAP" % name) from None
    if made and done.returncode in codes and os.path.exists(made):
        sys.stderr.write(done.stderr)
    elif done.returncode not in codes or done.returncode and not done.stdout:
        raise RuntimeError(done.stderr.strip() or "schedgap ended with exit code %d" % done.returncode)
    else:
        sys.stderr.write(done.stderr)  # nothing, unless something failed
    return done.stdout


def own(folder):
    """The words that name the folder of a problem of your own; none without one."""
    return ["--problem", folder] if folder else []


def bench(algorithm, problem=None, *options, suite=None, name=None, output=None, folder=None):
    """The verdict of schedgap bench: a dict. The algorithm is a function from an instance to a solution, dicts both, or a command, a list
    of words; the problem is a name, or that of your own in folder. (Formerly the problem came first.)"""
    if isinstance(algorithm, str):
        algorithm, problem = problem, algorithm
    words = [word for flag, value in (("--suite", suite), ("--name", name), ("-o", output)) if value for word in (flag, value)] + own(folder)
    with served(algorithm) as (command, named):
        if named and not name:
            words += ["--name", named]
        return json.loads(program("bench", *([problem] if problem else []), "--json", *words, *options, "--", *command, codes=(0, 1)))


def generate(problem=None, *options, n=1, seed=1, folder=None, **params):
    """Random instances of a problem, a name or your own in folder: a list of dicts. params are the generator's."""
    import tempfile

    words = [word for name, value in params.items() for word in ("-p", "%s=%s" % (name, str(value).lower() if isinstance(value, bool) else value))]
    with tempfile.TemporaryDirectory() as tmp:
        words += ["-n", n, "--seed", seed, "-o", tmp, *own(folder)]
        instances = []
        for path in program("generate", *([problem] if problem else []), *words, *options).splitlines():
            with open(path, encoding="utf-8") as file:
                instances.append(json.load(file))
    return instances


def run(suite, *options, output=None, folder=None):
    """What schedgap run says of a suite, a file or a name: a dict. The folder of the results is its directory."""
    return json.loads(program("run", suite, *(["-o", output] if output else []), *own(folder), *options, codes=(0, 1)))


def solve(instance, by, *options, folder=None):
    """What came of an algorithm, a name, of a command, a list of words, or of a function on an instance, a file or a dict: a dict."""
    options = [*own(folder), *options]
    with filed(instance) as file:
        if isinstance(by, str):
            return json.loads(program("solve", file, *options, "-a", by, codes=(0, 1)))
        with served(by) as (command, named):
            return json.loads(program("solve", file, *options, *(["--name", named] if named else []), "--", *command, codes=(0, 1)))


def check(instance, solution, *options, folder=None):
    """The checker's answer on a solution, both files or dicts: a dict."""
    with filed(instance) as first, filed(solution) as second:
        return json.loads(program("check", first, second, *own(folder), *options, codes=(0, 1)))


def results(dir, form="dicts"):
    """The rows of a results folder, see ratios, as a list of dicts, a DataFrame of pandas or a relation of DuckDB. A missing report is made."""
    if not os.path.exists(os.path.join(dir, "report", "ratios.parquet")):
        program("report", dir)
    if form == "pandas":
        import pandas

        return pandas.DataFrame(ratios(dir))
    if form == "duckdb":
        import duckdb

        return duckdb.read_parquet(os.path.join(dir, "report", "ratios.parquet"))
    if form != "dicts":
        raise ValueError("form is dicts, pandas or duckdb, not " + repr(form))
    return ratios(dir)


class NotApplicable(Exception):
    """Raised by a function that is not made for an instance: its row is skipped."""


class filed:
    """The name of a file with an object, for as long as it is needed; a name is its own."""

    def __init__(self, value):
        self.value, self.file = value, None

    def __enter__(self):
        if isinstance(self.value, (str, os.PathLike)):
            return self.value
        import tempfile

        handle, self.file = tempfile.mkstemp(suffix=".json")
        with os.fdopen(handle, "w") as out:
            json.dump(self.value, out)
        return self.file

    def __exit__(self, *_):
        if self.file:
            os.unlink(self.file)


# What the program runs in place of a function: it hands every instance to the interpreter in which the function lives.
BRIDGE = """
import json, os, socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
both = s.makefile("rw", encoding="utf-8")
seed = os.environ.get("SCHEDGAP_SEED")
for text in sys.stdin if os.environ.get("SCHEDGAP_BATCH") else [sys.stdin.read()]:
    both.write(json.dumps({"instance": json.loads(text), "seed": int(seed or 0)}) + "\\n")
    both.flush()
    answer = json.loads(both.readline())
    if "solution" not in answer:
        sys.stderr.write(answer["error"])
        sys.exit(answer["code"])
    print(json.dumps(answer["solution"]), flush=True)
"""


class served:
    """The command by which a function of this interpreter is an algorithm, and its name. An exception is the row's error, with its
    traceback. The command is another one when the function's text changes, so that its rows are run again; of what it calls nothing is known."""

    def __init__(self, algorithm):
        self.algorithm, self.server, self.failed = algorithm, None, None

    def __enter__(self):
        if not callable(self.algorithm):
            return self.algorithm, None
        import fcntl
        import hashlib
        import inspect
        import socketserver
        import tempfile
        import threading

        try:
            text = inspect.getsource(self.algorithm)
        except (OSError, TypeError):
            text = repr(getattr(self.algorithm, "__code__", self.algorithm))
        serving = self
        digest, lock, function = hashlib.sha256(text.encode()).hexdigest()[:16], threading.Lock(), self.algorithm
        seeded = "seed" in inspect.signature(function).parameters

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                for line in self.rfile:
                    asked = json.loads(line)
                    with lock:  # a function need not be made for several at a time
                        reply = answer(function, asked["instance"], {"seed": asked["seed"]} if seeded else {})
                    serving.failed = serving.failed or reply.get("error")
                    self.wfile.write(json.dumps(reply).encode() + b"\n")

        folder = os.path.join(tempfile.gettempdir(), "schedgap-%d" % os.getuid())
        os.makedirs(folder, mode=0o700, exist_ok=True)
        alone = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(alone, fcntl.LOCK_EX)  # released by close
            self.path = free(os.path.join(folder, digest))
            self.server = socketserver.ThreadingUnixStreamServer(self.path, Handler)
        finally:
            os.close(alone)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return [sys.executable, "-I", "-c", BRIDGE, self.path], getattr(function, "__name__", "function").strip("<>")

    def __exit__(self, kind, error, _):
        if self.server:
            self.server.shutdown()
            self.server.server_close()
            os.unlink(self.path)
        if kind is RuntimeError and self.failed:
            raise RuntimeError("%s\n\nThe function's first failure:\n%s" % (error, self.failed)) from None


def free(path):
    """The first of path, path-2, … that is free. At one where a server answers, another function of the same text may be served."""
    import socket

    for taken in range(1, 1000):
        here = path if taken == 1 else "%s-%d" % (path, taken)
        with socket.socket(socket.AF_UNIX) as probe:
            if probe.connect_ex(here) == 0:
                continue
        if os.path.lexists(here):
            os.unlink(here)  # of an interpreter that was killed
        return here
    raise RuntimeError("a thousand functions of the same text are served at once")


def answer(function, instance, more):
    """What a function says of an instance, or how it fails."""
    import traceback

    try:
        head = {"problem": instance["problem"], "instance": instance["name"], "algorithm": getattr(function, "__name__", "function")}
        reply = {"solution": {**head, **function(instance, **more)}}
        json.dumps(reply)
        return reply
    except NotApplicable as error:
        return {"code": 77, "error": str(error) or "it is not applicable"}
    except Exception:
        return {"code": 1, "error": traceback.format_exc()}


def ratios(dir):
    """The rows of ratios.parquet of a results folder that has a report: one for each unit and reference, as dicts. A unit without a
    solution is infinitely far from a known optimum. Without a reader of Parquet the program makes them. A solver's claim that was
    refuted is printed on standard error."""
    try:
        rows = parquet(dir, "ratios")
    except ImportError:
        rows = printed(dir)
    for unit in sorted({row["unit_id"] for row in rows if row["status"] == "refuted"}):
        sys.stderr.write("schedgap: unit %s: a solver's claim was refuted\n" % unit)
    return rows


def printed(dir):
    import csv
    import tempfile

    with tempfile.TemporaryDirectory() as tmp:
        file = os.path.join(tmp, "ratios.csv")
        program("report", dir, "-o", os.path.join(tmp, "report"), "--csv", file, codes=(0, 1), made=file)
        with open(file, newline="", encoding="utf-8") as rows:
            return [{name: typed(name, text) for name, text in row.items()} for row in csv.DictReader(rows)]


def instances(dir):
    """The rows of instances.parquet: the best known value and bound of each instance, one row for each instance and reference. They
    need a reader of Parquet."""
    return parquet(dir, "instances")


def parquet(dir, name):
    """The rows of a file of the report, read by the first available one of DuckDB, polars, pandas with pyarrow and DuckDB for Node.js."""
    file = os.path.join(dir, "report", name + ".parquet")
    if not os.path.exists(file):
        raise FileNotFoundError("%s: there is none; schedgap report %s makes it" % (file, dir))
    try:
        import duckdb

        answer = duckdb.connect().execute("select * from read_parquet(?)", [file])
        names = [column[0] for column in answer.description]
        return [dict(zip(names, row)) for row in answer.fetchall()]
    except ImportError:
        pass
    try:
        import polars

        return polars.read_parquet(file).to_dicts()
    except ImportError:
        pass
    try:
        import pyarrow.parquet  # which pandas reads with

        return pyarrow.parquet.read_table(file).to_pylist()
    except ImportError:
        pass
    import subprocess

    notebooks = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "notebooks")
    # npm writes this file last; before, the library may be half there, and mapping it ends node with SIGBUS.
    if not os.path.exists(os.path.join(notebooks, "node_modules", ".package-lock.json")):
        raise ImportError("%s: reading it needs one of the packages duckdb, polars and pyarrow; ratios, gap and profile need none" % file)
    query = "select * from read_parquet('%s')" % os.path.abspath(file).replace("'", "''")
    command = ["node", os.path.join(notebooks, "duckdb.mjs")]
    return json.loads(subprocess.run(command, input=query, capture_output=True, text=True, check=True).stdout)["rows"]


TEXTS = (
    "unit_id problem instance instance_sha256 suite source metric family algorithm params solver model kind status class reference"
    " comparison excluded"
).split()


def typed(name, text):
    if text == "":
        return None if name != "family" else ""
    if name in TEXTS:
        return text
    if text in ("true", "false"):
        return text == "true"
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


def label(rows):
    """The algorithm's name of each unit: by several solvers, models or limits on one instance it is several algorithms."""
    seen, several = {}, {}
    for r in rows:
        at = seen.setdefault((r["problem"], r["algorithm"], r["params"], r["instance_sha256"], r["seed"]), (set(), set()))
        at[0].add(method(r))
        at[1].add((r["time_limit_seconds"], r.get("cpu_limit_seconds")))
    for (problem, algorithm, *_), (methods, limits) in seen.items():
        had = several.get((problem, algorithm), (False, False))
        several[problem, algorithm] = had[0] or len(methods) > 1, had[1] or len(limits) > 1
    names = {}
    for r in rows:
        methods, limits = several[r["problem"], r["algorithm"]]
        told = [method(r)] if methods and method(r) else []
        if limits and r["time_limit_seconds"] is not None:
            told.append("%gs" % r["time_limit_seconds"])
        if limits and r.get("cpu_limit_seconds") is not None:
            told.append("CPU %gs" % r["cpu_limit_seconds"])
        names[r["unit_id"]] = r["algorithm"] + (" (" + ", ".join(told) + ")" if told else "")
    return names


def method(r):
    return ((r["model"] or "") + "/" + (r["solver"] or "")).strip("/")


def geometric(xs):
    return math.exp(sum(map(math.log, xs)) / len(xs)) if all(x > 0 for x in xs) else math.nan


def arithmetic(xs):
    return sum(xs) / len(xs)


def comparable(rows):
    """One dict an instance, reference and algorithm, from rows of ratios: lo and hi are the ends of the ratio or, where regret is
    true, of the regret, the arithmetic mean over the seeds. They are infinite if a seed has no solution (lost). Instances whose optimum is not
    known are left out, and so are bounds and values that leave out a constraint."""
    return [cell for cell in applied(rows) if cell["hi"] is not None]


def applied(rows):
    """As comparable, with every instance that an algorithm was run on and did not decline; lo and hi are None if the optimum is not known."""
    names, groups = label(rows), {}
    for r in rows:
        if r["kind"] != "bound" and r["status"] != "skipped" and not (r["excluded"] or "").startswith(("waives ", "augmentation ")):
            key = r["problem"], r["reference"], names[r["unit_id"]], r["params"], r["instance_sha256"]
            groups.setdefault(key, []).append(r)
    cells = []
    for (problem, reference, algorithm, params, sha256), units in groups.items():
        regret = units[0]["comparison"] != "quotient"
        what = "regret" if regret else "ratio"
        lost = any(not u["solved"] and u["difference_lo"] == math.inf for u in units)
        los, his = ([u[what + end] for u in units if u[what + end] is not None] for end in ("_lo", "_hi"))
        known = lost or los and len(his) >= len(los) and not any(u["undefined"] for u in units)
        ends = [math.inf if lost else arithmetic(xs) if known else None for xs in (los, his)]
        cells.append({
            **{k: v for k, v in units[0].items() if k.startswith(("feature_", "factor_"))}, "problem": problem, "reference": reference,
            "algorithm": algorithm, "params": params, "kind": units[0]["kind"], "instance": units[0]["instance"],
            "instance_sha256": sha256, "family": units[0]["family"], "source": units[0]["source"], "metric": units[0]["metric"],
            "regret": regret, "lost": lost, "lo": ends[0], "hi": ends[1],
        })
    return cells


def grouped(dir, by):
    """The cells of each algorithm against each reference, and of each value of by, a column of comparable or several."""
    keys = ["problem", "reference", "regret", *([by] if isinstance(by, str) else by), "algorithm", "params"]
    groups = {}
    for cell in applied(ratios(dir)):
        groups.setdefault(tuple(cell[k] for k in keys), []).append(cell)
    return [(dict(zip(keys, group)), cells) for group, cells in groups.items()]


def gap(dir, by=()):
    """The report's means, one dict an algorithm and reference, by mean: geometric ones of ratios, arithmetic ones of regrets,
    between the ends lo and hi, over the instances whose optimum is known: compared of the instances that it was run on, and unsolved
    ones as infinite. by is a column such as "family" or "factor_load", or several."""
    out = []
    for row, cells in grouped(dir, by):
        mean = arithmetic if row["regret"] else geometric
        known = [c for c in cells if c["hi"] is not None]
        unsolved = sum(c["lost"] for c in cells)
        row.update(instances=len(cells), compared=len(known) - unsolved, unsolved=unsolved)
        row.update((end, mean([c[end] for c in known]) if known else None) for end in ("lo", "hi"))
        out.append(row)
    return sorted(out, key=lambda r: (r["problem"], r["reference"], r["regret"], math.inf if r["hi"] is None else r["hi"], r["algorithm"], r["params"]))


def profile(dir, by=(), end="hi"):
    """The performance profile: for each algorithm and reference the points (x, share of its instances whose ratio or regret is at most
    x), rising. Lost and unknown values count as instances that never reach any x."""
    out = []
    for row, cells in grouped(dir, by):
        xs = sorted(math.inf if c[end] is None else c[end] for c in cells)
        row["points"] = [(x, (i + 1) / len(xs)) for i, x in enumerate(xs) if x < math.inf]
        out.append(row)
    return sorted(out, key=lambda r: (r["problem"], r["reference"], r["regret"], r["algorithm"], r["params"]))
