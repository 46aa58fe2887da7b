-- What a database of btexport has beside its tables.  What is about columns or
-- tables that were not exported is left out.  No semicolon but at the end of
-- a statement.
CREATE INDEX ios_time ON ios(host, disk, time_ns);

-- Traces of one device that overlap: of the one that started later, what is
-- after the end of those before.
CREATE VIEW ios_overlap AS
WITH covered AS MATERIALIZED (
    SELECT host, dev, trace, min(unix_ns) AS since,
           max(unix_ns + coalesce(total_ns, 0)) AS until
    FROM ios WHERE unix_ns IS NOT NULL GROUP BY host, dev, trace)
SELECT a.trace, a.dev, max(b.until) AS kept_from
FROM covered AS a JOIN covered AS b ON b.host = a.host AND b.dev = a.dev
  AND (b.since, b.trace) < (a.since, a.trace)
GROUP BY a.trace, a.dev, a.since HAVING max(b.until) >= a.since;

CREATE VIEW ios_once AS
SELECT i.* FROM ios AS i LEFT JOIN ios_overlap AS o
    ON o.trace = i.trace AND o.dev = i.dev
WHERE o.kept_from IS NULL OR i.unix_ns IS NULL OR i.unix_ns > o.kept_from;

-- the same of latency, to the minute
CREATE VIEW latency_overlap AS
WITH covered AS MATERIALIZED (
    SELECT host, dev, trace, min(from_unix_ns) AS since,
           max(to_unix_ns) AS until
    FROM segments WHERE from_unix_ns IS NOT NULL GROUP BY host, dev, trace)
SELECT a.trace, a.dev, max(b.until) AS kept_from
FROM covered AS a JOIN covered AS b ON b.host = a.host AND b.dev = a.dev
  AND (b.since, b.trace) < (a.since, a.trace)
GROUP BY a.trace, a.dev, a.since HAVING max(b.until) > a.since;

CREATE VIEW latency_once AS
SELECT l.* FROM latency AS l LEFT JOIN latency_overlap AS o
    ON o.trace = l.trace AND o.dev = l.dev
WHERE o.kept_from IS NULL OR l.minute_unix_ns IS NULL
   OR l.minute_unix_ns >= o.kept_from;

-- a row per request: of its ios the one that stands for it
CREATE VIEW requests AS SELECT * FROM ios_once WHERE id = rq;

CREATE VIEW latency_percentiles AS
WITH ranked AS (
    SELECT host, disk, op, total_ns AS v,
           row_number() OVER (PARTITION BY host, disk, op ORDER BY total_ns) AS k,
           count(*) OVER (PARTITION BY host, disk, op) AS n
    FROM ios_once WHERE total_ns IS NOT NULL AND kind IN ('io', 'pass'))
SELECT host, disk, op, n,
       max(v) FILTER (WHERE k = (n * 50 + 99) / 100) AS p50,
       max(v) FILTER (WHERE k = (n * 90 + 99) / 100) AS p90,
       max(v) FILTER (WHERE k = (n * 99 + 99) / 100) AS p99,
       max(v) FILTER (WHERE k = (n * 999 + 999) / 1000) AS p999,
       max(v) AS most
FROM ranked GROUP BY host, disk, op, n;

CREATE VIEW throughput AS
SELECT host, disk, op,
       (coalesce(unix_ns, time_ns) + total_ns) / 1000000000 * 1000000000 AS at_unix_ns,
       count(*) AS ios, sum(bytes) AS bytes
FROM ios_once WHERE total_ns IS NOT NULL AND kind IN ('io', 'pass')
GROUP BY host, disk, op, at_unix_ns;

CREATE VIEW depth AS
WITH each AS (
    SELECT host, disk, max(depth) AS most, sum(d2c_ns) AS busy,
           max(complete_ns) - min(issue_ns) AS span
    FROM requests WHERE d2c_ns IS NOT NULL AND complete_ns IS NOT NULL
    GROUP BY trace, host, disk)
SELECT host, disk, max(most) AS most,
       1000 * sum(busy) / max(sum(span), 1) AS mean_milli
FROM each GROUP BY host, disk;

CREATE VIEW slowest AS
SELECT * FROM ios_once WHERE total_ns IS NOT NULL AND kind IN ('io', 'pass')
ORDER BY total_ns DESC, host, trace, id;

CREATE VIEW seeks AS
SELECT host, disk, op, count(*) AS n, sum(seek_sectors = 0) AS sequential,
       1000000 * sum(seek_sectors = 0) / count(*) AS sequential_ppm
FROM requests WHERE seek_sectors IS NOT NULL GROUP BY host, disk, op;
