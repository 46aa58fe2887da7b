# SPDX-License-Identifier: GPL-2.0-only
"""Writes the events of a simulated machine as version 7 files, a file for
each device and CPU, as the kernel does."""
import os
import struct

from machine import NAMES, NOTIFY

RECORD = struct.Struct('<IIQQIIIIIHH')
MAGIC = 0x65617407
PROCESS, CLOCK, MESSAGE = 0, 1, 2
START = 1763900000              # the time of day of the first event


def record(seq, time, sector, size, action, pid, dev, cpu, error, payload):
    return RECORD.pack(MAGIC, seq, time, sector, size, action, pid, dev, cpu,
                       error, len(payload)) + payload


def note(time, what, pid, dev, cpu, payload):
    return record(0, time, 0, 0, NOTIFY << 16 | what, pid, dev, cpu, 0,
                  payload)


def head(time, dev, cpu, pids):
    clock = note(time, CLOCK, 0, dev, cpu, struct.pack('<II', START, 0))
    return clock + b''.join(
        note(time, PROCESS, pid, dev, cpu,
             NAMES.get(pid, 'p%d' % pid).encode().ljust(16, b'\0'))
        for pid in pids)


class Files:
    """The streams of a run while they grow."""

    def __init__(self, machine):
        self.first = machine.events[0][0]
        self.pids = sorted({e[6] for e in machine.events})
        self.streams, self.numbers = {}, {}

    def stream(self, dev, cpu):
        key = dev, cpu
        if key not in self.streams:
            self.streams[key] = bytearray(head(self.first, dev, cpu,
                                               self.pids))
            self.numbers[key] = 0
        return self.streams[key]

    def add(self, event):
        time, dev, number, cats, sector, size, pid, cpu, payload, error = event
        stream = self.stream(dev, cpu)
        self.numbers[dev, cpu] += 1
        stream += record(self.numbers[dev, cpu], time, sector, size,
                         cats << 16 | number, pid, dev, cpu, error, payload)

    def dropped(self, time, dev, cpu, count):
        """What blktrace notes when the kernel has dropped events."""
        text = b'blktrace: %d dropped' % count
        self.stream(dev, cpu).extend(note(time, MESSAGE, 0, dev, cpu, text))

    def write(self, where, names):
        os.makedirs(where, exist_ok=True)
        for (dev, cpu), data in self.streams.items():
            with open('%s/%s.blktrace.%d' % (where, names[dev], cpu),
                      'wb') as f:
                f.write(data)
        return sorted({names[dev] for dev, _ in self.streams})


def write(machine, where, names):
    files = Files(machine)
    for event in machine.events:
        files.add(event)
    return files.write(where, names)
