-- Ready queries for ClickHouse, asked on the node that has ios_all, latency_all
-- and the views beside them (clickhouse-tables.sql).  Tried with 18.16 and later
-- ones.
--
-- An I/O is a row of kind io or pass: parts are in their parent I/O, and nobody
-- queued the kernel's own flush requests.  Of traces of one device that overlap,
-- the one that started later counts after kept_from, the end of those before.
--
-- A percentile is the ceil(p * n)-th smallest: quantileExactWeighted with a
-- weight of 1, as quantileExact takes the next one whenever p * n is whole.
-- Times are in ns, at_unix_ns since 1970 (of a trace without a time of day: since
-- its start), shares in parts per million (_ppm), mean depth in thousandths
-- (_milli).
-- name: latency
-- how long ios took, queued to completed: percentiles by disk and op
SELECT host, disk, op, count() AS ios,
       quantileExactWeighted(0.5)(total_ns, 1) AS p50_ns,
       quantileExactWeighted(0.9)(total_ns, 1) AS p90_ns,
       quantileExactWeighted(0.99)(total_ns, 1) AS p99_ns,
       quantileExactWeighted(0.999)(total_ns, 1) AS p999_ns,
       max(total_ns) AS max_ns
FROM ios_all GLOBAL ANY LEFT JOIN ios_overlap USING (trace, dev)
WHERE (isNull(unix_ns) OR unix_ns > kept_from)
  AND isNotNull(total_ns) AND kind IN ('io', 'pass')
GROUP BY host, disk, op ORDER BY host, disk, op;
-- name: phases
-- where that time went: sums of the phases, by disk and op
SELECT host, disk, op, sum(total_ns) AS sum_total_ns,
       sum(ifNull(q2g_ns, 0)) AS sum_q2g_ns,
       sum(ifNull(g2i_ns, 0)) AS sum_g2i_ns,
       sum(ifNull(i2d_ns, 0)) AS sum_i2d_ns,
       sum(ifNull(d2c_ns, 0)) AS sum_d2c_ns,
       sum(ifNull(lower_ns, 0)) AS sum_lower_ns
FROM ios_all GLOBAL ANY LEFT JOIN ios_overlap USING (trace, dev)
WHERE (isNull(unix_ns) OR unix_ns > kept_from)
  AND isNotNull(total_ns) AND kind IN ('io', 'pass')
GROUP BY host, disk, op ORDER BY host, disk, op;
-- name: processes
-- ios, bytes and latency by process and op
SELECT host, process, op, count() AS ios, sum(bytes) AS sum_bytes,
       quantileExactWeighted(0.5)(total_ns, 1) AS p50_ns,
       quantileExactWeighted(0.99)(total_ns, 1) AS p99_ns
FROM ios_all GLOBAL ANY LEFT JOIN ios_overlap USING (trace, dev)
WHERE (isNull(unix_ns) OR unix_ns > kept_from)
  AND isNotNull(total_ns) AND kind IN ('io', 'pass')
GROUP BY host, process, op ORDER BY host, process, op;
-- name: cgroups
-- ios, bytes and latency by control group and op
SELECT host, cgroup, op, count() AS ios, sum(bytes) AS sum_bytes,
       quantileExactWeighted(0.99)(total_ns, 1) AS p99_ns
FROM ios_all GLOBAL ANY LEFT JOIN ios_overlap USING (trace, dev)
WHERE (isNull(unix_ns) OR unix_ns > kept_from)
  AND isNotNull(total_ns) AND isNotNull(cgroup)
  AND kind IN ('io', 'pass')
GROUP BY host, cgroup, op ORDER BY host, cgroup, op;
-- name: throughput
-- ios and bytes completed in each second, by disk and op
SELECT host, disk,
       intDiv(ifNull(unix_ns, time_ns) + total_ns, 1000000000) * 1000000000 AS at_unix_ns,
       op, count() AS ios, sum(bytes) AS sum_bytes
FROM ios_all GLOBAL ANY LEFT JOIN ios_overlap USING (trace, dev)
WHERE (isNull(unix_ns) OR unix_ns > kept_from)
  AND isNotNull(total_ns) AND kind IN ('io', 'pass')
GROUP BY host, disk, at_unix_ns, op ORDER BY host, disk, at_unix_ns, op;
-- name: depth
-- requests at once in the device: the most, and the mean while traced
SELECT host, disk, max(most) AS most,
       intDiv(1000 * sum(busy), greatest(sum(span), 1)) AS mean_milli
FROM (
    SELECT host, disk, max(depth) AS most, sum(d2c_ns) AS busy,
           max(complete_ns) - min(issue_ns) AS span
    FROM ios_all GLOBAL ANY LEFT JOIN ios_overlap USING (trace, dev)
    WHERE (isNull(unix_ns) OR unix_ns > kept_from)
      AND id = rq AND isNotNull(d2c_ns) AND isNotNull(complete_ns)
    GROUP BY trace, host, disk)
GROUP BY host, disk ORDER BY host, disk;
-- name: slowest
-- the ten ios that took longest
SELECT host, disk, op, process, sector, bytes, total_ns, time_ns, trace
FROM ios_all GLOBAL ANY LEFT JOIN ios_overlap USING (trace, dev)
WHERE (isNull(unix_ns) OR unix_ns > kept_from)
  AND isNotNull(total_ns) AND kind IN ('io', 'pass')
ORDER BY total_ns DESC, host, trace, id LIMIT 10;
-- name: seeks
-- how far each request begins from the end of the one issued before
SELECT host, disk, op, count() AS requests, sum(seek_sectors = 0) AS sequential,
       quantileExactWeighted(0.5)(abs(seek_sectors), 1) AS median_sectors
FROM ios_all GLOBAL ANY LEFT JOIN ios_overlap USING (trace, dev)
WHERE (isNull(unix_ns) OR unix_ns > kept_from)
  AND id = rq AND isNotNull(seek_sectors)
GROUP BY host, disk, op ORDER BY host, disk, op;
-- name: slo
-- the share of ios that took less than 1 ms, and less than 5 ms
SELECT host, disk, op, count() AS ios,
       intDiv(1000000 * sum(total_ns < 1000000), count()) AS under_1ms_ppm,
       intDiv(1000000 * sum(total_ns < 5000000), count()) AS under_5ms_ppm
FROM ios_all GLOBAL ANY LEFT JOIN ios_overlap USING (trace, dev)
WHERE (isNull(unix_ns) OR unix_ns > kept_from)
  AND isNotNull(total_ns) AND kind IN ('io', 'pass')
GROUP BY host, disk, op ORDER BY host, disk, op;
-- name: heatmap
-- ios by tenth of a second and latency, 2^power ns and more
SELECT host, intDiv(ifNull(unix_ns, time_ns) + total_ns, 100000000) * 100000000 AS at_unix_ns,
       toInt32(floor(log2(greatest(total_ns, 1)))) AS power, count() AS ios
FROM ios_all GLOBAL ANY LEFT JOIN ios_overlap USING (trace, dev)
WHERE (isNull(unix_ns) OR unix_ns > kept_from)
  AND isNotNull(total_ns) AND kind IN ('io', 'pass')
GROUP BY host, at_unix_ns, power ORDER BY host, at_unix_ns, power;
-- name: merged
-- percentiles over all hosts, from the table latency
SELECT disk, op, sum(count) AS ios,
       quantileExactWeighted(0.5)(high_ns, toUInt64(count)) AS p50_ns,
       quantileExactWeighted(0.99)(high_ns, toUInt64(count)) AS p99_ns
FROM latency_all GLOBAL ANY LEFT JOIN latency_overlap USING (trace, dev)
WHERE (isNull(minute_unix_ns) OR minute_unix_ns >= kept_from)
  AND phase != 'd2c'
GROUP BY disk, op ORDER BY disk, op;
-- name: open
-- the twenty oldest I/Os in flight when their trace ended
SELECT host, trace, disk, op, process, sector, bytes, age_ns, time_ns
FROM ios_all GLOBAL ANY LEFT JOIN ios_overlap USING (trace, dev)
WHERE (isNull(unix_ns) OR unix_ns > kept_from)
  AND ended = 'open' AND kind IN ('io', 'pass')
ORDER BY age_ns DESC, host, trace, id LIMIT 20;
