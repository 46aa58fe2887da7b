-- What a database of btexport has beside its tables.  What is about columns or
-- tables that were not exported is left out.  No semicolon but at the end of
-- a statement.
CREATE INDEX ios_time ON ios(host, disk, time_ns);

-- a row per request: of its ios the one that stands for it
CREATE VIEW requests AS SELECT * FROM ios WHERE id = rq;

CREATE VIEW latency_percentiles AS
WITH ranked AS (
    SELECT host, disk, op, total_ns AS v,
           row_number() OVER (PARTITION BY host, disk, op ORDER BY total_ns) AS k,
           count(*) OVER (PARTITION BY host, disk, op) AS n
    FROM ios WHERE total_ns IS NOT NULL AND kind IN ('io', 'pass'))
SELECT host, disk, op, n,
       max(v) FILTER (WHERE k = (n * 50 + 99) / 100) AS p50,
       max(v) FILTER (WHERE k = (n * 90 + 99) / 100) AS p90,
       max(v) FILTER (WHERE k = (n * 99 + 99) / 100) AS p99,
       max(v) FILTER (WHERE k = (n * 999 + 999) / 1000) AS p999,
       max(v) AS most
FROM ranked GROUP BY host, disk, op, n;

CREATE VIEW throughput AS
SELECT host, trace, disk, op, complete_ns / 1000000000 AS second,
       count(*) AS ios, sum(bytes) AS bytes
FROM ios WHERE complete_ns IS NOT NULL AND kind IN ('io', 'pass')
GROUP BY host, trace, disk, op, second;

CREATE VIEW depth AS
SELECT host, trace, disk, max(depth) AS most,
       1000 * sum(d2c_ns) / max(max(complete_ns) - min(issue_ns), 1) AS mean_milli
FROM requests WHERE d2c_ns IS NOT NULL AND complete_ns IS NOT NULL
GROUP BY host, trace, disk;

CREATE VIEW slowest AS
SELECT * FROM ios WHERE total_ns IS NOT NULL AND kind IN ('io', 'pass')
ORDER BY total_ns DESC, host, trace, id;

CREATE VIEW seeks AS
SELECT host, disk, op, count(*) AS n, sum(seek_sectors = 0) AS sequential,
       1000000 * sum(seek_sectors = 0) / count(*) AS sequential_ppm
FROM requests WHERE seek_sectors IS NOT NULL GROUP BY host, disk, op;
