-- Recipes for the folders of schedgap run. Typed in the folder, as in: cd results/quick && duckdb < recipes.sql
-- The view has the rows that count, including rows that plan.json does not ask for (docs/results.md).

-- name: view of runs
-- A unit that was run again has several rows; the file with the highest sequence number counts. runs_of gives the same rows of any
-- folder: from runs_of('../other/runs/*.parquet').
create macro runs_of(files) as table
select * exclude (filename) from read_parquet(files, filename = true, union_by_name = true)
where status <> 'interrupted'
qualify row_number() over (partition by unit_id order by regexp_extract(filename, '-(\d+)\.parquet$', 1)::int desc, filename) = 1;
create view runs as from runs_of('runs/*.parquet');

-- name: outcomes
-- How the units ended: failures are rows, so they can be counted.
select problem, algorithm, status, count(*) as units
from runs group by all order by all;

-- name: penalised times
-- Exact methods: solved with a proof, and the geometric mean of times with shift 1 s in which an unsolved unit costs twice its
-- limit (PAR2).
select problem, algorithm, model, solver, count(*) as units, count(*) filter (status in ('optimal', 'infeasible')) as solved,
  exp(avg(ln(1 + if(status in ('optimal', 'infeasible'), wall_seconds, 2 * time_limit_seconds)))) - 1 as par2_seconds
from runs where kind = 'exact' and status <> 'skipped' group by all order by all;

-- name: performance profile
-- Share of all instances on which an algorithm is within a factor of the best value of any heuristic (Dolan and Moré),
-- minimisation. An unsolved instance is never within it. Values are the same up to 1e-6, as where the report counts optima.
with value as (
  select problem, instance_sha256, algorithm, if(bool_and(coalesce(feasible, false)), avg(objective), 'inf') as v
  from runs where kind in ('heuristic', 'external') and status <> 'skipped' and waived = '' and augmentation = 1 and sense = 'min'
  group by all
), relative as (
  select problem, algorithm, if(v = best and isfinite(v), 1, v / nullif(best, 0)) as r
  from (select *, min(v) over (partition by problem, instance_sha256) as best from value) where best >= 0
), total as (select problem, count(distinct instance_sha256) as n from runs group by problem)
select problem, algorithm, tau, count(*) filter (r <= tau * (1 + 1e-6)) / any_value(n) as share
from relative join total using (problem), (values (1.0), (1.01), (1.1), (1.5), (2.0)) as t(tau)
group by all order by all;

-- name: two runs
-- The same units in two folders, here this one twice; give it another path in place of the second. `schedgap compare` does
-- this with tests, intervals and an exit code. A unit without a solution is infinitely far.
select algorithm, count(*) as units, count(*) filter (value_h > value_b) as worse, count(*) filter (isinf(value_h) and isfinite(value_b)) as lost,
  exp(avg(ln((h.wall_seconds + 1e-3) / (b.wall_seconds + 1e-3)))) as time_change
from runs as b join runs_of('runs/*.parquet') as h using (unit_id, algorithm),
  lateral (select if(b.sense = 'max', -1, 1) as sign),
  lateral (select if(b.feasible, sign * b.objective, 'inf') as value_b, if(h.feasible, sign * h.objective, 'inf') as value_h)
group by all order by all;

-- name: copy for pandas
-- One file of all units for programs that read a single file; schedgap compare reads it, too.
copy (select * from runs order by instance, algorithm) to 'all.parquet' (format parquet, compression zstd);
