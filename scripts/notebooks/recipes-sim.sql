-- Recipes for the folders of schedgap simulate: cd results/sim && duckdb < recipes-sim.sql

-- name: simulated policies
-- Means over repetitions; every repetition is one workload under one seed, the same for all policies.
select problem, workload, policy, metric, unit, count(*) as repetitions, avg(value) as mean, stddev_samp(value) as sd
from 'sim/*.parquet' where scope = 'run' group by all order by all;
