# SPDX-License-Identifier: GPL-2.0-only
"""Devices over others: partitions, device mapper, md."""
import struct

from cutter import Cutter
from machine import Context, DM, CRYPT, EIO, FLUSH, Gate, Io, MD, Remap, SYNC, \
    WRITE, Worker

NEVER = 1 << 62


class Partition:
    """Its I/Os are the disk's, announced by an A there."""

    def __init__(self, disk, dev, start):
        self.disk, self.dev, self.start, self.m = disk, dev, start, disk.m

    def submit(self, ctx, cats, sector, size, on_end, remap=None):
        low = sector + self.start
        if size:
            time = announce(self, ctx, cats, low, size, self.dev, sector)
            if remap:
                remap.events += 1
            else:
                remap = Remap(None, time, self.dev, sector)
        else:
            low = sector
        yield from self.disk.submit(ctx, cats, low, size, on_end, remap)


def announce(target, ctx, cats, low, size, dev, sector):
    """An A on the stream of the disk below."""
    payload = struct.pack('>IIQ', dev, target.disk.dev, sector)
    return target.m.emit(target.disk.dev, 'A', cats, low, size, ctx.pid,
                         ctx.cpu, payload)


class Stack:
    """What all have in common: children, and a C of its own at the end."""

    def __init__(self, machine, name, dev, below):
        self.m, self.name, self.dev, self.below = machine, name, dev, below
        self.disk, self.start, self.depths = self, 0, None

    def queue(self, ctx, cats, sector, size, on_end, remap):
        io = Io(self.dev, cats, sector, size, ctx)
        io.on_end, io.waits = on_end, 0
        self.m.born(io, self.m.about(io, 'Q', ctx), remap)
        return io

    def remap(self, io, ctx, target, low, sector, size, cats):
        """An A, by which the lower I/O knows whose child it is."""
        io.waits += 1
        time = announce(target, ctx, cats, low, size, self.dev, sector)
        return Remap(io, time, self.dev, sector)

    def child_ended(self, io, child, then):
        io.waits -= 1
        io.below += 1
        io.below_bytes += child.bytes
        io.below_end = child.end
        io.error = io.error or child.error
        if not io.waits:
            then()

    def finish(self, io, sector, size):
        """Its own C, soon."""
        self.m.after(self.m.random.randrange(200, 6000), self.complete, io,
                     sector, size)

    def complete(self, io, sector, size):
        io.cpu_c = self.m.any_cpu()
        io.events += 1
        time = self.m.emit(self.dev, 'C', io.cats, sector, size, 0, io.cpu_c,
                           error=io.error)
        io.done += size
        if io.children:
            io.mark('lower', io.below_end)
            io.mark('a2c', time)
        else:
            io.mark('rest', time)
        io.end = time
        if io.on_end:
            io.on_end(io)


class Mapper(Stack):
    """Device mapper: linear, or striped.  What crosses a chunk is cut without
    parts, and has one C, of the range of the last piece."""

    def __init__(self, machine, name, dev, below, chunk, offset):
        super().__init__(machine, name, dev, below)
        self.chunk, self.offset = chunk, offset         # sectors
        self.worker = Worker(machine, DM)
        self.suspended = NEVER, NEVER   # from when, until when
        self.refuses = 0                # chance that nothing goes below

    def place(self, sector):
        """(target, its sector, sectors until the chunk's end)"""
        if len(self.below) == 1 or not self.chunk:
            return self.below[0], sector + self.offset, 1 << 40
        n, within = divmod(sector, self.chunk)
        row, which = divmod(n, len(self.below))
        low = row * self.chunk + within + self.offset
        return self.below[which], low, self.chunk - within

    def submit(self, ctx, cats, sector, size, on_end, remap=None):
        io = self.queue(ctx, cats, sector, size, on_end, remap)
        since, until = self.suspended
        if since <= self.m.now < until:
            io.held = True
            if until < NEVER:
                self.m.after(until - self.m.now, self.worker.give,
                             lambda w: self.map(io, w, cats))
            return
        yield from self.map(io, ctx, cats)

    def map(self, io, ctx, cats):
        if self.refuses and self.m.random.random() < self.refuses:
            io.error = EIO
            self.finish(io, io.sector, io.bytes)
        elif cats & FLUSH:
            yield from self.flush(io, ctx)
        else:
            yield from self.data(io, ctx, cats)

    def flush(self, io, ctx):
        """An empty one to each below, then the data by a worker."""
        def then():
            if io.bytes and not io.error:
                self.worker.give(lambda w: self.data(io, w, io.cats & ~FLUSH))
            elif io.bytes:
                self.finish(io, io.sector, io.bytes)
            else:               # by what completed the last one below
                self.complete(io, io.sector, 0)
        io.waits += 1
        for target in self.below:
            found = self.remap(io, ctx, target, io.sector, io.sector, 0,
                               io.cats)
            yield from target.submit(
                ctx, io.cats, io.sector, 0,
                lambda child: self.child_ended(io, child, then), found)
        self.all_sent(io, then)

    def all_sent(self, io, then):
        io.waits -= 1
        if not io.waits:
            then()

    def data(self, io, ctx, cats):
        sector, left = io.sector, io.bytes
        last = [sector, left]
        io.waits += 1

        def then():
            self.finish(io, *last)
        while left:
            target, low, room = self.place(sector)
            piece = min(left, room << 9)
            found = self.remap(io, ctx, target, low, sector, piece, cats)
            start = low
            sector, left = sector + (piece >> 9), left - piece
            if left:
                io.events += 1
                self.m.emit(self.dev, 'X', cats, sector, left, ctx.pid,
                            ctx.cpu, struct.pack('>Q', sector))
                last[:] = sector, left
            yield from target.submit(
                ctx, cats, start, piece,
                lambda child: self.child_ended(io, child, then), found)
        self.all_sent(io, then)


class Crypt(Mapper):
    """Writes are encrypted by a thread first, reads decrypted afterwards."""

    def __init__(self, machine, name, dev, below, offset):
        super().__init__(machine, name, dev, [below], None, offset)
        self.crypt = Worker(machine, CRYPT)

    def data(self, io, ctx, cats):
        if not cats & WRITE:
            yield from super().data(io, ctx, cats)
            return
        self.crypt.give(lambda w: self.encrypted(io, w, cats))
        yield 100

    def encrypted(self, io, ctx, cats):
        yield self.m.random.randrange(2000, 30000)
        yield from super().data(io, ctx, cats)


class Raid(Stack):
    """md: a flush is sent to each disk without an A."""

    def __init__(self, machine, name, dev, below, offset):
        super().__init__(machine, name, dev, below)
        self.offset = offset
        self.worker = Worker(machine, MD)

    def submit(self, ctx, cats, sector, size, on_end, remap=None):
        io = self.queue(ctx, cats, sector, size, on_end, remap)
        if cats & FLUSH:
            self.worker.give(lambda w: self.flush(io, w))
            return
        yield from self.data(io, ctx, cats)

    def flush(self, io, ctx):
        left, done = [len(self.below)], Gate()

        def ended(_):
            left[0] -= 1
            if left[0]:
                return
            self.m.open_gate(done)
            if io.bytes:
                self.worker.give(lambda w: self.data(io, w, io.cats & ~FLUSH))
            else:
                self.finish(io, io.sector, 0)
        for target in self.below:
            yield from target.submit(ctx, WRITE | FLUSH | SYNC, 0, 0, ended)
        while left[0]:                  # the next flush waits for this one
            yield done


class Raid0(Raid, Cutter):
    """What crosses a chunk is cut into parts, each with its own C."""

    def __init__(self, machine, name, dev, below, offset, chunk):
        super().__init__(machine, name, dev, below, offset)
        self.chunk = chunk

    def place(self, sector):
        n, within = divmod(sector, self.chunk)
        row, which = divmod(n, len(self.below))
        return self.below[which], row * self.chunk + within + self.offset, \
            self.chunk - within

    def data(self, io, ctx, cats):
        io.missing, rest = io.bytes, io
        while True:
            target, low, room = self.place(rest.sector)
            front, size = rest, room << 9
            if rest.bytes > size:
                front, rest = self.cut_off(io, None if rest is io else rest,
                                           size, ctx)
            yield from self.send(front, ctx, cats, target, low, front.bytes)
            if front is rest:
                return

    def part_ended(self, part):
        io = part.parent
        io.error = io.error or part.error
        io.missing -= part.bytes
        if not io.missing:
            io.mark('x2c', part.end)
            io.end = part.end
            if io.on_end:
                io.on_end(io)

    def send(self, io, ctx, cats, target, low, size):
        found = self.remap(io, ctx, target, low, io.sector, size, cats)

        def ended(child):
            self.child_ended(io, child, lambda: self.finish(
                io, io.sector, io.bytes))
        yield from target.submit(ctx, cats, low, size, ended, found)


class Raid1(Raid):
    """Writes go to all disks, maybe by the array's thread; a read that fails
    is tried again on the next."""

    def data(self, io, ctx, cats):
        low = io.sector + self.offset
        targets = self.below if cats & WRITE else \
            [self.m.random.choice(self.below)]
        found = [(t, self.remap(io, ctx, t, low, io.sector, io.bytes, cats))
                 for t in targets]

        def ended(child):
            if child.error and not cats & WRITE and io.children == 1:
                io.waits -= 1
                io.below += 1
                io.below_end = child.end
                self.worker.give(lambda w: self.again(io, w, cats, low,
                                                      targets[0]))
                return
            self.child_ended(io, child, lambda: self.finish(
                io, io.sector, io.bytes))
        if cats & WRITE and self.m.random.random() < .3:
            self.worker.give(lambda w: self.send(w, cats, low, io, found,
                                                 ended))
            return
        yield from self.send(ctx, cats, low, io, found, ended)

    def send(self, ctx, cats, low, io, found, ended):
        for target, remap in found:
            yield from target.submit(ctx, cats, low, io.bytes, ended, remap)

    def again(self, io, ctx, cats, low, failed):
        target = next(t for t in self.below if t is not failed)
        remap = self.remap(io, ctx, target, low, io.sector, io.bytes, cats)
        yield from target.submit(
            ctx, cats, low, io.bytes,
            lambda child: self.child_ended(io, child, lambda: self.finish(
                io, io.sector, io.bytes)), remap)
