-- Ready queries for SQLite, about a file that btexport wrote:
--     btexport -o all.sqlite NAME... && sqlite3 all.sqlite
-- btexport --query=latency NAME... asks one without a file.
--
-- An I/O is a row of kind io or pass: parts are in their parent I/O, and nobody
-- queued the kernel's own flush requests.  Of traces of one device that overlap
-- ios_once and latency_once have the time of each once (sqlite-views.sql).
--
-- A percentile is the ceil(p * n)-th smallest.  Times are in ns, at_unix_ns
-- since 1970 (of a trace without a time of day: since its start), shares in parts
-- per million (_ppm), mean depth in thousandths (_milli).
-- name: latency
-- how long ios took, queued to completed: percentiles by disk and op
WITH ranked AS (
    SELECT host, disk, op, total_ns AS v,
           row_number() OVER (PARTITION BY host, disk, op ORDER BY total_ns) AS k,
           count(*) OVER (PARTITION BY host, disk, op) AS n
    FROM ios_once WHERE total_ns IS NOT NULL AND kind IN ('io', 'pass'))
SELECT host, disk, op, n AS ios,
       max(v) FILTER (WHERE k = (n * 50 + 99) / 100) AS p50_ns,
       max(v) FILTER (WHERE k = (n * 90 + 99) / 100) AS p90_ns,
       max(v) FILTER (WHERE k = (n * 99 + 99) / 100) AS p99_ns,
       max(v) FILTER (WHERE k = (n * 999 + 999) / 1000) AS p999_ns,
       max(v) AS max_ns
FROM ranked GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
-- name: phases
-- where that time went: sums of the phases, by disk and op
SELECT host, disk, op, sum(total_ns) AS sum_total_ns,
       sum(coalesce(q2g_ns, 0)) AS sum_q2g_ns,
       sum(coalesce(g2i_ns, 0)) AS sum_g2i_ns,
       sum(coalesce(i2d_ns, 0)) AS sum_i2d_ns,
       sum(coalesce(d2c_ns, 0)) AS sum_d2c_ns,
       sum(coalesce(lower_ns, 0)) AS sum_lower_ns
FROM ios_once WHERE total_ns IS NOT NULL AND kind IN ('io', 'pass')
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
-- name: processes
-- ios, bytes and latency by process and op
WITH ranked AS (
    SELECT host, process, op, bytes, total_ns AS v,
           row_number() OVER (PARTITION BY host, process, op ORDER BY total_ns) AS k,
           count(*) OVER (PARTITION BY host, process, op) AS n
    FROM ios_once WHERE total_ns IS NOT NULL AND kind IN ('io', 'pass'))
SELECT host, process, op, n AS ios, sum(bytes) AS sum_bytes,
       max(v) FILTER (WHERE k = (n * 50 + 99) / 100) AS p50_ns,
       max(v) FILTER (WHERE k = (n * 99 + 99) / 100) AS p99_ns
FROM ranked GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
-- name: cgroups
-- ios, bytes and latency by control group and op
WITH ranked AS (
    SELECT host, cgroup, op, bytes, total_ns AS v,
           row_number() OVER (PARTITION BY host, cgroup, op ORDER BY total_ns) AS k,
           count(*) OVER (PARTITION BY host, cgroup, op) AS n
    FROM ios_once WHERE total_ns IS NOT NULL AND cgroup IS NOT NULL
      AND kind IN ('io', 'pass'))
SELECT host, cgroup, op, n AS ios, sum(bytes) AS sum_bytes,
       max(v) FILTER (WHERE k = (n * 99 + 99) / 100) AS p99_ns
FROM ranked GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
-- name: throughput
-- ios and bytes completed in each second, by disk and op
SELECT host, disk,
       (coalesce(unix_ns, time_ns) + total_ns) / 1000000000 * 1000000000 AS at_unix_ns,
       op, count(*) AS ios, sum(bytes) AS sum_bytes
FROM ios_once WHERE total_ns IS NOT NULL AND kind IN ('io', 'pass')
GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4;
-- name: depth
-- requests at once in the device: the most, and the mean while traced
WITH each AS (
    SELECT host, disk, max(depth) AS most, sum(d2c_ns) AS busy,
           max(complete_ns) - min(issue_ns) AS span
    FROM ios_once WHERE id = rq AND d2c_ns IS NOT NULL AND complete_ns IS NOT NULL
    GROUP BY trace, host, disk)
SELECT host, disk, max(most) AS most,
       1000 * sum(busy) / max(sum(span), 1) AS mean_milli
FROM each GROUP BY 1, 2 ORDER BY 1, 2;
-- name: slowest
-- the ten ios that took longest
SELECT host, disk, op, process, sector, bytes, total_ns, time_ns, trace
FROM ios_once WHERE total_ns IS NOT NULL AND kind IN ('io', 'pass')
ORDER BY total_ns DESC, host, trace, id LIMIT 10;
-- name: seeks
-- how far each request begins from the end of the one issued before
WITH ranked AS (
    SELECT host, disk, op, seek_sectors AS s,
           row_number() OVER (PARTITION BY host, disk, op ORDER BY abs(seek_sectors)) AS k,
           count(*) OVER (PARTITION BY host, disk, op) AS n
    FROM ios_once WHERE id = rq AND seek_sectors IS NOT NULL)
SELECT host, disk, op, n AS requests, sum(s = 0) AS sequential,
       max(abs(s)) FILTER (WHERE k = (n + 1) / 2) AS median_sectors
FROM ranked GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
-- name: slo
-- the share of ios that took less than 1 ms, and less than 5 ms
SELECT host, disk, op, count(*) AS ios,
       1000000 * sum(total_ns < 1000000) / count(*) AS under_1ms_ppm,
       1000000 * sum(total_ns < 5000000) / count(*) AS under_5ms_ppm
FROM ios_once WHERE total_ns IS NOT NULL AND kind IN ('io', 'pass')
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
-- name: heatmap
-- ios by tenth of a second and latency, 2^power ns and more
SELECT host, (coalesce(unix_ns, time_ns) + total_ns) / 100000000 * 100000000 AS at_unix_ns,
       CAST(log2(max(total_ns, 1)) AS INTEGER) AS power, count(*) AS ios
FROM ios_once WHERE total_ns IS NOT NULL AND kind IN ('io', 'pass')
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
-- name: merged
-- percentiles over all hosts, from the table latency
WITH cells AS (
    SELECT disk, op, high_ns, sum(count) AS c
    FROM latency_once WHERE phase <> 'd2c' GROUP BY 1, 2, 3),
added AS (
    SELECT disk, op, high_ns,
           sum(c) OVER (PARTITION BY disk, op ORDER BY high_ns) AS below,
           sum(c) OVER (PARTITION BY disk, op) AS n
    FROM cells)
SELECT disk, op, max(n) AS ios,
       min(high_ns) FILTER (WHERE below >= (n + 1) / 2) AS p50_ns,
       min(high_ns) FILTER (WHERE below >= (n * 99 + 99) / 100) AS p99_ns
FROM added GROUP BY 1, 2 ORDER BY 1, 2;
-- name: open
-- the twenty oldest I/Os in flight when their trace ended
SELECT host, trace, disk, op, process, sector, bytes, age_ns, time_ns
FROM ios_once WHERE ended = 'open' AND kind IN ('io', 'pass')
ORDER BY age_ns DESC, host, trace, id LIMIT 20;
