# SPDX-License-Identifier: GPL-2.0-only
"""What btexport has to say of a simulated machine: its columns, by I/O."""
from machine import AHEAD, DISCARD, FLUSH, FUA, META, NAMES, SYNC, WRITE

PHASES = ('q2a lower a2c q2x x2c q2g q2m preflush g2m g2i g2d i2d m2d requeue '
          'd2c postflush rest').split()


def number(dev):
    return '%d:%d' % (dev >> 20, dev & 0xfffff)


def letters(io):
    """The RWBS letters of an I/O's first event."""
    cats = io.cats
    way = 'D' if cats & DISCARD else 'W' if cats & WRITE else \
        'R' if io.bytes else 'N'
    return ''.join(['F' * bool(cats & FLUSH), way, 'F' * bool(cats & FUA),
                    'A' * bool(cats & AHEAD), 'S' * bool(cats & SYNC),
                    'M' * bool(cats & META)])


def operation(io):
    if io.cats & DISCARD:
        return 'discard'
    if io.cats & FLUSH and not io.bytes:
        return 'flush'
    return 'write' if io.cats & WRITE else 'read'


class Steps:
    """Phases in their order: each begins where the one before ended."""

    def __init__(self, io):
        self.now, self.phases = io.time, {}

    def until(self, phase, time):
        if time is not None:
            self.phases[phase], self.now = time - self.now, time


def is_untold(io):
    """Whether nothing in the trace shows that it is in its request."""
    return io.request and io in io.request.silent


def end_of(io):
    """(how it ended, when, None: never)"""
    if io.end is not None:
        return 'C', io.end
    return 'open', None


def riding(steps, io, rq, end):
    if io.merge != 'request':
        for phase, time in io.marks:
            steps.until(phase, time)
    else:
        marks = dict(io.marks)
        steps.until('q2g', marks.get('q2g'))
        steps.until('g2m', marks.get('g2m'))
    if io.merge:
        steps.until('m2d', rq.issued)
    else:
        steps.until('preflush', rq.preflushed)
        steps.until('g2i', rq.inserted)
        steps.until('i2d' if rq.inserted else 'g2d', rq.issued)
    if rq.issued is None:
        steps.until('rest', end)
        return
    if rq.requeues:
        steps.until('requeue', rq.reissued)
    if rq.sequenced and end is not None and rq.data_end != end:
        steps.until('d2c', rq.data_end)
        steps.until('postflush', end)
    elif rq.sequenced and end is None:
        steps.until('d2c', rq.data_end)
    else:
        steps.until('d2c', end)


def bare(steps, rq, end):
    """Of a request without a bio."""
    if rq.requeues:
        steps.until('requeue', rq.reissued)
    steps.until('d2c', end)


def phases_of(io, end):
    steps = Steps(io)
    if io.kind in ('flush', 'pass'):
        bare(steps, io.request, end)
    elif io.request:
        riding(steps, io, io.request, end)
    else:
        marks = dict(io.marks)
        for phase in ('q2x', 'x2c', 'q2a'):
            steps.until(phase, marks.get(phase))
        if io.children:
            steps.until('lower', io.below_end)
            steps.until('a2c', marks.get('a2c'))
        elif not io.parts:
            steps.until('rest', end)
    return steps.phases


class Truth:
    """{key: row} of a machine; keys stand for ids."""

    def __init__(self, machine, disks):
        self.first = machine.events[0][0]
        self.last = machine.events[-1][0]
        self.names = {d.dev: d.name for d in disks}
        self.rows = {self.key(io): self.row(io) for io in machine.ios}

    def key(self, io):
        return number(io.dev), io.time - self.first, io.birth, io.sector

    def since(self, time):
        return None if time is None else time - self.first

    def row(self, io):
        ended, end = end_of(io)
        row = {
            'disk': self.names[io.dev], 'dev': number(io.dev),
            'kind': io.kind, 'op': operation(io), 'flags': letters(io),
            'sector': io.sector, 'bytes': io.bytes, 'pid': io.pid,
            'process': NAMES.get(io.pid, 'p%d' % io.pid),
            'queue_cpu': io.cpu, 'time_ns': io.time - self.first,
            'birth': io.birth, 'ended': ended, 'complete_ns': self.since(end),
            'total_ns': None if end is None else end - io.time,
            'error': io.error if ended != 'open' else 0,
            'merge': None if is_untold(io) else io.merge, 'link': io.link,
            'parent': io.parent and self.key(io.parent),
            'children': io.children or None, 'complete_cpu': io.cpu_c,
            'done_bytes': io.done or None, 'events': io.events, 'issues': 0,
            'requeues': 0, 'gap': 0, 'plug_ns': io.plug,
            'from_dev': io.source and number(io.source[0]),
            'from_sector': io.source and io.source[1],
        }
        if io.request and not is_untold(io):
            self.add_request(row, io, io.request)
        for phase, length in phases_of(io, end).items():
            row[phase + '_ns'] = length
        return row

    def add_request(self, row, io, rq):
        leads = io is rq.lead
        row.update({
            'rq': self.key(rq.lead), 'rq_ios': len(rq.ios) - len(rq.silent),
            'rq_bytes': rq.first_bytes if rq.first_bytes is not None else
            rq.bytes - sum(other.bytes for other in rq.silent),
            'issues': rq.issues, 'requeues': rq.requeues,
            'issue_cpu': rq.cpu_d, 'complete_cpu': rq.cpu_c,
            'issue_ns': self.since(rq.reissued), 'depth': rq.depth,
            'flush': rq.flush and self.key(rq.flush),
            'flush2': rq.flush2 and self.key(rq.flush2),
        })
        if leads:
            row['events'] += rq.events
            row['done_bytes'] = io.done + rq.done or None
            row['seek_sectors'] = rq.seek


COLUMNS = ('disk dev kind op flags sector bytes pid process queue_cpu '
           'issue_cpu complete_cpu issue_ns complete_ns time_ns birth merge '
           'ended error total_ns depth issues requeues rq_bytes rq_ios '
           'done_bytes seek_sectors children from_dev from_sector plug_ns gap '
           'events link').split() + [p + '_ns' for p in PHASES]
REFERENCES = 'parent rq flush flush2'.split()
