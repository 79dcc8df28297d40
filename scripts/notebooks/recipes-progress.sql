-- Recipes for what units knew before their ends. Typed in the folder, as in: cd results/quick && duckdb < recipes-progress.sql

-- name: view of curves
-- What was known from which time on: the events of the run that the unit's row is of, and the end, which only the row has.
create view runs as
select * exclude (filename) from read_parquet('runs/*.parquet', filename = true, union_by_name = true)
qualify row_number() over (partition by unit_id order by regexp_extract(filename, '-(\d+)\.parquet$', 1)::int desc, filename) = 1;
create view curves as
select unit_id, wall_seconds, objective, bound from read_parquet('progress/*.parquet') semi join runs using (unit_id, run_id)
union all
select unit_id, wall_seconds, if(feasible, objective, null), bound from runs where status <> 'skipped';

-- name: what if the limit had been T
-- The value, the bound and the gap that every exact method would have ended with, here after 0.1 s; for another limit change the number. A unit
-- whose own limit was shorter stands as it is. `schedgap report DIR --at-limit 100ms` makes a whole report of it.
with t as (select 0.1 as seconds), known as (
  select unit_id, min(objective) as least, max(objective) as most, max(bound) as above, min(bound) as below
  from curves, t where wall_seconds <= seconds group by unit_id
), ended as (
  select problem, algorithm, solver, if(sense = 'min', least, most) as value, if(sense = 'min', above, below) as b,
    status in ('optimal', 'infeasible') and wall_seconds <= seconds as proven
  from runs cross join t left join known using (unit_id) where kind = 'exact' and status <> 'skipped'
)
select problem, algorithm, solver, count(*) as units, count(value) as with_a_value, count(*) filter (proven) as proven,
  avg(if(proven, 0, coalesce(least(1, abs(value - b) / greatest(1e-9, abs(value))), 1))) as mean_gap
from ended group by all order by all;

-- name: time to a target
-- Seconds until a value was within 1 % of the best known of the instance: the median over the units that got there, and how many did.
with best as (
  select problem, instance_sha256, if(sense = 'min', min(objective), max(objective)) as best
  from runs where feasible and waived = '' and augmentation = 1 group by problem, instance_sha256, sense
), hits as (
  select runs.problem, runs.algorithm, curves.unit_id, curves.wall_seconds as seconds
  from runs join best using (problem, instance_sha256) join curves using (unit_id)
  where runs.waived = '' and abs(curves.objective - best) <= 0.01 * abs(best)
), hit as (select problem, algorithm, unit_id, min(seconds) as seconds from hits group by all)
select problem, algorithm, count(*) as units, count(seconds) as hits, median(seconds) as median_seconds
from runs left join hit using (problem, algorithm, unit_id)
where kind <> 'bound' and waived = '' and status <> 'skipped' group by all order by all;
