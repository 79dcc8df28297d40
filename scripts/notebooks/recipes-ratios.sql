-- Recipes for folders with a report by schedgap report: cd results/quick && duckdb < recipes-ratios.sql

-- name: view of ratios
create view ratios as select * from 'report/ratios.parquet';

-- name: geometric mean ratio
-- The mean ratio to the optimum, low and high end, over the instances on which both are known. Seeds count once an instance.
-- Values that leave out a constraint or use faster machines are excluded, as they are not comparable.
with instance as (
  select problem, reference, algorithm, instance_sha256, exp(avg(ln(ratio_lo))) as lo, exp(avg(ln(ratio_hi))) as hi
  from ratios
  where excluded is null and comparison <> 'difference' and kind <> 'bound'
  group by all
  having bool_and(not undefined) and count(ratio_lo) > 0 and count(ratio_hi) >= count(ratio_lo)
)
select problem, reference, algorithm, count(*) as instances, exp(avg(ln(lo))) as ratio_lo, exp(avg(ln(hi))) as ratio_hi, max(hi) as worst
from instance group by all order by all;

-- name: worst instances
-- Where each heuristic is furthest from the optimum, with what it takes to run it again.
select problem, reference, algorithm, instance, instance_sha256, seed, ratio_lo, ratio_hi, exact
from ratios
where excluded is null and ratio_hi is not null and kind in ('heuristic', 'external')
qualify row_number() over (partition by problem, algorithm, reference order by ratio_hi desc, instance) = 1
order by problem, reference, algorithm;
