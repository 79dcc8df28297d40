-- Recipes for what units knew before their ends. Typed in the folder, as in: cd results/quick && duckdb < recipes-progress.sql

-- name: view of curves
-- The values known over time: the events of the run of the unit's row, and the end, which only the row has.
create view runs as
select * exclude (filename) from read_parquet('runs/*.parquet', filename = true, union_by_name = true)
where status <> 'interrupted'
qualify row_number() over (partition by unit_id order by regexp_extract(filename, '-(\d+)\.parquet$', 1)::int desc, filename) = 1;
create view curves as
select unit_id, wall_seconds, objective, bound from read_parquet('progress/*.parquet') semi join runs using (unit_id, run_id)
union all
select unit_id, wall_seconds, if(feasible, objective, null), bound from runs where status <> 'skipped';

-- name: gap over time
-- As the report's table: the median time to the first value, the mean gap to the best known value over the time until the limit (the primal
-- integral, in seconds), and the gap at the limit. A primal gap is |x − y| / max(|x|, |y|), 1 before there is a value. Without a limit the longest time
-- of the problem stands for it.
with best as (
  select problem, instance_sha256, if(sense = 'min', min(objective), max(objective)) as best
  from runs where feasible and waived = '' and augmentation = 1 group by problem, instance_sha256, sense
), units as (
  select problem, algorithm, unit_id, best, coalesce(time_limit_seconds, max(wall_seconds) over (partition by problem)) as horizon
  from runs join best using (problem, instance_sha256) where kind <> 'bound' and waived = '' and augmentation = 1 and status <> 'skipped'
), steps as (
  select units.*, least(wall_seconds, horizon) as since, if(objective = best, 0,
    least(1, abs(objective - best) / greatest(abs(objective), abs(best)))) as gap
  from units join curves using (unit_id) where objective is not null
), areas as (
  select unit_id, min(since) as first_value, sum((coalesce(till, horizon) - since) * gap) as area, min(gap) as left_over
  from (select *, lead(since) over (partition by unit_id order by since, gap desc) as till from steps) group by unit_id
)
select problem, algorithm, count(*) as units, median(first_value) as median_first_value_seconds,
  avg(coalesce(first_value + area, horizon)) as primal_integral_seconds, avg(coalesce(left_over, 1)) as gap_at_limit
from units left join areas using (unit_id) group by all order by all;
