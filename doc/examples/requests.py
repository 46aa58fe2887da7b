#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""A trace as a table for pandas, by libblktrace and ctypes.

    requests.py NAME...    prints what was done, how often, and how long it took
"""
import ctypes as c, sys

class Options(c.Structure):
    _fields_ = [("size", c.c_uint32), ("ios", c.c_uint32),
                ("directory", c.c_char_p), ("devices", c.c_void_p),
                ("device_count", c.c_size_t), ("start", c.c_uint64),
                ("end", c.c_uint64), ("quiet_ms", c.c_uint32),
                ("reserved", c.c_uint32)]

class Io(c.Structure):        # as far as it is wanted: there may be more of it
    _fields_ = [(name, c.c_uint32) for name in
                "size kind op link merge ended".split()] + \
               [(name, c.c_uint64) for name in
                "id parent rq flush flush2".split()] + \
               [(name, c.c_uint32) for name in "disk device".split()] + \
               [(name, c.c_uint64) for name in "sector bytes".split()] + \
               [(name, c.c_uint32) for name in "pid categories".split()] + \
               [("cgroup", c.c_uint64), ("host", c.c_uint16),
                ("error", c.c_uint16), ("birth", c.c_char), ("gap", c.c_uint8),
                ("sure", c.c_uint8), ("reserved", c.c_uint8),
                ("time", c.c_uint64), ("total", c.c_uint64)]

NONE = 2**64 - 1
lib = c.CDLL("libblktrace.so.0")
lib.blkt_error.restype = lib.blkt_op_name.restype = c.c_char_p

def ios(*names):
    """The ios of traces, each as a dict."""
    reader, io = c.c_void_p(), c.POINTER(Io)()
    got = lib.blkt_open(c.byref(reader),
                        c.byref(Options(size=c.sizeof(Options), ios=1)))
    for name in names:
        got = got or lib.blkt_add(reader, name.encode())
    while not got or got in (1, -4, -11):
        got = lib.blkt_next_io(reader, c.byref(io))
        if not got:
            break
        if got == 1:
            one = io.contents
            yield {"op": lib.blkt_op_name(one.op).decode(), "pid": one.pid,
                   "time": one.time, "sector": one.sector, "bytes": one.bytes,
                   "total": None if one.total == NONE else one.total}
    text = lib.blkt_error(reader).decode() if got < 0 and reader else got
    lib.blkt_close(reader)
    if got < 0:
        raise OSError(-got, text)

if __name__ == "__main__":
    import pandas
    table = pandas.DataFrame(ios(*sys.argv[1:]))
    print(table.groupby("op").agg({"bytes": ["count", "sum"],
                                   "total": ["median", "max"]}))
