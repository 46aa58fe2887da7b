-- Ready queries for DuckDB, in a folder that btexport wrote:
--     btexport -o DIR/ --format=parquet NAME...
--     btexport --table=latency -o DIR/all.latency.tsv NAME...
--     cd DIR && duckdb
-- Folders' host= and date= let it skip files.
--
-- An I/O is a row of kind io or pass: parts are in their parent I/O, and nobody
-- queued the kernel's own flush requests.
--
-- A percentile is the ceil(p * n)-th smallest.  Times are in ns, shares in
-- parts per million (_ppm), mean depth in thousandths (_milli).
CREATE VIEW ios AS FROM read_parquet('ios/*/*/*.parquet', hive_partitioning = true);
CREATE TABLE latency AS FROM read_csv('*.latency.tsv', delim = '\t', header = true);
-- name: latency
-- how long ios took, queued to completed: percentiles by disk and op
SELECT host, disk, op, count(*) AS ios,
       quantile_disc(total_ns, 0.5) AS p50_ns,
       quantile_disc(total_ns, 0.9) AS p90_ns,
       quantile_disc(total_ns, 0.99) AS p99_ns,
       quantile_disc(total_ns, 0.999) AS p999_ns,
       max(total_ns) AS max_ns
FROM ios WHERE total_ns IS NOT NULL AND kind IN ('io', 'pass')
GROUP BY ALL ORDER BY ALL;
-- name: phases
-- where that time went: sums of the phases, by disk and op
SELECT host, disk, op, sum(total_ns)::BIGINT AS sum_total_ns,
       sum(coalesce(q2g_ns, 0))::BIGINT AS sum_q2g_ns,
       sum(coalesce(g2i_ns, 0))::BIGINT AS sum_g2i_ns,
       sum(coalesce(i2d_ns, 0))::BIGINT AS sum_i2d_ns,
       sum(coalesce(d2c_ns, 0))::BIGINT AS sum_d2c_ns,
       sum(coalesce(lower_ns, 0))::BIGINT AS sum_lower_ns
FROM ios WHERE total_ns IS NOT NULL AND kind IN ('io', 'pass')
GROUP BY ALL ORDER BY ALL;
-- name: processes
-- ios, bytes and latency by process and op
SELECT host, process, op, count(*) AS ios, sum(bytes)::BIGINT AS sum_bytes,
       quantile_disc(total_ns, 0.5) AS p50_ns,
       quantile_disc(total_ns, 0.99) AS p99_ns
FROM ios WHERE total_ns IS NOT NULL AND kind IN ('io', 'pass')
GROUP BY ALL ORDER BY ALL;
-- name: cgroups
-- ios, bytes and latency by control group and op
SELECT host, cgroup, op, count(*) AS ios, sum(bytes)::BIGINT AS sum_bytes,
       quantile_disc(total_ns, 0.99) AS p99_ns
FROM ios WHERE total_ns IS NOT NULL AND cgroup IS NOT NULL
  AND kind IN ('io', 'pass')
GROUP BY ALL ORDER BY ALL;
-- name: throughput
-- ios and bytes completed in each second of a trace, by disk and op
SELECT host, trace, disk, complete_ns // 1000000000 AS second, op,
       count(*) AS ios, sum(bytes)::BIGINT AS sum_bytes
FROM ios WHERE complete_ns IS NOT NULL AND kind IN ('io', 'pass')
GROUP BY ALL ORDER BY ALL;
-- name: depth
-- requests at once in the device: the most, and the mean in each trace
SELECT host, trace, disk, max(depth) AS most,
       (1000 * sum(d2c_ns) // greatest(max(complete_ns) - min(issue_ns), 1))::BIGINT AS mean_milli
FROM ios WHERE id = rq AND d2c_ns IS NOT NULL AND complete_ns IS NOT NULL
GROUP BY ALL ORDER BY ALL;
-- name: slowest
-- the ten ios that took longest
SELECT host, disk, op, process, sector, bytes, total_ns, time_ns, trace
FROM ios WHERE total_ns IS NOT NULL AND kind IN ('io', 'pass')
ORDER BY total_ns DESC, host, trace, id LIMIT 10;
-- name: seeks
-- how far each request begins from the end of the one issued before
SELECT host, disk, op, count(*) AS requests,
       count(*) FILTER (WHERE seek_sectors = 0) AS sequential,
       quantile_disc(abs(seek_sectors), 0.5) AS median_sectors
FROM ios WHERE id = rq AND seek_sectors IS NOT NULL GROUP BY ALL ORDER BY ALL;
-- name: slo
-- the share of ios that took less than 1 ms, and less than 5 ms
SELECT host, disk, op, count(*) AS ios,
       count(*) FILTER (WHERE total_ns < 1000000) * 1000000 // count(*) AS under_1ms_ppm,
       count(*) FILTER (WHERE total_ns < 5000000) * 1000000 // count(*) AS under_5ms_ppm
FROM ios WHERE total_ns IS NOT NULL AND kind IN ('io', 'pass')
GROUP BY ALL ORDER BY ALL;
-- name: heatmap
-- ios by tenth of a second and latency, 2^power ns and more
SELECT host, trace, complete_ns // 100000000 AS tenth,
       floor(log2(greatest(total_ns, 1)))::INT AS power, count(*) AS ios
FROM ios WHERE complete_ns IS NOT NULL AND total_ns IS NOT NULL
  AND kind IN ('io', 'pass')
GROUP BY ALL ORDER BY ALL;
-- name: merged
-- percentiles over all hosts, from the table latency alone
WITH added AS (
    SELECT disk, op, high_ns,
           sum(sum(count)) OVER (PARTITION BY disk, op ORDER BY high_ns) AS below,
           sum(sum(count)) OVER (PARTITION BY disk, op) AS n
    FROM latency WHERE phase = 'total' GROUP BY disk, op, high_ns)
SELECT disk, op, max(n)::BIGINT AS ios,
       min(high_ns) FILTER (WHERE below >= (n + 1) // 2) AS p50_ns,
       min(high_ns) FILTER (WHERE below >= (n * 99 + 99) // 100) AS p99_ns
FROM added GROUP BY ALL ORDER BY ALL;
-- name: open
-- the twenty oldest I/Os in flight when their trace ended
SELECT host, trace, disk, op, process, sector, bytes, age_ns, time_ns
FROM ios WHERE ended = 'open' AND kind IN ('io', 'pass')
ORDER BY age_ns DESC, host, trace, id LIMIT 20;
