# SPDX-License-Identifier: GPL-2.0-only
"""A disk: plugs, merges, splits, tags, a scheduler, a driver, flushes."""
import struct

from cutter import Cutter
from machine import (AHEAD, Context, DISCARD, EAGAIN, FLUSH, FS, FUA, Gate, Io,
                     KBLOCKD, META, PC, READ, REQUEUER, Request, SYNC, WAY,
                     WRITE)

PLUG_MOST = 16


class Plug:
    """Requests that a process holds back, of all disks together."""

    def __init__(self, machine, ctx):
        self.machine, self.ctx, self.requests = machine, ctx, []
        self.told = None        # the disk whose stream has its P

    def add(self, disk, rq):
        if len(self.requests) >= PLUG_MOST:
            self.flush('U')
        if not self.requests:
            self.told = disk
            self.machine.emit(disk.dev, 'P', READ, 0, 0, self.ctx.pid,
                              self.ctx.cpu)
        self.requests.append((disk, rq))

    def mergeable(self, disk):
        return [rq for d, rq in reversed(self.requests) if d is disk]

    def flush(self, letter):
        """By disk; letter is UT when the process goes to sleep."""
        held, self.requests = self.requests, []
        while held:
            disk = held[0][0]
            mine = [rq for d, rq in held if d is disk]
            held = [(d, rq) for d, rq in held if d is not disk]
            time = self.machine.emit(disk.dev, letter, READ, 0, 0,
                                     self.ctx.pid, self.ctx.cpu,
                                     struct.pack('>Q', len(mine)))
            # the P of a plug is on the first disk's stream only: elsewhere
            # a trace cannot tell that a plug was there
            for rq in mine if disk is self.told else ():
                for io in rq.ios:
                    if io.merge == 'silent':
                        continue        # only its D tells where it is
                    io.plug = time - (io.at.get('M') or io.at.get('F') or
                                      io.at.get('G') or io.time)
            disk.insert(mine, self.ctx, letter == 'UT')


class Disk(Cutter):
    """See the arguments for what it does."""

    def __init__(self, machine, name, dev, **how):
        self.m, self.name, self.dev = machine, name, dev
        self.disk, self.start = self, 0
        self.scheduler = how.get('scheduler', True)
        self.tags = how.get('tags', 32)
        self.most = how.get('most')             # bytes of a request
        self.has_fua = how.get('fua', False)
        self.latency = how.get('latency', 100000)
        self.depth = how.get('depth', 8)        # what the driver takes
        self.queues = how.get('queues', 1)      # 1, or one for each CPU
        self.p = how.get('chances', {})
        self.hangs = how.get('hangs')           # time, and share from then on
        self.wait_tag = Gate()
        self.queue = []                         # inserted, or sent back
        self.inflight = 0
        self.head = self.last = None
        self.flushers = {}
        self.depths = [(0, 0)]                  # (time, requests issued)

    def chance(self, what):
        return self.m.random.random() < self.p.get(what, 0)

    # --- submission ---------------------------------------------------------

    def submit(self, ctx, cats, sector, size, on_end, remap=None):
        """As a part of the caller's task."""
        io = Io(self.dev, cats, sector, size, ctx)
        io.on_end = on_end
        self.m.born(io, self.m.about(io, 'Q', ctx), remap)
        if self.most and size > self.most and not cats & DISCARD:
            yield from self.cut(io, ctx)
        else:
            yield from self.enter(io, ctx)

    def cut(self, whole, ctx):
        """Into pieces of self.most bytes; the first is on its way before the
        rest is cut again."""
        whole.missing, rest = whole.bytes, None
        while (rest or whole).bytes > self.most:
            front, rest = self.cut_off(whole, rest, self.most, ctx)
            yield from self.enter(front, ctx)
        yield from self.enter(rest, ctx)

    def part_ended(self, part):
        whole = part.parent
        whole.error = whole.error or part.error
        whole.missing -= part.bytes
        if not whole.missing:
            whole.mark('x2c', part.end)
            self.ended(whole, part.end)

    def ended(self, io, time):
        io.end = time
        if io.on_end:
            io.on_end(io)

    def enter(self, io, ctx):
        if self.merge(io, ctx):
            return
        if ctx.nowait and not self.tags and io.kind == 'io' and \
                not io.cats & FLUSH:
            self.turn_away(io, ctx)
            return
        yield from self.get_tag(ctx)
        io.mark('q2g', self.m.about(io, 'G', ctx))
        rq = Request(io, ctx.cpu)
        if io.cats & FLUSH or io.cats & FUA and not self.has_fua:
            self.sequence(rq)
        elif ctx.plug:
            ctx.plug.add(self, rq)
        else:
            self.insert([rq], ctx, False)

    def turn_away(self, io, ctx):
        """RWF_NOWAIT: it ends before it has a request, and not as one."""
        io.events, io.done = io.events + 1, io.bytes
        io.cpu_c, io.error = ctx.cpu, EAGAIN
        self.ended(io, self.m.emit(self.dev, 'C', io.cats, io.sector, io.bytes,
                                   ctx.pid, ctx.cpu, error=EAGAIN))

    def get_tag(self, ctx):
        while not self.tags:
            if ctx.plug:
                ctx.plug.flush('UT')
            if not self.tags:
                yield self.wait_tag
        self.tags -= 1

    # --- merges -------------------------------------------------------------

    def may_grow(self, rq, io):
        return not (rq.cats | io.cats) & (FLUSH | FUA | PC) and \
            not (rq.cats ^ io.cats) & WAY and rq.bytes and io.bytes and \
            not (self.most and rq.bytes + io.bytes > self.most)

    def merge(self, io, ctx):
        """Whether a request of the plug, or in the scheduler, took it."""
        for rq in ctx.plug.mergeable(self) if ctx.plug else ():
            if self.merge_into(rq, io, ctx):
                return True
        if not self.scheduler:
            return False
        for rq in reversed(self.queue):
            if not rq.issues and not rq.requeues and rq.inserted and \
                    self.merge_into(rq, io, ctx):
                self.merge_queued(rq, ctx)
                return True
        return False

    def merge_into(self, rq, io, ctx):
        if not self.may_grow(rq, io):
            return False
        if io.cats & DISCARD and self.p.get('ranges'):
            if rq.sector == io.sector or len(rq.ios) > 30:
                return False
            io.merge = 'silent'
            rq.ios.append(io)
            rq.silent.append(io)
        elif rq.limit == io.sector:
            io.mark('q2m', self.m.about(io, 'M', ctx))
            io.merge = 'back'
            rq.ios.append(io)
        elif io.limit == rq.sector:
            io.mark('q2m', self.m.about(io, 'F', ctx))
            io.merge = 'front'
            rq.ios.insert(0, io)
            rq.sector = io.sector
        else:
            return False
        rq.bytes += io.bytes
        io.request = rq
        return True

    def merge_queued(self, rq, ctx):
        """It grew: it may touch another one that waits."""
        for other in list(self.queue):
            if other is rq or not self.is_idle(other):
                continue
            if rq.limit == other.sector and self.join(rq, other, ctx):
                self.queue.remove(other)
                return
            if other.limit == rq.sector and self.join(other, rq, ctx):
                self.queue.remove(rq)
                return

    def is_idle(self, rq):
        return rq.inserted and not rq.issues and not rq.requeues

    def join(self, rq, other, ctx):
        """The other's ios ride in rq from now on."""
        if (rq.cats | other.cats) & (FLUSH | FUA | DISCARD | PC) or \
                (rq.cats ^ other.cats) & WAY or not rq.bytes or \
                self.most and rq.bytes + other.bytes > self.most:
            return False
        rq.events += other.events + 1
        time = self.m.emit(self.dev, 'M', other.cats | FS, other.sector,
                           other.bytes, ctx.pid, ctx.cpu)
        for io in other.ios:
            if io is other.lead:
                io.merge = 'request'
                io.marks = [m for m in io.marks if m[0] == 'q2g']
                io.mark('g2m', time)
            io.request = rq
        rq.ios += other.ios
        rq.bytes += other.bytes
        self.free_tag()
        return True

    # --- scheduler ----------------------------------------------------------

    def insert(self, requests, ctx, sleeps):
        """Or straight to the driver."""
        direct = not self.scheduler and not sleeps
        for rq in requests:
            if direct and self.inflight < self.depth:
                if self.chance('busy'):         # the driver has no room
                    self.send_back(rq, ctx, False)
                else:
                    self.issue(rq, ctx)
                continue
            if self.scheduler and any(self.is_idle(q) and
                                      q.limit == rq.sector and
                                      self.join(q, rq, ctx)
                                      for q in self.queue):
                continue
            self.emit_request(rq, 'I', ctx.pid, ctx.cpu)
            rq.inserted = self.m.now
            self.queue.append(rq)
        if self.queue:
            self.run_later(ctx if self.m.random.random() < .5 else
                           Context(KBLOCKD, ctx.cpu))

    def emit_request(self, rq, letter, pid, cpu, error=0, size=None):
        rq.events, rq.silent = rq.events + 1, []
        command = rq.cats & PC
        time = self.m.emit(self.dev, letter,
                           rq.cats if command else self.driver_cats(rq) | FS,
                           rq.sector + (rq.done >> 9) * (not command),
                           rq.left() if size is None else size, pid, cpu,
                           error=error)
        if rq.lead.time is None:
            self.first_seen(rq.lead, letter, time, pid, cpu)
        return time

    def first_seen(self, io, letter, time, pid, cpu):
        """No event came when it was made."""
        io.birth, io.pid, io.cpu = letter, pid, cpu
        self.m.born(io, time)

    def driver_cats(self, rq):
        """Flush flags are the block layer's, and go."""
        cats = rq.cats & ~FLUSH
        if rq.cats & (FLUSH | FUA) and not self.has_fua:
            cats &= ~FUA
        return cats | SYNC if rq.steps or rq.sequenced else cats

    def run_later(self, ctx):
        delay = self.p.get('hold', 0) or 2500
        self.m.after(self.m.random.choice((1, delay)), self.dispatch,
                     Context(ctx.pid, ctx.cpu))

    def dispatch(self, ctx):
        while self.queue and self.inflight < self.depth:
            n = self.m.random.randrange(min(3, len(self.queue)))
            rq = self.queue.pop(n)
            if self.chance('busy') and not rq.issues and not rq.cats & PC:
                self.send_back(rq, ctx, False)
                return
            self.issue(rq, ctx)

    # --- driver -------------------------------------------------------------

    def count(self, more):
        self.inflight += more
        self.depths.append((self.m.now, self.inflight))

    def issue(self, rq, ctx):
        time = self.emit_request(rq, 'D', ctx.pid, ctx.cpu)
        self.count(1)
        rq.cpu_d, rq.depth, rq.reissued = ctx.cpu, self.inflight, time
        rq.issues += 1
        if rq.issued is None:
            rq.issued, rq.first_bytes = time, rq.bytes
        if rq is not self.last and rq.bytes and not rq.cats & PC:
            rq.seek = None if self.head is None else rq.sector - self.head
            self.head, self.last = rq.limit, rq
        self.drive(rq)

    def drive(self, rq):
        r = self.m.random
        if self.chance('requeue') and rq.requeues < 3 and not rq.done:
            self.m.after(r.randrange(500, 3000), self.send_back, rq,
                         Context(REQUEUER, rq.cpu_d), True)
            return
        if self.hangs and self.m.now >= self.hangs[0] and \
                r.random() < self.hangs[1]:
            return
        delay = r.expovariate(1 / self.latency) + 3000 + (rq.bytes >> 4)
        if self.chance('error'):
            self.m.after(delay, self.complete, rq, rq.left(), 5)
        elif len(rq.ios) > 1 and self.chance('partial') and \
                not rq.cats & DISCARD:
            self.m.after(delay, self.progress, rq)
        else:
            self.m.after(delay, self.complete, rq, rq.left(), 0)

    def send_back(self, rq, ctx, issued):
        self.emit_request(rq, 'R', ctx.pid, ctx.cpu)
        rq.requeues += 1
        if issued:
            self.count(-1)
        self.queue.insert(0, rq)
        self.m.after(self.m.random.randrange(3000, 60000), self.dispatch,
                     Context(KBLOCKD, ctx.cpu))

    def completing_cpu(self, rq):
        return self.m.any_cpu() if self.chance('other_cpu') else rq.cpu_d

    def some_done(self, rq, size, error):
        """A C with bytes; when."""
        cpu = self.completing_cpu(rq)
        time = self.emit_request(rq, 'C', 0, cpu, error, size)
        rq.cpu_c = cpu
        rq.done += size
        reach = rq.sector + (rq.done >> 9)
        for io in rq.ios:
            if 'C' not in io.at and (not rq.left() or io.limit <= reach and
                                     not io.cats & DISCARD):
                io.at['C'], io.error = time, error
        return time

    def progress(self, rq):
        time = self.some_done(rq, rq.ios[0].bytes, 0)
        self.end_bios(rq, False)
        if self.hangs and time >= self.hangs[0]:
            return
        self.m.after(self.m.random.randrange(1000, 50000), self.complete, rq,
                     rq.left(), 0)

    def complete(self, rq, size, error):
        rq.data_end = self.some_done(rq, size, error)
        self.count(-1)
        if self.queue:
            self.m.after(500, self.dispatch, Context(KBLOCKD, rq.cpu_c))
        if rq.sequenced:
            self.flusher(rq).data_ended(rq)
        if rq.sequenced and not error:
            self.next_step(rq)
            return
        self.finish(rq)

    def end_bios(self, rq, all_of_them):
        """The bios whose bytes are done; their callers go on."""
        for io in rq.ios:
            if 'C' in io.at and 'done' not in io.at and \
                    (all_of_them or not rq.sequenced):
                io.at['done'] = io.at['C']
                self.ended(io, io.at['C'])

    def finish(self, rq):
        self.end_bios(rq, True)
        self.free_tag()

    def free_tag(self):
        self.tags += 1
        self.m.open_gate(self.wait_tag, 1)

    # --- the flush machinery ------------------------------------------------

    def flusher(self, rq):
        number = rq.cpu if self.queues > 1 else 0
        return self.flushers.setdefault(number, Flusher(self, number))

    def sequence(self, rq):
        """Before, data, after: what of these the disk needs."""
        rq.steps = []
        if rq.cats & FLUSH:
            rq.steps.append('before')
        if rq.bytes:
            rq.steps.append('data')
            rq.sequenced = True
            if rq.cats & FUA and not self.has_fua:
                rq.steps.append('after')
        self.next_step(rq)

    def next_step(self, rq):
        if not rq.steps:
            self.m.after(1, self.sequence_end, rq)
            return
        step = rq.steps.pop(0)
        if step == 'data':
            self.flusher(rq).data.add(rq)
            self.m.after(900, self.issue_data, rq)
        else:
            self.flusher(rq).wait(rq, step)

    def issue_data(self, rq):
        ctx = Context(KBLOCKD, rq.cpu)
        if self.inflight < self.depth:
            self.issue(rq, ctx)
        else:
            self.queue.insert(0, rq)

    def sequence_end(self, rq, cpu=None):
        """The C of no bytes."""
        rq.cpu_c = rq.cpu_c if cpu is None else cpu
        rq.events += 1
        time = self.m.emit(self.dev, 'C', self.driver_cats(rq) | FS,
                           rq.sector, 0, 0, rq.cpu_c)
        for io in rq.ios:
            io.at['C'] = time
        rq.sequence_end = time
        self.finish(rq)

    # --- commands -----------------------------------------------------------

    def command(self, ctx, way, size, on_end):
        """A passthrough command, such as SG_IO's: a request without a bio.
        It has no sector, and neither plug nor scheduler."""
        yield from self.get_tag(ctx)
        io = Io(self.dev, way | PC, 0, size, ctx, 'pass')
        io.on_end = on_end
        rq = Request(io, ctx.cpu)
        if self.inflight < self.depth:
            self.issue(rq, ctx)
        else:
            self.queue.append(rq)
            self.run_later(ctx)


class Flusher:
    """The flush machinery of one hardware queue: one flush at a time serves
    all that wait, and waits itself while data of sequences is at the driver."""

    def __init__(self, disk, number):
        self.disk, self.m, self.number = disk, disk.m, number
        self.waiting, self.data, self.running = [], set(), False

    def wait(self, rq, step):
        self.waiting.append((rq, step))
        self.kick()

    def data_ended(self, rq):
        self.data.discard(rq)
        self.kick()

    def kick(self):
        if self.waiting and not self.running and not self.data:
            self.running = True
            self.m.after(self.m.random.randrange(1000, 5000), self.issue)

    def issue(self):
        disk, many = self.disk, self.disk.queues > 1
        cpu = self.number if many else self.m.any_cpu()
        io = Io(disk.dev, FLUSH, 0, 0, Context(KBLOCKD, cpu), 'flush')
        io.birth = 'D'
        rq = Request(io, cpu)
        rq.events = 1
        served, self.waiting = self.waiting, []
        self.m.born(io, self.m.emit(disk.dev, 'D', FLUSH | FS, 0, 0, KBLOCKD,
                                    cpu))
        disk.count(1)
        rq.issued = rq.reissued = io.time
        rq.issues, rq.cpu_d, rq.depth, rq.first_bytes = 1, cpu, \
            disk.inflight, 0
        if disk.hangs and io.time >= disk.hangs[0]:
            return
        delay = self.m.random.expovariate(1 / disk.latency) + 2000
        self.m.after(delay, self.ended, io, rq, served)

    def ended(self, io, rq, served):
        disk = self.disk
        rq.events += 1
        rq.cpu_c = rq.cpu_d if disk.queues > 1 else disk.completing_cpu(rq)
        time = self.m.emit(disk.dev, 'C', FLUSH | FS, 0, 0, 0, rq.cpu_c)
        rq.data_end = io.at['C'] = time
        disk.count(-1)
        self.running = False
        disk.ended(io, time)
        for waiter, step in served:
            self.serve(waiter, step, io, rq.cpu_c, time)
        self.kick()

    def serve(self, waiter, step, flush, cpu, time):
        if step == 'before':
            waiter.flush, waiter.preflushed = flush, time
        else:
            waiter.flush2 = flush
        if waiter.steps:
            self.disk.next_step(waiter)
        else:
            self.disk.sequence_end(waiter, cpu)
