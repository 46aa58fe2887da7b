# SPDX-License-Identifier: GPL-2.0-only
"""What cuts an I/O into parts."""
import struct

from machine import Io


class Cutter:
    """A device whose parts call part_ended() at their end."""

    def cut_off(self, whole, rest, size, ctx):
        """An X: (the front, what is left)."""
        from_here = rest or whole
        sector, left = from_here.sector, from_here.bytes
        limit = sector + (size >> 9)
        whole.events += 1
        time = self.m.emit(self.dev, 'X', whole.cats, sector, size, ctx.pid,
                           ctx.cpu, struct.pack('>Q', limit))
        if rest:
            rest.bytes = size
        else:
            whole.mark('q2x', time)
            rest = self.part(whole, sector, size, ctx, time)
        return rest, self.part(whole, limit, left - size, ctx, time)

    def part(self, whole, sector, size, ctx, time):
        part = Io(self.dev, whole.cats, sector, size, ctx, 'part')
        part.birth, part.parent, part.link = 'X', whole, 'split'
        part.source, part.waits = whole.source, 0
        whole.parts += 1
        self.m.born(part, time)
        part.on_end = self.part_ended
        return part
