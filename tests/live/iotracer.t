#!/usr/bin/perl
# iotracer, and blktrace --via=bpf, on this machine's kernel.
#
#	BIN=DIR prove tests/live/iotracer.t
#
# Works in a private mount namespace, on filesystems on loop devices that it
# makes itself.  What fio did is known to the byte, so what is told is, too.
