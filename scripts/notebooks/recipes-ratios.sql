-- Recipes for folders with a report by schedgap report: cd results/quick && duckdb < recipes-ratios.sql
-- A row is a unit against one reference, each unit once however often it was run. Whoever counts rows or takes means says
-- which reference is meant: here every answer is by reference.

-- name: view of ratios
-- What may be compared: without bounds and without values that leave out a constraint or use faster machines, which all_ratios has.
-- A unit without a solution is among them, infinitely far. A report elsewhere (report -o DIR) is named first:
-- duckdb -cmd "set variable report = 'DIR'" < recipes-ratios.sql
create view all_ratios as select * from read_parquet(coalesce(getvariable('report'), 'report') || '/ratios.parquet');
create view ratios as select * from all_ratios where kind <> 'bound' and (excluded is null or excluded like 'no solution: %');

-- name: view of instances
-- An instance against one reference: source, generator and parameters, features, best value, best bound, proven.
create view instances as select * from read_parquet(coalesce(getvariable('report'), 'report') || '/instances.parquet');

-- name: view of prices
-- What a restriction costs on an instance: the optimum of the restricted class over that of a wider one, or their difference over the
-- scale where comparison is not 'quotient'. Between lo and hi if an optimum is open.
create view prices as
select *, if(comparison = 'quotient', price_lo, regret_lo) as lo, if(comparison = 'quotient', price_hi, regret_hi) as hi
from read_parquet(coalesce(getvariable('report'), 'report') || '/prices.parquet');

-- name: view of labels
-- An algorithm by several solvers, models or limits is several algorithms, as in the report; so it is with several parameters.
create view labels as
with method as (
  select problem, algorithm, params, instance_sha256, seed, unit_id, trim(coalesce(model, '') || '/' || coalesce(solver, ''), '/') as how,
    time_limit_seconds as seconds from all_ratios
), alike as (
  select problem, algorithm, count(distinct how) > 1 as hows, count(distinct coalesce(seconds, -1)) > 1 as limits
  from method group by problem, algorithm, params, instance_sha256, seed
), varies as (select problem, algorithm, bool_or(hows) as hows, bool_or(limits) as limits from alike group by all)
select distinct unit_id, algorithm || if(told = '', '', ' (' || told || ')') as label
from (select *, concat_ws(', ', if(hows and how <> '', how, null), if(limits, seconds || 's', null)) as told
  from method join varies using (problem, algorithm));

-- name: view of comparable
-- One row an instance that the algorithm was run on and did not decline. The ends lo and hi are of the ratio or, where comparison is not
-- 'quotient', of the regret: the arithmetic mean over the seeds, infinite where a seed has no solution, null where the
-- reference is not known. worst_lo and worst_hi are of the worst seed; ratio_lo and ratio_hi are ratios beside regrets.
-- is_optimal: all seeds have the proven optimum, to 1e-6; null if the algorithm makes no solutions of the reference. The instance's
-- features and factors follow.
create view comparable as
with unit as (
  select all_ratios.* replace (label as algorithm), comparison <> 'quotient' as regret, not solved and coalesce(isinf(difference_lo), false) as lost,
    null::varchar as feature_, null::varchar as factor_
  from all_ratios join labels using (unit_id)
  where kind <> 'bound' and status <> 'skipped' and not coalesce(excluded like 'waives %' or excluded like 'augmentation %', false)
), instance as (
  select problem, reference, kind, algorithm, params, regret, family, instance_sha256, any_value(instance) as instance, any_value(n_jobs) as n_jobs,
    bool_or(lost) as lost, bool_and(optimal) as is_optimal, if(regret, avg(regret_lo), avg(ratio_lo)) as lo_,
    if(regret, avg(regret_hi), avg(ratio_hi)) as hi_, max(if(regret, regret_lo, ratio_lo)) as worst_lo_,
    max(if(regret, regret_hi, ratio_hi)) as worst_hi_,
    not bool_or(undefined) and count(difference_hi) >= count(difference_lo) and (regret or count(ratio_hi) >= count(ratio_lo)) as ends,
    if(any_value(comparison) <> 'difference', avg(ratio_lo), null) as ratio_lo_,
    if(any_value(comparison) <> 'difference', avg(ratio_hi), null) as ratio_hi_,
    any_value(columns('(feature|factor)_.*')::varchar)
  from unit group by problem, reference, kind, algorithm, params, regret, family, instance_sha256
)
select * exclude (lo_, hi_, worst_lo_, worst_hi_, ratio_lo_, ratio_hi_, ends), lost or ends and lo_ is not null and hi_ is not null as known,
  if(lost, 'inf', if(known, lo_, null)) as lo, if(lost, 'inf', if(known, hi_, null)) as hi,
  if(lost, 'inf', if(known, worst_lo_, null)) as worst_lo, if(lost, 'inf', if(known, worst_hi_, null)) as worst_hi,
  if(lost, 'inf', if(known, ratio_lo_, null)) as ratio_lo, if(lost, 'inf', if(known, ratio_hi_, null)) as ratio_hi
from instance;

-- name: view of features
-- The numbers among the features, one a row; load and slack are some.
create view features as
select problem, reference, algorithm, params, instance_sha256, hi, replace(name, 'feature_', '') as feature, try_cast(value as double) as x
from (unpivot (select * from comparable where not regret) on columns('feature_.*') into name name value value)
where x is not null and known;

-- name: geometric mean ratio
-- The mean ratio to the optimum, low and high end, over the instances whose optimum has both ends. One without a solution is
-- infinite, and so is the mean; `unsolved` counts those. `instances` are all that the algorithm was run on and did not decline, here and
-- in the recipes that follow, and `compared` those with a solution whose optimum has both ends. The low end of the worst case is the
-- largest low end of any instance.
select problem, reference, algorithm, params, count(*) as instances, count(*) filter (known and not lost) as compared, count(*) filter (lost) as unsolved, exp(avg(ln(lo))) as ratio_lo,
  exp(avg(ln(hi))) as ratio_hi, avg(lo) as arithmetic_lo, avg(hi) as arithmetic_hi, max(worst_lo) as worst_lo, max(worst_hi) as worst_hi
from comparable where not regret group by all order by problem, reference, ratio_hi, algorithm, params;

-- name: regret
-- Where ratios say little, as an optimum may be 0 or negative: the mean difference to the optimum over the instance's scale.
-- ratio_lo and ratio_hi are geometric means of the ratios beside it, null where one is not defined.
select problem, reference, algorithm, params, count(*) as instances, count(*) filter (known and not lost) as compared, count(*) filter (lost) as unsolved, avg(lo) as regret_lo,
  avg(hi) as regret_hi, if(count(ratio_lo) = count(lo), exp(avg(ln(ratio_lo))), null) as ratio_lo,
  if(count(ratio_hi) = count(hi), exp(avg(ln(ratio_hi))), null) as ratio_hi, max(worst_lo) as worst_lo, max(worst_hi) as worst_hi
from comparable where regret group by all order by problem, reference, regret_hi, algorithm, params;

-- name: optimal
-- On how many instances all seeds have the proven optimum, to 1e-6, of those that the algorithm was run on and did not decline. Null: it makes
-- no solutions of the reference, so that a value as good as the optimum is no optimum.
select problem, reference, regret, algorithm, params, count(*) filter (is_optimal) + if(count(is_optimal) = 0, null, 0) as optimal,
  count(*) as instances
from comparable group by problem, reference, regret, algorithm, params order by problem, reference, regret, optimal desc, algorithm, params;

-- name: by family
-- Both means for each family: metric, source and the factors that vary. With regret the mean is arithmetic, else geometric.
select problem, reference, regret, family, algorithm, params, count(*) as instances, count(*) filter (known and not lost) as compared, count(*) filter (lost) as unsolved,
  if(regret, avg(lo), exp(avg(ln(if(regret, 1, lo))))) as mean_lo, if(regret, avg(hi), exp(avg(ln(if(regret, 1, hi))))) as mean_hi
from comparable group by problem, reference, regret, family, algorithm, params
order by problem, reference, regret, family, mean_hi, algorithm, params;

-- name: by factor
-- The same means for each value of each factor, whatever the others.
select problem, reference, regret, replace(name, 'factor_', '') as factor, value, algorithm, params, count(*) as instances,
  count(*) filter (known and not lost) as compared, count(*) filter (lost) as unsolved, if(regret, avg(lo), exp(avg(ln(if(regret, 1, lo))))) as mean_lo,
  if(regret, avg(hi), exp(avg(ln(if(regret, 1, hi))))) as mean_hi
from (unpivot comparable on columns('factor_.*') into name name value value)
group by problem, reference, regret, name, value, algorithm, params order by problem, reference, regret, factor, value, mean_hi, algorithm, params;

-- name: ratio by load
-- Ratios over a feature in four classes of equally many instances. Without the last condition: by every feature; the generated
-- instances of flex have slack in place of load.
select problem, reference, algorithm, params, feature, quarter, min(x) as at_least, max(x) as at_most, count(*) as instances, exp(avg(ln(hi))) as ratio_hi
from (select *, ntile(4) over (partition by problem, reference, algorithm, params, feature order by x, instance_sha256) as quarter from features)
where feature in ('load', 'slack', 'jobs_per_machine')
group by all order by all;

-- name: features that predict bad ratios
-- Spearman's rank correlation of each feature with the ratio: near 1 or -1 tells, near 0 does not.
select problem, reference, algorithm, params, feature, count(*) as instances, round(corr(rank_x, rank_hi), 3) as correlation
from (
  select *, rank() over (partition by problem, reference, algorithm, params, feature order by x) as rank_x,
    rank() over (partition by problem, reference, algorithm, params, feature order by hi) as rank_hi
  from features
)
group by all having count(distinct rank_x) > 1 and count(distinct rank_hi) > 1
order by problem, reference, algorithm, params, abs(correlation) desc;

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
-- Where each heuristic is furthest from the optimum, or has no solution, with the values needed to run it again.
select problem, reference, algorithm, instance, instance_sha256, seed, status, ratio_lo, ratio_hi, exact
from ratios
where comparison = 'quotient' and ratio_hi is not null and kind in ('heuristic', 'external')
qualify row_number() over (partition by problem, algorithm, params, reference order by ratio_hi desc, instance, instance_sha256, seed) = 1
order by problem, reference, algorithm;

-- name: open instances
-- How many optima are open, by where instances come from, and how far value and bound are apart at most.
select problem, reference, source, count(*) as instances, count(*) filter (not proven) as open, max(gap) as largest_gap
from instances group by all order by all;

-- name: what restrictions cost
-- By family: the mean price, geometric for quotients and arithmetic for differences; the worst; on how many instances the restriction is
-- known to cost nothing, of those where both ends are known.
select problem, restricted, reference, family, comparison, count(*) as instances,
  coalesce(exp(avg(ln(if(comparison = 'quotient', lo, null)))), avg(lo)) as mean_lo,
  coalesce(exp(avg(ln(if(comparison = 'quotient', hi, null)))), avg(hi)) as mean_hi,
  max(lo) as worst_lo, max(hi) as worst_hi, arg_max(instance, hi) as worst, count(*) filter (free) as costs_nothing
from prices where lo is not null and hi is not null
group by all order by all;
