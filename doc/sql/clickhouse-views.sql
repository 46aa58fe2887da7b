-- Traces of one device that overlap: the ready queries count of the one that
-- started later what is after kept_from, the end of those before.
CREATE VIEW ios_overlap AS
SELECT trace, dev, kept_from FROM (
    SELECT dev, arrayJoin(arrayEnumerate(sorted)) AS i,
           tupleElement(sorted[i], 1) AS since,
           tupleElement(sorted[i], 2) AS trace,
           arrayReduce('max', arrayMap(x -> tupleElement(x, 3),
                       arraySlice(sorted, 1, i - 1))) AS kept_from
    FROM (
        SELECT host, dev, arraySort(groupArray((since, trace, until))) AS sorted
        FROM (
            SELECT host, dev, trace, assumeNotNull(min(unix_ns)) AS since,
                   assumeNotNull(max(unix_ns + ifNull(total_ns, 0))) AS until
            FROM ios_all WHERE isNotNull(unix_ns) GROUP BY host, dev, trace)
        GROUP BY host, dev))
WHERE i > 1 AND kept_from >= since;
-- the same of latency, to the minute
CREATE VIEW latency_overlap AS
SELECT trace, dev, kept_from FROM (
    SELECT dev, arrayJoin(arrayEnumerate(sorted)) AS i,
           tupleElement(sorted[i], 1) AS since,
           tupleElement(sorted[i], 2) AS trace,
           arrayReduce('max', arrayMap(x -> tupleElement(x, 3),
                       arraySlice(sorted, 1, i - 1))) AS kept_from
    FROM (
        SELECT host, dev, arraySort(groupArray((since, trace, until))) AS sorted
        FROM (
            SELECT host, assumeNotNull(dev) AS dev, trace,
                   assumeNotNull(min(from_unix_ns)) AS since,
                   assumeNotNull(max(to_unix_ns)) AS until
            FROM segments_all WHERE isNotNull(from_unix_ns) AND isNotNull(dev)
            GROUP BY host, dev, trace)
        GROUP BY host, dev))
WHERE i > 1 AND kept_from > since;
