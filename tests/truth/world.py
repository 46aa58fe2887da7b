# SPDX-License-Identifier: GPL-2.0-only
"""A machine with its disks and processes, drawn by a seed."""
import random

from disk import Disk, Plug
from machine import (AHEAD, Context, DISCARD, EAGAIN, FLUSH, FUA, Gate,
                     Machine, META, READ, SYNC, WRITE, Worker, device)
from stack import Crypt, Mapper, NEVER, Partition, Raid0, Raid1

FAR = 1 << 24                   # sectors, more than are used
SIZES = ((4096,), (512, 4096, 8192), (4096, 65536, 131072))


def draw_disk(m, r, name, minor):
    return Disk(
        m, name, device(8, minor), scheduler=r.random() < .6,
        tags=r.choice((2, 8, 32)), most=r.choice((None, None, 16384, 65536)),
        fua=r.random() < .5, latency=r.choice((20000, 100000, 3000000)),
        depth=r.choice((1, 4, 32)), queues=r.choice((1, 1, m.cpus)),
        hangs=(10 ** 9 + r.randrange(10 ** 6, 10 ** 8), r.choice((.1, .5, 1)))
        if r.random() < .15 else None,
        chances={
            'requeue': r.choice((0, 0, .05, .3)), 'busy': r.choice((0, 0, .1)),
            'partial': r.choice((0, 0, .3)), 'error': r.choice((0, 0, .02)),
            'other_cpu': r.choice((0, .1, .6)),
            'hold': r.choice((0, 0, 200000)), 'ranges': r.random() < .3})


def draw_troubles(mapper, r):
    """dmsetup suspend, maybe without a resume; a target such as flakey."""
    if r.random() < .2:
        since = mapper.m.now + r.randrange(10 ** 5, 10 ** 8)
        mapper.suspended = since, r.choice((
            since + r.randrange(10 ** 4, 10 ** 7), NEVER))
    mapper.refuses = r.choice((0, 0, 0, 0, .05))


def over_parts(m, below):
    """Partitions of the disks, for what is stacked on them."""
    return [Partition(d, d.dev + 1, m.apart + (2048 << n))
            for n, d in enumerate(below)]


DM, DM1, MD = device(253, 0), device(253, 1), device(9, 0)

# what to stack: machine, random, two disks -> (devices, those that are used)
SHAPES = {
    'disk': lambda m, r, d: ([], d[:1]),
    'two': lambda m, r, d: ([], d),
    'part': lambda m, r, d: ([], over_parts(m, d[:1]) + list(d[:1])),
    'linear': lambda m, r, d: one(Mapper(m, 'dm-0', DM, d[:1], None, 2048)),
    'stripe': lambda m, r, d: one(Mapper(m, 'dm-0', DM, d,
                                         r.choice((8, 64, 256)), 2048)),
    'stripe-part': lambda m, r, d: one(Mapper(m, 'dm-0', DM, over_parts(m, d),
                                              64, 384)),
    'crypt': lambda m, r, d: one(Crypt(m, 'dm-0', DM, d[0], 4096)),
    'raid0': lambda m, r, d: one(Raid0(m, 'md0', MD, d, 2048,
                                       r.choice((8, 64, 256)))),
    'raid1': lambda m, r, d: one(Raid1(m, 'md0', MD, d, 2048)),
    'raid1-part': lambda m, r, d: one(Raid1(m, 'md0', MD, over_parts(m, d),
                                            2048)),
    'crypt-raid1': lambda m, r, d: two(m, Raid1(m, 'md0', MD, d, 2048)),
    'crypt-raid0': lambda m, r, d: two(m, Raid0(m, 'md0', MD, d, 2048, 64)),
}


def one(top):
    return [top], [top]


def two(m, lower):
    top = Crypt(m, 'dm-1', DM1, lower, 8192)
    return [lower, top], [top]


class Process:
    """One that submits in bursts, and waits for some of what it has sent."""

    def __init__(self, world, pid):
        r = world.random
        self.w, self.m, self.pid, self.random = world, world.machine, pid, r
        self.cpu, self.left = self.m.any_cpu(), world.count
        self.flying, self.most = 0, r.choice((1, 1, 4, 32))
        self.burst, self.sequential = r.choice((1, 4, 8)), \
            r.choice((0, .5, .9))
        self.migrates, self.next = r.choice((0, .1)), r.randrange(64) * 8
        self.gate, self.worker = Gate(), Worker(self.m, pid + 100)

    def run(self):
        r = self.random
        yield r.randrange(1, 100000)
        while self.left > 0:
            if r.random() < self.migrates:
                self.cpu = self.m.any_cpu()
            ctx = Context(self.pid, self.cpu)
            ctx.nowait = self.w.happens('nowait')
            if self.burst > 1 and r.random() < .8:
                ctx.plug = Plug(self.m, ctx)
            yield from self.send_burst(ctx)
            yield r.randrange(1000, 50000)

    def send_burst(self, ctx):
        for _ in range(min(self.burst, self.left)):
            self.left -= 1
            if self.w.happens('command'):
                yield from self.command(ctx)
            else:
                yield from self.send(ctx, r_choice(self.random, self.w.tops))
            yield self.random.randrange(300, 3000)
            if self.flying >= self.most:
                break
        if ctx.plug:
            ctx.plug.flush('U')
        while self.flying >= self.most:
            yield self.gate

    def send(self, ctx, top):
        cats, size = self.draw()
        sector = self.place(size)
        yield from self.submit(ctx, cats & FLUSH, lambda ended: top.submit(
            ctx, cats, sector, size, self.retrying(ctx, ended, lambda w: (
                top.submit(w, cats, sector, size, ended)))))

    def retrying(self, ctx, ended, again):
        """What to call at the end: what does not wait, but had to, is done
        again by a thread of io_uring."""
        def turned_away(io):
            if ctx.nowait and io.error == EAGAIN:
                self.worker.give(again)
            else:
                ended(io)
        return turned_away

    def command(self, ctx):
        """Such as SG_IO's, to a disk; the process waits for it.  Commands
        have no sector: if none is used twice, each process has its sizes."""
        r, own = self.w.more, self.pid * 4 * self.w.once
        disk, way = r.choice(self.w.drives), r.choice((READ, READ, WRITE))
        size = r.choice((36, 252, 512, 4096))
        if not own and r.random() < .2:
            way, size = READ, 0
        yield from self.submit(ctx, True, lambda ended: disk.command(
            ctx, way, size + own, ended))

    def submit(self, ctx, waits, way_in):
        """way_in(what to call at the end) returns the task that submits."""
        done = []
        self.flying += 1

        def ended(_):
            done.append(1)
            self.flying -= 1
            self.m.open_gate(self.gate)
        yield from way_in(ended)
        while waits and not done:
            if ctx.plug:
                ctx.plug.flush('UT')
            if not done:
                yield self.gate

    def draw(self):
        """(categories, bytes)"""
        r, w = self.random, self.w
        size, x = r.choice(w.sizes), r.random()
        if x < w.p_flush:
            return WRITE | FLUSH | SYNC, r.choice((0, 0, size))
        if x < w.p_flush + w.p_fua:
            return WRITE | FUA | SYNC | r.choice((0, META, FLUSH)), size
        if x < w.p_flush + w.p_fua + w.p_discard:
            return WRITE | DISCARD | SYNC * (r.random() < .5), size
        if r.random() < w.p_write:
            return WRITE | r.choice((0, SYNC, SYNC | META)), size
        return READ | r.choice((0, 0, AHEAD, META)), size

    def place(self, size):
        r, w = self.random, self.w
        if not size:
            return 0
        near = r.random() < self.sequential
        if w.once:
            sector = w.unused(self.next if near else None, size)
        elif near and self.next < w.span * 8:
            sector = self.next
        else:
            sector = r.randrange(w.span) * 8
        self.next = sector + (size >> 9)
        if near and r.random() < .1:            # merges at the front, too
            self.next = max(0, sector - (size >> 9))
        return sector


def r_choice(r, things):
    return things[0] if len(things) == 1 else r.choice(things)


class World:
    """Seed -> a machine that has run.  once: no sector is used twice."""

    def __init__(self, seed, count=None, once=None, shape=None):
        self.random = r = random.Random(seed)
        # for what was added later: worlds without it remain the same
        self.more = more = random.Random('more %d' % seed)
        self.machine = m = Machine(r, r.choice((1, 2, 4)))
        self.count = r.choice((20, 60, 150))
        self.count = count or self.count
        self.once = r.random() < .5
        if once is not None:
            self.once = once
        m.apart = FAR * self.once
        self.drives = self.disks = [draw_disk(m, r, 'sda', 0),
                                    draw_disk(m, r, 'sdb', 16)]
        self.shape = r.choice(sorted(SHAPES))
        self.shape = shape or self.shape
        stacked, self.tops = SHAPES[self.shape](m, r, tuple(self.disks))
        self.disks = self.disks + stacked
        for mapper in (s for s in stacked if isinstance(s, Mapper)):
            draw_troubles(mapper, more)
        self.sizes, self.span = r.choice(SIZES), r.choice((4, 64, 4096))
        self.p_flush, self.p_fua = r.choice((0, 0, .1)), r.choice((0, 0, .05))
        self.p_discard, self.p_write = r.choice((0, 0, .05)), \
            r.choice((0, .5, 1))
        self.p = {'command': more.choice((0, 0, 0, .05)),
                  'nowait': self.once and random.Random(
                      'nowait %d' % seed).choice((0, 0, 0, .7))}
        self.used, self.fresh = set(), 64
        if r.random() < .2:
            m.stop = m.now + r.randrange(10 ** 5, 5 * 10 ** 6)
        for pid in range(100, 100 + r.choice((1, 2, 5))):
            m.start(Process(self, pid).run())
        m.run()

    def happens(self, what):
        return self.p[what] and self.more.random() < self.p[what]

    def unused(self, wish, size):
        """A place that nothing has used: the wished for one, or a new one."""
        count = size >> 9
        while wish is None or any(s in self.used
                                  for s in range(wish, wish + count)):
            self.fresh += 256 + 8 * self.random.randrange(64)
            wish = self.fresh
        self.used.update(range(wish, wish + count))
        return wish

    def names(self):
        return {d.dev: d.name for d in self.disks}
