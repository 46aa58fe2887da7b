# SPDX-License-Identifier: GPL-2.0-only
"""The headline figures of a trace, counted in plain Python from btexport's rows.

A figure has a name and is about a disk and an operation, or about all of them:
{(name, disk or '*', operation or '*'): number}, times in ns.  'latency' is a
sorted list.
"""
import collections
import csv

# columns that are texts
TEXTS = set('host disk dev link kind op flags process cgroup_path birth merge '
            'ended from_dev trace'.split())
# btexport's operations, of which btstat makes fewer
FEWER = {'zeroes': 'zero', **dict.fromkeys(
    'append reset reset-all finish open close'.split(), 'zone')}


def read(lines):
    """btexport's csv: a dictionary for each row; None is null."""
    return [{k: (v or None) if k in TEXTS else int(v) if v else None
             for k, v in row.items()} for row in csv.DictReader(lines)]


def op_of_btstat(row):
    if row['kind'] == 'pass':
        return 'passthrough'
    if row['op'] == 'read' and not row['bytes']:
        return 'other'
    return FEWER.get(row['op'], row['op'])


def op_of_counter(row):
    return 'passthrough' if row['kind'] == 'pass' else row['op']


def op_of_query(row):
    return row['op']


def is_io(row):
    """Parts are in their parent I/O, and nobody queued the kernel's own flush
    requests."""
    return row['kind'] in ('io', 'pass')


def is_complete(row):
    return row['total_ns'] is not None


def leads(row):
    return row['id'] == row['rq']


def end_of(row):
    return row['time_ns'] + (row['total_ns'] if is_complete(row)
                             else row['age_ns'])


def bio_based(rows):
    """Disks that make no requests: their I/Os count as such."""
    return {r['disk'] for r in rows} - \
        {r['disk'] for r in rows if r['rq'] is not None}


def is_request(row, without):
    """What the driver gets; an empty flush is the kernel's own request there."""
    if leads(row):
        return row['kind'] == 'flush' or row['issues'] or not row['flush']
    return row['disk'] in without and row['kind'] == 'io'


def size_of(row, key, size):
    """Discards and zeroes move no data: only of an operation they have bytes."""
    is_data = row['op'] in ('read', 'write', 'append')
    return size if key[1] != '*' or is_data else 0


def add_io(of, row, key):
    """To the figures of a disk and an operation."""
    size = size_of(row, key, row['bytes'])
    of['ios', *key] += 1
    of['bytes', *key] += size
    of['errors', *key] += row['error'] != 0
    if row['ended'] == 'open':
        of['in flight', *key] += 1
        of['oldest', *key] = max(of['oldest', *key], row['age_ns'])
    if is_complete(row):
        of['completed', *key] += 1
        of['completed bytes', *key] += size
        of['completed errors', *key] += row['error'] != 0
        of['total', *key] += row['total_ns']


def sums(rows, op_of):
    of, latency = collections.Counter(), collections.defaultdict(list)
    without = bio_based(rows)
    for row in rows:
        for key in ((row['disk'], op_of(row)), (row['disk'], '*'),
                    ('*', op_of(row)), ('*', '*')):
            if is_request(row, without):
                of['requests', *key] += 1
                of['request bytes', *key] += size_of(
                    row, key, row['bytes'] if row['rq'] is None else
                    row['rq_bytes'] or 0)
                of['completed requests', *key] += is_complete(row)
            if is_io(row):
                add_io(of, row, key)
            if is_io(row) and is_complete(row):
                latency['latency', *key].append(row['total_ns'])
    return {**of, **{key: sorted(times) for key, times in latency.items()}}


# --- queue depth: requests at the device --------------------------------------

def served(rows):
    """When the last I/O of each request was done, by the request's number."""
    of = {}
    for row in rows:
        if row['rq'] is not None and row['d2c_ns'] is not None:
            of[row['rq']] = max(of.get(row['rq'], 0),
                                row['issue_ns'] + row['d2c_ns'])
    return of


# phases before a request's first D
BEFORE = 'q2g_ns q2m_ns preflush_ns g2m_ns g2i_ns g2d_ns i2d_ns m2d_ns'.split()


def was_back(row):
    """It was at the device before its last D: rows do not have for how long."""
    return row['issue_ns'] is not None and (row['requeues'] or
                                            row['issues'] > 1)


def widest(span, row):
    """From its first D to its end: it was there no longer than that."""
    if not leads(row) or not was_back(row):
        return span
    return (row['time_ns'] + sum(row[phase] or 0 for phase in BEFORE),
            span[1] if span else end_of(row))


def at_device(row, until, without):
    """From when to when one was there, or None: at least."""
    if leads(row) and was_back(row) and not is_complete(row):
        return None             # it may have been sent back after its last D
    if leads(row) and row['d2c_ns'] is not None:
        return row['issue_ns'], until[row['id']]
    if row['ended'] in ('lost', 'evicted'):
        return None
    if leads(row) and row['depth']:
        return row['issue_ns'], end_of(row)
    if row['disk'] in without and row['kind'] == 'io':
        return row['time_ns'], end_of(row)
    return None


def depth(spans):
    """The sum of their times, the most at once, the time with any."""
    moments = sorted([(a, 1) for a, _ in spans] + [(b, -1) for _, b in spans])
    now = most = busy = last = 0
    for time, step in moments:
        busy += time - last if now else 0
        now, last = now + step, time
        most = max(most, now)
    return {'depth': sum(b - a for a, b in spans), 'most': most, 'busy': busy}


def figures_of(spans, words=''):
    return {(name + words, disk, '*'): number for disk, some in spans.items()
            for name, number in depth(some).items()}


UP_TO = ' up to'                # a figure's name ends like that


def depths(rows, _=None):
    """Where a request was sent back, from the least to the most it can be."""
    least, most = (collections.defaultdict(list) for _ in range(2))
    until, without, back = served(rows), bio_based(rows), set()
    for row in rows:
        span = at_device(row, until, without)
        wide = widest(span, row)
        for disk in row['disk'], '*':
            least[disk] += [span] if span else []
            most[disk] += [wide] if wide else []
            back.update([disk] if span != wide else [])
    return {**figures_of({d: s for d, s in least.items() if most[d]}),
            **figures_of({d: most[d] for d in back}, UP_TO)}
