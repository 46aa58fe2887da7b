# SPDX-License-Identifier: GPL-2.0-only
"""A simulated machine: time, tasks, events, and the I/Os that these are about.

A task is a generator.  It yields a number of ns to sleep, or a Gate to wait
for.  Whatever happens is emitted as an event, and the I/O that it happens to
notes it there and then: the truth is never worked out from events.
"""
import heapq

READ, WRITE, FLUSH, SYNC, QUEUE, REQUEUE, ISSUE, COMPLETE, FS, PC, NOTIFY, \
    AHEAD, META, DISCARD, DRV_DATA, FUA = (1 << n for n in range(16))
WAY = WRITE | DISCARD
EIO, EAGAIN = 5, 11

# letter: number and category of an action
ACTIONS = {
    'Q': (1, QUEUE), 'M': (2, QUEUE), 'F': (3, QUEUE), 'G': (4, QUEUE),
    'R': (6, REQUEUE), 'D': (7, ISSUE), 'C': (8, COMPLETE), 'P': (9, QUEUE),
    'U': (10, QUEUE), 'UT': (11, QUEUE), 'I': (12, QUEUE), 'X': (13, 0),
    'A': (15, QUEUE),
}

KBLOCKD, REQUEUER, MD, CRYPT, DM = 50, 51, 52, 53, 54    # kernel threads
NAMES = {0: 'swapper', KBLOCKD: 'kworker/0:1H', REQUEUER: 'kworker/1:1H',
         MD: 'md0_raid1', CRYPT: 'dmcrypt_write', DM: 'kworker/u8:2'}


def device(major, minor):
    return major << 20 | minor


class Gate:
    """Tasks that wait for something."""

    def __init__(self):
        self.tasks = []


class Context:
    """Who submits: a process on a CPU, maybe with a plug."""

    def __init__(self, pid, cpu):
        self.pid, self.cpu, self.plug = pid, cpu, None
        self.nowait = False     # fail rather than wait for a tag


class Io:
    """An I/O on one device, and what happened to it."""

    def __init__(self, dev, cats, sector, size, ctx, kind='io'):
        self.dev, self.cats, self.sector, self.bytes = dev, cats, sector, size
        self.pid, self.cpu, self.kind = ctx.pid, ctx.cpu, kind
        self.birth, self.time, self.number = 'Q', None, None
        self.marks = []         # (phase, when it ended)
        self.at = {}            # letter: when it happened
        self.parent = self.link = self.merge = self.request = None
        self.children, self.parts, self.events = 0, 0, 0
        self.held = False       # by a device that is suspended
        self.source = None      # (device, sector) of the topmost remap
        self.end = None
        self.error = 0
        self.cpu_c = self.plug = None
        self.done = 0           # bytes of completions counted to it
        self.below = 0          # children that have ended
        self.below_bytes = 0
        self.below_end = None
        self.on_end = None      # called with the I/O

    @property
    def limit(self):
        return self.sector + (self.bytes >> 9)

    def mark(self, phase, time):
        self.marks.append((phase, time))


class Request:
    """What a driver gets."""

    def __init__(self, io, cpu):
        self.lead, self.ios = io, [io]
        self.sector, self.bytes, self.cats = io.sector, io.bytes, io.cats
        self.cpu = cpu          # where it was got, which says its queue
        self.inserted = self.issued = self.reissued = None
        self.issues = self.requeues = self.done = self.events = 0
        self.silent = []        # merged without an event, and none came since
        self.first_bytes = self.seek = self.depth = None
        self.cpu_d = self.cpu_c = None
        self.data_end = None    # when its bytes were done
        self.preflushed = None
        self.flush = self.flush2 = None
        self.sequenced = False
        self.steps = []         # of a flush sequence, still to come
        io.request = self

    @property
    def limit(self):
        return self.sector + (self.bytes >> 9)

    def left(self):
        return self.bytes - self.done


class Remap:
    """An A that waits for its Q."""

    def __init__(self, parent, time, dev, sector):
        self.parent, self.time, self.events = parent, time, 1
        self.source = dev, sector


class Machine:
    """Time goes on, events come."""

    def __init__(self, random, cpus):
        self.random, self.cpus = random, cpus
        self.now, self.stop = 10 ** 9, None
        self.agenda, self.turn = [], 0
        self.events, self.ios = [], []
        self.apart = 0          # sectors in front of all partitions

    def after(self, delay, call, *args):
        self.turn += 1
        heapq.heappush(self.agenda, (self.now + max(1, int(delay)), self.turn,
                                     call, args))

    def run(self):
        """Until nothing is left to do, or the capture is stopped."""
        while self.agenda:
            time, _, call, args = heapq.heappop(self.agenda)
            if self.stop is not None and time > self.stop:
                return
            self.now = max(self.now, time)
            call(*args)

    def start(self, task):
        self._go(task)

    def _go(self, task):
        wait = next(task, None)
        if wait is None:
            return
        if isinstance(wait, Gate):
            wait.tasks.append(task)
        else:
            self.after(wait, self._go, task)

    def open_gate(self, gate, count=None):
        """The first that wait go on, soon."""
        tasks = gate.tasks[:count]
        del gate.tasks[:count]
        for task in tasks:
            self.after(self.random.randrange(200, 3000), self._go, task)

    def emit(self, dev, letter, cats, sector, size, pid, cpu, payload=b'',
             error=0):
        """An event; its time."""
        self.now += self.random.choice((1, 300, 700, 1900))
        number, category = ACTIONS[letter]
        self.events.append((self.now, dev, number, cats | category, sector,
                            size, pid, cpu, payload, -error & 0xffff))
        return self.now

    def about(self, io, letter, ctx, cats=None):
        """An event about an I/O as it is."""
        io.events += 1
        time = self.emit(io.dev, letter, io.cats if cats is None else cats,
                         io.sector, io.bytes, ctx.pid, ctx.cpu)
        io.at[letter] = time
        return time

    def born(self, io, time, remap=None):
        """Its first event has come."""
        io.time = time
        self.ios.append(io)
        io.number = len(self.ios)
        if not remap:
            return
        io.events += remap.events
        io.source = remap.source
        if remap.parent:
            io.parent, io.link = remap.parent, 'remap'
            remap.parent.children += 1
            if 'q2a' not in dict(remap.parent.marks):
                remap.parent.mark('q2a', remap.time)

    def any_cpu(self):
        return self.random.randrange(self.cpus)


class Worker:
    """A kernel thread: it does one job, a generator, after the other."""

    def __init__(self, machine, pid):
        self.machine, self.pid = machine, pid
        self.jobs, self.busy = [], False

    def give(self, job):
        """job(ctx) makes a generator."""
        self.jobs.append(job)
        if not self.busy:
            self.busy = True
            self.machine.after(self.machine.random.randrange(1000, 20000),
                               self.machine.start, self._work())

    def _work(self):
        while self.jobs:
            ctx = Context(self.pid, self.machine.any_cpu())
            yield from self.jobs.pop(0)(ctx)
        self.busy = False
