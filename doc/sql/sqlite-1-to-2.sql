-- From schema 1 of btexport's databases to schema 2.  The ids of traces stay as
-- they are: an export of the same trace by a newer btexport has another.  In old
-- rows of latency phase total has all I/Os, times are the middle of their cell,
-- and sizes are 0.
BEGIN;
DROP VIEW IF EXISTS requests;
DROP VIEW IF EXISTS latency_percentiles;
DROP VIEW IF EXISTS throughput;
DROP VIEW IF EXISTS depth;
DROP VIEW IF EXISTS slowest;
DROP VIEW IF EXISTS seeks;
DROP VIEW IF EXISTS ready_latency;
DROP VIEW IF EXISTS ready_phases;
DROP VIEW IF EXISTS ready_processes;
DROP VIEW IF EXISTS ready_cgroups;
DROP VIEW IF EXISTS ready_throughput;
DROP VIEW IF EXISTS ready_depth;
DROP VIEW IF EXISTS ready_slowest;
DROP VIEW IF EXISTS ready_seeks;
DROP VIEW IF EXISTS ready_slo;
DROP VIEW IF EXISTS ready_heatmap;
DROP VIEW IF EXISTS ready_merged;
DROP VIEW IF EXISTS ready_open;
DROP INDEX IF EXISTS ios_time;
ALTER TABLE ios ADD COLUMN segment INTEGER NOT NULL DEFAULT 0;
CREATE TABLE latency_2 (
    "host" TEXT NOT NULL,
    "disk" TEXT NOT NULL,
    "op" TEXT NOT NULL,
    "phase" TEXT NOT NULL,
    "low_ns" INTEGER NOT NULL,
    "high_ns" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,
    "trace" TEXT NOT NULL,
    "dev" TEXT NOT NULL,
    "minute_unix_ns" INTEGER,
    "class" TEXT,
    "sum_ns" INTEGER NOT NULL,
    "sum_bytes" INTEGER NOT NULL,
    "min_ns" INTEGER NOT NULL,
    "max_ns" INTEGER NOT NULL,
    "segment" INTEGER NOT NULL
) STRICT;
INSERT INTO latency_2
SELECT host, disk, op, phase, low_ns, high_ns, count, trace,
       coalesce((SELECT min(dev) FROM ios
                 WHERE ios.trace = l.trace AND ios.disk = l.disk), disk),
       NULL, NULL, count * (low_ns + (high_ns - low_ns) / 2), 0,
       low_ns, high_ns, 0
FROM latency AS l;
DROP TABLE latency;
ALTER TABLE latency_2 RENAME TO latency;
CREATE TABLE segments (
    "host" TEXT NOT NULL,
    "trace" TEXT NOT NULL,
    "segment" INTEGER NOT NULL,
    "disk" TEXT,
    "dev" TEXT,
    "boot" TEXT,
    "from_unix_ns" INTEGER,
    "to_unix_ns" INTEGER,
    "io_rows" INTEGER NOT NULL,
    "ios" INTEGER NOT NULL,
    "sum_bytes" INTEGER NOT NULL,
    "sum_total_ns" INTEGER NOT NULL,
    "errors" INTEGER NOT NULL,
    "in_flight" INTEGER NOT NULL,
    "oldest_ns" INTEGER,
    "dropped" INTEGER NOT NULL,
    "missing" INTEGER NOT NULL
) STRICT;
INSERT INTO segments
SELECT host, trace, 0, disk, dev, NULL, min(unix_ns),
       max(unix_ns + coalesce(total_ns, age_ns, 0)), count(*),
       sum(kind IN ('io', 'pass')),
       sum(CASE WHEN kind IN ('io', 'pass') THEN bytes ELSE 0 END),
       sum(CASE WHEN kind IN ('io', 'pass') THEN coalesce(total_ns, 0) ELSE 0 END),
       sum(kind IN ('io', 'pass') AND error != 0),
       sum(kind IN ('io', 'pass') AND ended = 'open'),
       max(CASE WHEN kind IN ('io', 'pass') AND ended = 'open' THEN age_ns END), 0, 0
FROM ios GROUP BY host, trace, disk, dev;
PRAGMA user_version = 2;
COMMIT;
