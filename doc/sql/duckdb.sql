-- Ready queries for DuckDB, in a folder that btexport wrote:
--     btexport -o DIR/ --format=parquet NAME...
--     cd DIR && duckdb
-- Folders' host= and date= let it skip files.
--
-- An I/O is a row of kind io or pass: parts are in their parent I/O, and nobody
-- queued the kernel's own flush requests.  Of traces of one device that overlap
-- ios_once and latency_once have the time of each once: of the one that started
-- later, what is after the end of those before.
--
-- A percentile is the ceil(p * n)-th smallest.  Times are in ns, at_unix_ns
-- since 1970 (of a trace without a time of day: since its start), shares in parts
-- per million (_ppm), mean depth in thousandths (_milli).
CREATE VIEW ios AS FROM read_parquet('ios/*/*/*.parquet', hive_partitioning = true, union_by_name = true);
CREATE VIEW latency AS FROM read_parquet('latency/*/*/*.parquet', hive_partitioning = true, union_by_name = true);
CREATE VIEW segments AS FROM read_parquet('segments/*/*/*.parquet', hive_partitioning = true, union_by_name = true);
-- and meta alike, which --follow does not write
CREATE VIEW ios_overlap AS
WITH covered AS MATERIALIZED (
    SELECT host, dev, trace, min(unix_ns) AS since,
           max(unix_ns + coalesce(total_ns, 0)) AS until
    FROM ios WHERE unix_ns IS NOT NULL GROUP BY ALL)
SELECT a.trace, a.dev, max(b.until) AS kept_from
FROM covered AS a JOIN covered AS b ON b.host = a.host AND b.dev = a.dev
  AND (b.since, b.trace) < (a.since, a.trace)
GROUP BY a.trace, a.dev, a.since HAVING max(b.until) >= a.since;
CREATE VIEW ios_once AS
SELECT i.* FROM ios AS i LEFT JOIN ios_overlap AS o
    ON o.trace = i.trace AND o.dev = i.dev
WHERE o.kept_from IS NULL OR i.unix_ns IS NULL OR i.unix_ns > o.kept_from;
CREATE VIEW latency_overlap AS
WITH covered AS MATERIALIZED (
    SELECT host, dev, trace, min(from_unix_ns) AS since,
           max(to_unix_ns) AS until
    FROM segments WHERE from_unix_ns IS NOT NULL GROUP BY ALL)
SELECT a.trace, a.dev, max(b.until) AS kept_from
FROM covered AS a JOIN covered AS b ON b.host = a.host AND b.dev = a.dev
  AND (b.since, b.trace) < (a.since, a.trace)
GROUP BY a.trace, a.dev, a.since HAVING max(b.until) > a.since;
CREATE VIEW latency_once AS
SELECT l.* FROM latency AS l LEFT JOIN latency_overlap AS o
    ON o.trace = l.trace AND o.dev = l.dev
WHERE o.kept_from IS NULL OR l.minute_unix_ns IS NULL
   OR l.minute_unix_ns >= o.kept_from;
-- name: latency
-- how long ios took, queued to completed: percentiles by disk and op
SELECT host, disk, op, count(*) AS ios,
       quantile_disc(total_ns, 0.5) AS p50_ns,
       quantile_disc(total_ns, 0.9) AS p90_ns,
       quantile_disc(total_ns, 0.99) AS p99_ns,
       quantile_disc(total_ns, 0.999) AS p999_ns,
       max(total_ns) AS max_ns
FROM ios_once WHERE total_ns IS NOT NULL AND kind IN ('io', 'pass')
GROUP BY ALL ORDER BY ALL;
-- name: phases
-- where that time went: sums of the phases, by disk and op
SELECT host, disk, op, sum(total_ns)::BIGINT AS sum_total_ns,
       sum(coalesce(q2g_ns, 0))::BIGINT AS sum_q2g_ns,
       sum(coalesce(g2i_ns, 0))::BIGINT AS sum_g2i_ns,
       sum(coalesce(i2d_ns, 0))::BIGINT AS sum_i2d_ns,
       sum(coalesce(d2c_ns, 0))::BIGINT AS sum_d2c_ns,
       sum(coalesce(lower_ns, 0))::BIGINT AS sum_lower_ns
FROM ios_once WHERE total_ns IS NOT NULL AND kind IN ('io', 'pass')
GROUP BY ALL ORDER BY ALL;
-- name: processes
-- ios, bytes and latency by process and op
SELECT host, process, op, count(*) AS ios, sum(bytes)::BIGINT AS sum_bytes,
       quantile_disc(total_ns, 0.5) AS p50_ns,
       quantile_disc(total_ns, 0.99) AS p99_ns
FROM ios_once WHERE total_ns IS NOT NULL AND kind IN ('io', 'pass')
GROUP BY ALL ORDER BY ALL;
-- name: cgroups
-- ios, bytes and latency by control group and op
SELECT host, cgroup, op, count(*) AS ios, sum(bytes)::BIGINT AS sum_bytes,
       quantile_disc(total_ns, 0.99) AS p99_ns
FROM ios_once WHERE total_ns IS NOT NULL AND cgroup IS NOT NULL
  AND kind IN ('io', 'pass')
GROUP BY ALL ORDER BY ALL;
-- name: throughput
-- ios and bytes completed in each second, by disk and op
SELECT host, disk,
       (coalesce(unix_ns, time_ns) + total_ns) // 1000000000 * 1000000000 AS at_unix_ns,
       op, count(*) AS ios, sum(bytes)::BIGINT AS sum_bytes
FROM ios_once WHERE total_ns IS NOT NULL AND kind IN ('io', 'pass')
GROUP BY ALL ORDER BY ALL;
-- name: depth
-- requests at once in the device: the most, and the mean while traced
WITH each AS (
    SELECT trace, host, disk, max(depth) AS most, sum(d2c_ns) AS busy,
           max(complete_ns) - min(issue_ns) AS span
    FROM ios_once WHERE id = rq AND d2c_ns IS NOT NULL AND complete_ns IS NOT NULL
    GROUP BY ALL)
SELECT host, disk, max(most) AS most,
       (1000 * sum(busy) // greatest(sum(span), 1))::BIGINT AS mean_milli
FROM each GROUP BY ALL ORDER BY ALL;
-- name: slowest
-- the ten ios that took longest
SELECT host, disk, op, process, sector, bytes, total_ns, time_ns, trace
FROM ios_once WHERE total_ns IS NOT NULL AND kind IN ('io', 'pass')
ORDER BY total_ns DESC, host, trace, id LIMIT 10;
-- name: seeks
-- how far each request begins from the end of the one issued before
SELECT host, disk, op, count(*) AS requests,
       count(*) FILTER (WHERE seek_sectors = 0) AS sequential,
       quantile_disc(abs(seek_sectors), 0.5) AS median_sectors
FROM ios_once WHERE id = rq AND seek_sectors IS NOT NULL GROUP BY ALL ORDER BY ALL;
-- name: slo
-- the share of ios that took less than 1 ms, and less than 5 ms
SELECT host, disk, op, count(*) AS ios,
       count(*) FILTER (WHERE total_ns < 1000000) * 1000000 // count(*) AS under_1ms_ppm,
       count(*) FILTER (WHERE total_ns < 5000000) * 1000000 // count(*) AS under_5ms_ppm
FROM ios_once WHERE total_ns IS NOT NULL AND kind IN ('io', 'pass')
GROUP BY ALL ORDER BY ALL;
-- name: heatmap
-- ios by tenth of a second and latency, 2^power ns and more
SELECT host, (coalesce(unix_ns, time_ns) + total_ns) // 100000000 * 100000000 AS at_unix_ns,
       floor(log2(greatest(total_ns, 1)))::INT AS power, count(*) AS ios
FROM ios_once WHERE total_ns IS NOT NULL AND kind IN ('io', 'pass')
GROUP BY ALL ORDER BY ALL;
-- name: merged
-- percentiles over all hosts, from the table latency
WITH added AS (
    SELECT disk, op, high_ns,
           sum(sum(count)) OVER (PARTITION BY disk, op ORDER BY high_ns) AS below,
           sum(sum(count)) OVER (PARTITION BY disk, op) AS n
    FROM latency_once WHERE phase <> 'd2c' GROUP BY disk, op, high_ns)
SELECT disk, op, max(n)::BIGINT AS ios,
       min(high_ns) FILTER (WHERE below >= (n + 1) // 2) AS p50_ns,
       min(high_ns) FILTER (WHERE below >= (n * 99 + 99) // 100) AS p99_ns
FROM added GROUP BY ALL ORDER BY ALL;
-- name: open
-- the twenty oldest I/Os in flight when their trace ended
SELECT host, trace, disk, op, process, sector, bytes, age_ns, time_ns
FROM ios_once WHERE ended = 'open' AND kind IN ('io', 'pass')
ORDER BY age_ns DESC, host, trace, id LIMIT 20;
