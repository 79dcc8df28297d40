-- Recipes for folders with a report by schedgap report: cd results/quick && duckdb < recipes-ratios.sql
-- A row is a unit against one reference, each unit once however often it was run. Whoever counts rows or takes means says
-- which reference is meant: here every answer is by reference.

-- name: view of ratios
-- What may be compared: without bounds and without values that leave out a constraint or use faster machines, which all_ratios has.
-- A report elsewhere (report -o DIR) is named first: duckdb -cmd "set variable report = 'DIR'" < recipes-ratios.sql
create view all_ratios as select * from read_parquet(coalesce(getvariable('report'), 'report') || '/ratios.parquet');
create view ratios as select * from all_ratios where excluded is null and kind <> 'bound';

-- name: view of instances
-- An instance against one reference: source, generator and parameters, features, best value, best bound, proven.
create view instances as select * from read_parquet(coalesce(getvariable('report'), 'report') || '/instances.parquet');

-- name: view of comparable ratios
-- What is compared by ratio and was solved (the report counts what was not as infinite). Where comparison is not 'quotient', regret_lo and regret_hi take the ratios' place. One row an instance,
-- with the mean over the seeds, and with the instance's features.
create view comparable as
select problem, reference, algorithm, instance, instance_sha256, n_jobs, exp(avg(ln(ratio_lo))) as lo, exp(avg(ln(ratio_hi))) as hi,
  any_value(columns('feature_.*')::varchar)
from ratios
where comparison = 'quotient'
group by problem, reference, algorithm, instance, instance_sha256, n_jobs
having bool_and(not undefined) and count(ratio_lo) > 0 and count(ratio_hi) >= count(ratio_lo);

-- name: view of features
-- The numbers among the features, one a row; load and slack are some.
create view features as
select problem, reference, algorithm, instance_sha256, hi, replace(name, 'feature_', '') as feature, try_cast(value as double) as x
from (unpivot comparable on columns('feature_.*') into name name value value)
where x is not null;

-- name: geometric mean ratio
-- The mean ratio to the optimum, low and high end, over the instances on which both are known.
select problem, reference, algorithm, count(*) as instances, exp(avg(ln(lo))) as ratio_lo, exp(avg(ln(hi))) as ratio_hi, max(hi) as worst
from comparable group by all order by all;

-- name: ratio by load
-- Ratios over a feature in four classes of equally many instances. Without the last condition: by every feature; the generated
-- instances of flex have slack in place of load.
select problem, reference, algorithm, feature, quarter, min(x) as at_least, max(x) as at_most, count(*) as instances, exp(avg(ln(hi))) as ratio_hi
from (select *, ntile(4) over (partition by problem, reference, algorithm, feature order by x, instance_sha256) as quarter from features)
where feature in ('load', 'slack', 'jobs_per_machine')
group by all order by all;

-- name: features that predict bad ratios
-- Spearman's rank correlation of each feature with the ratio: near 1 or -1 tells, near 0 does not.
select problem, reference, algorithm, feature, count(*) as instances, round(corr(rank_x, rank_hi), 3) as correlation
from (
  select *, rank() over (partition by problem, reference, algorithm, feature order by x) as rank_x,
    rank() over (partition by problem, reference, algorithm, feature order by hi) as rank_hi
  from features
)
group by all having count(distinct rank_x) > 1 and count(distinct rank_hi) > 1
order by problem, reference, algorithm, abs(correlation) desc;

-- name: time to proof by size
-- Exact methods on their own reference: how many units ended with a proof, and how long those took.
select problem, reference, algorithm, solver, n_jobs, count(*) as units, count(*) filter (status = 'optimal') as proven,
  median(wall_seconds) filter (status = 'optimal') as median_seconds, max(peak_rss_bytes) as peak_bytes
from ratios where kind = 'exact' and reference = class and status <> 'skipped'
group by all order by all;

-- name: solver comparison
-- The same algorithm on the same instances by two solvers: units of both, who proved more, and the ratio of their times in the
-- geometric mean with a shift of a millisecond.
with unit as (
  select * from ratios where kind = 'exact' and reference = class and solver is not null and status <> 'skipped'
)
select a.problem, a.reference, a.algorithm, a.solver, b.solver as other, count(*) as units,
  count(*) filter (a.status = 'optimal') as proven, count(*) filter (b.status = 'optimal') as proven_by_other,
  exp(avg(ln((a.wall_seconds + 1e-3) / (b.wall_seconds + 1e-3)))) as time_ratio
from unit as a join unit as b using (problem, reference, algorithm, instance_sha256, seed)
where a.solver < b.solver
group by all order by all;

-- name: worst instances
-- Where each heuristic is furthest from the optimum, with what it takes to run it again.
select problem, reference, algorithm, instance, instance_sha256, seed, ratio_lo, ratio_hi, exact
from ratios
where comparison = 'quotient' and ratio_hi is not null and kind in ('heuristic', 'external')
qualify row_number() over (partition by problem, algorithm, reference order by ratio_hi desc, instance) = 1
order by problem, reference, algorithm;

-- name: open instances
-- How many optima are open, by where instances come from, and how far value and bound are apart at most.
select problem, reference, source, count(*) as instances, count(*) filter (not proven) as open, max(gap) as largest_gap
from instances group by all order by all;
