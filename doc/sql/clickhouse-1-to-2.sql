-- From schema 1 of btexport's tables to schema 2, on every node.  The ids of
-- traces stay as they are: an export of the same trace by a newer btexport has
-- another.  In old rows of latency phase total has all I/Os, times are the middle
-- of their cell, and sizes are 0.  Sorting keys stay: new tables have better ones.
ALTER TABLE ios ADD COLUMN segment Int32 AFTER container;
ALTER TABLE latency
    ADD COLUMN dev LowCardinality(String) AFTER trace,
    ADD COLUMN minute_unix_ns Nullable(Int64) AFTER dev,
    ADD COLUMN class Nullable(String) AFTER minute_unix_ns,
    ADD COLUMN sum_ns Int64 DEFAULT count * (low_ns + intDiv(high_ns - low_ns, 2)) AFTER class,
    ADD COLUMN sum_bytes Int64 AFTER sum_ns,
    ADD COLUMN min_ns Int64 DEFAULT low_ns AFTER sum_bytes,
    ADD COLUMN max_ns Int64 DEFAULT high_ns AFTER min_ns,
    ADD COLUMN segment Int32 AFTER max_ns;
CREATE TABLE segments (
    host LowCardinality(String),
    trace LowCardinality(String),
    segment Int32,
    disk Nullable(String),
    dev Nullable(String),
    boot Nullable(String),
    from_unix_ns Nullable(Int64),
    to_unix_ns Nullable(Int64),
    io_rows Int64,
    ios Int64,
    sum_bytes Int64,
    sum_total_ns Int64,
    errors Int64,
    in_flight Int64,
    oldest_ns Nullable(Int64),
    dropped Int64,
    missing Int64
) ENGINE = MergeTree ORDER BY (host, trace, segment);
INSERT INTO segments
SELECT host, trace, 0, disk, dev, NULL, min(unix_ns),
       max(unix_ns + ifNull(total_ns, ifNull(age_ns, 0))), count(),
       countIf(kind IN ('io', 'pass')), sumIf(bytes, kind IN ('io', 'pass')),
       sumIf(ifNull(total_ns, 0), kind IN ('io', 'pass')),
       countIf(kind IN ('io', 'pass') AND error != 0),
       countIf(kind IN ('io', 'pass') AND ended = 'open'),
       maxIf(age_ns, kind IN ('io', 'pass') AND ended = 'open'), 0, 0
FROM ios GROUP BY host, trace, disk, dev;
DROP TABLE IF EXISTS ios_all;
DROP TABLE IF EXISTS events_all;
DROP TABLE IF EXISTS latency_all;
DROP TABLE IF EXISTS meta_all;
