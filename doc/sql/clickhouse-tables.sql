-- On every node; 18.16 needs --allow_experimental_low_cardinality_type=1
-- btexport --format=tsv NAME... |
--     clickhouse-client -q 'INSERT INTO ios FORMAT TSVWithNames'
CREATE TABLE ios (
    host LowCardinality(String),
    disk Nullable(String),
    dev LowCardinality(String),
    id Int64,
    parent Nullable(Int64),
    link Nullable(String),
    rq Nullable(Int64),
    kind LowCardinality(String),
    op LowCardinality(String),
    flags LowCardinality(String),
    sector Int64,
    bytes Int64,
    pid Int32,
    process Nullable(String),
    cgroup Nullable(Int64),
    cgroup_path Nullable(String),
    queue_cpu Int32,
    issue_cpu Nullable(Int32),
    complete_cpu Nullable(Int32),
    unix_ns Nullable(Int64),
    time_ns Int64,
    issue_ns Nullable(Int64),
    complete_ns Nullable(Int64),
    birth LowCardinality(String),
    merge Nullable(String),
    ended LowCardinality(String),
    error Int32,
    total_ns Nullable(Int64),
    q2a_ns Nullable(Int64),
    lower_ns Nullable(Int64),
    a2c_ns Nullable(Int64),
    q2x_ns Nullable(Int64),
    x2c_ns Nullable(Int64),
    q2g_ns Nullable(Int64),
    q2m_ns Nullable(Int64),
    preflush_ns Nullable(Int64),
    g2m_ns Nullable(Int64),
    g2i_ns Nullable(Int64),
    g2d_ns Nullable(Int64),
    i2d_ns Nullable(Int64),
    m2d_ns Nullable(Int64),
    requeue_ns Nullable(Int64),
    d2c_ns Nullable(Int64),
    postflush_ns Nullable(Int64),
    rest_ns Nullable(Int64),
    depth Nullable(Int32),
    issues Int32,
    requeues Int32,
    rq_bytes Nullable(Int64),
    rq_ios Nullable(Int32),
    done_bytes Nullable(Int64),
    seek_sectors Nullable(Int64),
    children Nullable(Int32),
    from_dev Nullable(String),
    from_sector Nullable(Int64),
    at_sector Nullable(Int64),
    plug_ns Nullable(Int64),
    zplug_ns Nullable(Int64),
    flush Nullable(Int64),
    flush2 Nullable(Int64),
    gap Int32,
    events Int32,
    trace LowCardinality(String),
    age_ns Nullable(Int64),
    sure Int32,
    container Nullable(String),
    segment Int32
) ENGINE = MergeTree
    PARTITION BY toYYYYMMDD(toDateTime(intDiv(ifNull(unix_ns, 0), 1000000000)))
    ORDER BY (host, dev, ifNull(unix_ns, 0));
CREATE TABLE events (
    host LowCardinality(String),
    disk Nullable(String),
    dev LowCardinality(String),
    event Int64,
    cpu Int32,
    seq Int64,
    unix_ns Nullable(Int64),
    time_ns Int64,
    action LowCardinality(String),
    flags Nullable(String),
    sector Nullable(Int64),
    bytes Nullable(Int64),
    pid Int32,
    process Nullable(String),
    cgroup Nullable(Int64),
    error Int32,
    from_dev Nullable(String),
    from_sector Nullable(Int64),
    number Nullable(Int64),
    text Nullable(String),
    payload Nullable(String),
    trace LowCardinality(String)
) ENGINE = MergeTree
    PARTITION BY toYYYYMMDD(toDateTime(intDiv(ifNull(unix_ns, 0), 1000000000)))
    ORDER BY (host, dev, ifNull(unix_ns, 0));
CREATE TABLE latency (
    host LowCardinality(String),
    disk LowCardinality(String),
    op LowCardinality(String),
    phase LowCardinality(String),
    low_ns Int64,
    high_ns Int64,
    count Int64,
    trace LowCardinality(String),
    dev LowCardinality(String),
    minute_unix_ns Nullable(Int64),
    class Nullable(String),
    sum_ns Int64,
    sum_bytes Int64,
    min_ns Int64,
    max_ns Int64,
    segment Int32
) ENGINE = MergeTree
    PARTITION BY toYYYYMM(toDateTime(intDiv(ifNull(minute_unix_ns, 0), 1000000000)))
    ORDER BY (phase, host, ifNull(minute_unix_ns, 0), disk, op);
CREATE TABLE meta (
    host LowCardinality(String),
    key LowCardinality(String),
    value Nullable(String),
    trace LowCardinality(String)
) ENGINE = MergeTree
    ORDER BY (host, key);
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
) ENGINE = MergeTree
    PARTITION BY toYYYYMMDD(toDateTime(intDiv(ifNull(from_unix_ns, 0), 1000000000)))
    ORDER BY (host, trace, segment);
CREATE TABLE commits (
    host LowCardinality(String),
    trace LowCardinality(String),
    disk LowCardinality(String),
    dev LowCardinality(String),
    time_ns Int64,
    unix_ns Nullable(Int64),
    call LowCardinality(String),
    file Nullable(String),
    process Nullable(String),
    pid Nullable(Int64),
    tid Int64,
    duration_ns Int64,
    data_ns Int64,
    journal_ns Int64,
    flush_ns Int64,
    other_ns Int64,
    writeback_ns Int64,
    idle_ns Int64,
    other_process Nullable(String),
    other_bytes Int64,
    unsure Int32,
    segment Int32
) ENGINE = MergeTree
    PARTITION BY toYYYYMMDD(toDateTime(intDiv(ifNull(unix_ns, 0), 1000000000)))
    ORDER BY (host, dev, ifNull(unix_ns, 0));
CREATE TABLE capacity (
    host LowCardinality(String),
    trace LowCardinality(String),
    disk LowCardinality(String),
    dev LowCardinality(String),
    depth Int32,
    depth_to Int32,
    time_ns Int64,
    completed Int64,
    completed_bytes Int64,
    came Int64,
    p50_ns Nullable(Int64),
    p99_ns Nullable(Int64),
    waiting_mean_ns Nullable(Int64),
    device_mean_ns Nullable(Int64),
    state LowCardinality(String),
    knee_milli Nullable(Int64),
    knee_low_milli Nullable(Int64),
    knee_high_milli Nullable(Int64),
    capacity_milli Nullable(Int64),
    capacity_low_milli Nullable(Int64),
    capacity_high_milli Nullable(Int64),
    misfit_ppm Nullable(Int64),
    used_milli Int64
) ENGINE = MergeTree
    ORDER BY (host, trace, disk, depth);
CREATE TABLE cache (
    host Nullable(String),
    trace Nullable(String),
    disk Nullable(String),
    dev Nullable(String),
    policy LowCardinality(String),
    cache_bytes Int64,
    block_bytes Int64,
    blocks_per_sample Int64,
    touched_bytes Int64,
    read_bytes Int64,
    written_bytes Int64,
    reads Int64,
    writes Int64,
    reads_ppm Nullable(Int64),
    reads_error_ppm Nullable(Int64),
    writes_ppm Nullable(Int64),
    writes_error_ppm Nullable(Int64),
    saved_ppm Nullable(Int64),
    saved_error_ppm Nullable(Int64)
) ENGINE = MergeTree
    ORDER BY (policy, cache_bytes);
-- latency in steps of ten minutes, without classes, added up by the server: insert
-- into latency_10m_in whatever you insert into latency
CREATE TABLE latency_10m (
    host LowCardinality(String),
    disk LowCardinality(String),
    op LowCardinality(String),
    phase LowCardinality(String),
    low_ns Int64,
    high_ns Int64,
    count Int64,
    trace LowCardinality(String),
    dev LowCardinality(String),
    from_unix_ns Int64,
    sum_ns Int64,
    sum_bytes Int64
) ENGINE = SummingMergeTree((count, sum_ns, sum_bytes))
    PARTITION BY toYYYYMM(toDateTime(intDiv(from_unix_ns, 1000000000)))
    ORDER BY (phase, host, from_unix_ns, disk, op, trace, dev, low_ns);
CREATE TABLE latency_10m_in AS latency ENGINE = Null;
CREATE MATERIALIZED VIEW latency_10m_sum TO latency_10m AS
SELECT host, disk, op, phase, low_ns, high_ns, count, trace, dev,
    intDiv(ifNull(minute_unix_ns, 0), 600000000000) * 600000000000
        AS from_unix_ns, sum_ns, sum_bytes
FROM latency_10m_in;
-- On the node that answers queries ("bt" is the cluster's name in remote_servers):
CREATE TABLE ios_all AS ios ENGINE = Distributed(bt, currentDatabase(), ios);
CREATE TABLE events_all AS events ENGINE = Distributed(bt, currentDatabase(), events);
CREATE TABLE latency_all AS latency ENGINE = Distributed(bt, currentDatabase(), latency);
CREATE TABLE meta_all AS meta ENGINE = Distributed(bt, currentDatabase(), meta);
CREATE TABLE segments_all AS segments ENGINE = Distributed(bt, currentDatabase(), segments);
CREATE TABLE commits_all AS commits ENGINE = Distributed(bt, currentDatabase(), commits);
CREATE TABLE capacity_all AS capacity ENGINE = Distributed(bt, currentDatabase(), capacity);
CREATE TABLE cache_all AS cache ENGINE = Distributed(bt, currentDatabase(), cache);
CREATE TABLE latency_10m_all AS latency_10m ENGINE = Distributed(bt, currentDatabase(), latency_10m);
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
