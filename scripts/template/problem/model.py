"""An instance -> its MILP: x_i_j_k is 1 if machine i runs job k right after job j (0: first), C_k is when job k is done."""
from common import serve, step


def model(instance):
    jobs, machines = instance["jobs"], range(instance["machines"])
    n = len(jobs)
    pairs = [(i, j, k) for i in machines for j in range(n + 1) for k in range(1, n + 1) if j != k]
    hold = {(i, j, k): step(jobs[k - 1], jobs[j - 1] if j else None, i) for i, j, k in pairs}
    # No good schedule is longer than all jobs on one machine, each with its longest set-up there; the best such machine bounds all.
    horizon = min(sum(max(hold[i, j, k] for j in range(n + 1) if j != k) for k in range(1, n + 1)) for i in machines)
    weighted = instance["metric"] == "weighted"
    horizon = horizon if not weighted else sum(max(hold[i, j, k] for i in machines for j in range(n + 1) if j != k) for k in range(1, n + 1))
    rows = []

    def row(terms, relation, right):
        rows.append(" " + " ".join("%+.17g %s" % term for term in terms) + " %s %.17g" % (relation, right))

    for k in range(1, n + 1):
        into = [(i, j, h) for i, j, h in pairs if h == k]
        row([(1, "x_%d_%d_%d" % p) for p in into], "=", 1)
        row([(1, "C_%d" % k)] + [(-hold[p], "x_%d_%d_%d" % p) for p in into], ">=", 0)
        if not weighted:
            row([(1, "T"), (-1, "C_%d" % k)], ">=", 0)
        for i in machines:  # what follows job k on a machine, at most one, needs it there
            row([(1, "x_%d_%d_%d" % (i, k, h)) for h in range(1, n + 1) if h != k]
                + [(-1, "x_%d_%d_%d" % p) for p in into if p[0] == i], "<=", 0)
    for i in machines:
        row([(1, "x_%d_0_%d" % (i, k)) for k in range(1, n + 1)], "<=", 1)
        if not weighted:
            row([(1, "T")] + [(-hold[p], "x_%d_%d_%d" % p) for p in pairs if p[0] == i], ">=", 0)
    for j in range(1, n + 1):
        for k in range(1, n + 1):
            if j != k:
                row([(1, "C_%d" % k), (-1, "C_%d" % j)] + [(-hold[i, j, k] - horizon, "x_%d_%d_%d" % (i, j, k)) for i in machines], ">=", -horizon)
    goal = " + ".join("%.17g C_%d" % (job["weight"], k + 1) for k, job in enumerate(jobs)) if weighted else "T"
    return "\n".join(["Minimize", " obj: " + goal, "Subject To", *rows, "Binary", *(" x_%d_%d_%d" % p for p in pairs), "End"])


serve(model)
