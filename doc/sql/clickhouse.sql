-- Ready queries for ClickHouse, asked on the node that has ios_all and
-- latency_all (clickhouse-tables.sql).  On a single node write ios and latency
-- instead.  Tried with 18.16 and later ones.
--
-- An I/O is a row of kind io or pass: parts are in their parent I/O, and nobody
-- queued the kernel's own flush requests.
--
-- A percentile is the ceil(p * n)-th smallest: quantileExactWeighted with a
-- weight of 1, as quantileExact takes the next one whenever p * n is whole.
-- Times are in ns, shares in parts per million (_ppm), mean depth in
-- thousandths (_milli).
-- name: latency
-- how long ios took, queued to completed: percentiles by disk and op
SELECT host, disk, op, count() AS ios,
       quantileExactWeighted(0.5)(total_ns, 1) AS p50_ns,
       quantileExactWeighted(0.9)(total_ns, 1) AS p90_ns,
       quantileExactWeighted(0.99)(total_ns, 1) AS p99_ns,
       quantileExactWeighted(0.999)(total_ns, 1) AS p999_ns,
       max(total_ns) AS max_ns
FROM ios_all WHERE isNotNull(total_ns) AND kind IN ('io', 'pass')
GROUP BY host, disk, op ORDER BY host, disk, op;
-- name: phases
-- where that time went: sums of the phases, by disk and op
SELECT host, disk, op, sum(total_ns) AS sum_total_ns,
       sum(ifNull(q2g_ns, 0)) AS sum_q2g_ns,
       sum(ifNull(g2i_ns, 0)) AS sum_g2i_ns,
       sum(ifNull(i2d_ns, 0)) AS sum_i2d_ns,
       sum(ifNull(d2c_ns, 0)) AS sum_d2c_ns,
       sum(ifNull(lower_ns, 0)) AS sum_lower_ns
FROM ios_all WHERE isNotNull(total_ns) AND kind IN ('io', 'pass')
GROUP BY host, disk, op ORDER BY host, disk, op;
-- name: processes
-- ios, bytes and latency by process and op
SELECT host, process, op, count() AS ios, sum(bytes) AS sum_bytes,
       quantileExactWeighted(0.5)(total_ns, 1) AS p50_ns,
       quantileExactWeighted(0.99)(total_ns, 1) AS p99_ns
FROM ios_all WHERE isNotNull(total_ns) AND kind IN ('io', 'pass')
GROUP BY host, process, op ORDER BY host, process, op;
-- name: cgroups
-- ios, bytes and latency by control group and op
SELECT host, cgroup, op, count() AS ios, sum(bytes) AS sum_bytes,
       quantileExactWeighted(0.99)(total_ns, 1) AS p99_ns
FROM ios_all WHERE isNotNull(total_ns) AND isNotNull(cgroup)
  AND kind IN ('io', 'pass')
GROUP BY host, cgroup, op ORDER BY host, cgroup, op;
-- name: throughput
-- ios and bytes completed in each second of a trace, by disk and op
SELECT host, trace, disk, intDiv(complete_ns, 1000000000) AS second, op,
       count() AS ios, sum(bytes) AS sum_bytes
FROM ios_all WHERE isNotNull(complete_ns) AND kind IN ('io', 'pass')
GROUP BY host, trace, disk, second, op ORDER BY host, trace, disk, second, op;
-- name: depth
-- requests at once in the device: the most, and the mean in each trace
SELECT host, trace, disk, max(depth) AS most,
       intDiv(1000 * sum(d2c_ns), greatest(max(complete_ns) - min(issue_ns), 1)) AS mean_milli
FROM ios_all WHERE id = rq AND isNotNull(d2c_ns) AND isNotNull(complete_ns)
GROUP BY host, trace, disk ORDER BY host, trace, disk;
-- name: slowest
-- the ten ios that took longest
SELECT host, disk, op, process, sector, bytes, total_ns, time_ns, trace
FROM ios_all WHERE isNotNull(total_ns) AND kind IN ('io', 'pass')
ORDER BY total_ns DESC, host, trace, id LIMIT 10;
-- name: seeks
-- how far each request begins from the end of the one issued before
SELECT host, disk, op, count() AS requests, sum(seek_sectors = 0) AS sequential,
       quantileExactWeighted(0.5)(abs(seek_sectors), 1) AS median_sectors
FROM ios_all WHERE id = rq AND isNotNull(seek_sectors)
GROUP BY host, disk, op ORDER BY host, disk, op;
-- name: slo
-- the share of ios that took less than 1 ms, and less than 5 ms
SELECT host, disk, op, count() AS ios,
       intDiv(1000000 * sum(total_ns < 1000000), count()) AS under_1ms_ppm,
       intDiv(1000000 * sum(total_ns < 5000000), count()) AS under_5ms_ppm
FROM ios_all WHERE isNotNull(total_ns) AND kind IN ('io', 'pass')
GROUP BY host, disk, op ORDER BY host, disk, op;
-- name: heatmap
-- ios by tenth of a second and latency, 2^power ns and more
SELECT host, trace, intDiv(complete_ns, 100000000) AS tenth,
       toInt32(floor(log2(greatest(total_ns, 1)))) AS power, count() AS ios
FROM ios_all WHERE isNotNull(complete_ns) AND isNotNull(total_ns)
  AND kind IN ('io', 'pass')
GROUP BY host, trace, tenth, power ORDER BY host, trace, tenth, power;
-- name: merged
-- percentiles over all hosts, from the table latency alone
SELECT disk, op, sum(count) AS ios,
       quantileExactWeighted(0.5)(high_ns, toUInt64(count)) AS p50_ns,
       quantileExactWeighted(0.99)(high_ns, toUInt64(count)) AS p99_ns
FROM latency_all WHERE phase = 'total'
GROUP BY disk, op ORDER BY disk, op;
-- name: open
-- the twenty oldest I/Os in flight when their trace ended
SELECT host, trace, disk, op, process, sector, bytes, age_ns, time_ns
FROM ios_all WHERE ended = 'open' AND kind IN ('io', 'pass')
ORDER BY age_ns DESC, host, trace, id LIMIT 20;
