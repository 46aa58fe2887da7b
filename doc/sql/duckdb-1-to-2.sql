-- From schema 1 of btexport's tables to schema 2.  The ids of traces stay as they
-- are: an export of the same trace by a newer btexport has another.  In old rows
-- of latency phase total has all I/Os, times are the middle of their cell, and
-- sizes are 0.  Parquet files need no upgrade: columns that they lack are null.
ALTER TABLE ios ADD COLUMN segment INTEGER DEFAULT 0;
CREATE TABLE latency_2 AS
SELECT host, disk, op, phase, low_ns, high_ns, count, trace,
       coalesce((SELECT min(dev) FROM ios
                 WHERE ios.trace = l.trace AND ios.disk = l.disk), disk) AS dev,
       NULL::BIGINT AS minute_unix_ns, NULL::VARCHAR AS class,
       count * (low_ns + (high_ns - low_ns) // 2) AS sum_ns, 0::BIGINT AS sum_bytes,
       low_ns AS min_ns, high_ns AS max_ns, 0 AS segment
FROM latency AS l;
DROP TABLE latency;
ALTER TABLE latency_2 RENAME TO latency;
CREATE TABLE segments AS
SELECT host, trace, 0 AS segment, disk, dev, NULL::VARCHAR AS boot,
       min(unix_ns) AS from_unix_ns,
       max(unix_ns + coalesce(total_ns, age_ns, 0)) AS to_unix_ns,
       count(*) AS io_rows,
       count(*) FILTER (WHERE kind IN ('io', 'pass')) AS ios,
       coalesce(sum(bytes) FILTER (WHERE kind IN ('io', 'pass')), 0)::BIGINT AS sum_bytes,
       coalesce(sum(total_ns) FILTER (WHERE kind IN ('io', 'pass')), 0)::BIGINT AS sum_total_ns,
       count(*) FILTER (WHERE kind IN ('io', 'pass') AND error != 0) AS errors,
       count(*) FILTER (WHERE kind IN ('io', 'pass') AND ended = 'open') AS in_flight,
       max(age_ns) FILTER (WHERE kind IN ('io', 'pass') AND ended = 'open') AS oldest_ns,
       0::BIGINT AS dropped, 0::BIGINT AS missing
FROM ios GROUP BY host, trace, disk, dev;
