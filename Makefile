# The suite's programs, tests, benches and installation.
#
#	make			build everything
#	make check		all tests that need no special machine
#	make check-asan, check-ubsan, check-valgrind
#				the same under a checker
#	make fuzz		the fuzzer for FUZZ_SECONDS
#	make bench, bench-instr, bench-live
#				see bench/README
#	make demo		parse a real trace
#	make install		to $(DESTDIR)$(prefix)

prefix = /usr/local
bindir = $(prefix)/bin
mandir = $(prefix)/share/man
INSTALL = install

CC = gcc
AR = gcc-ar
# calls between rooms are what every event pays for: let the linker inline
CFLAGS = -O2 -g -flto=auto
WARNINGS = -Wall -Wextra -Wshadow -Wmissing-prototypes
# CI sets this to -Werror; a newer compiler's opinion must not stop a user
WERROR =
CPPFLAGS = -I. -D_GNU_SOURCE
ALL_CFLAGS = -std=c11 $(CFLAGS) $(WARNINGS) $(WERROR) $(CPPFLAGS)
LDLIBS = -lz -lpthread

# Where objects and programs go: checkers build theirs beside ours.
BUILD = build
OUT = .

# The rooms, lowest floor first: doc/layout.md.
BASE = base/bracket.o base/buf.o base/hash.o base/heap.o base/msg.o \
	base/num.o
TRACE = trace/action.o trace/clock.o trace/device.o trace/files.o \
	trace/holes.o trace/input.o trace/live.o trace/look.o trace/merge.o \
	trace/names.o trace/pair.o trace/payload.o trace/record.o trace/rwbs.o \
	trace/source.o trace/stream.o trace/track.o trace/unzip.o \
	trace/window.o
EMIT = emit/cdb.o emit/dump.o emit/format.o emit/formats.o emit/line.o \
	emit/summary.o
CAPTURE = capture/bpf.o capture/bpf_cpu.o capture/bpf_kernel.o capture/bpf_probe.o \
	capture/bpf_ring.o capture/cpus.o capture/doctor.o capture/ftrace.o \
	capture/ftrace_cpu.o capture/ftrace_names.o capture/kernel.o \
	capture/relay.o capture/resolve.o capture/sink_file.o capture/sink_net.o \
	capture/sink_pipe.o capture/span.o capture/switches.o capture/totals.o \
	capture/worker.o
SERVER = server/allow.o server/listen.o server/report.o server/runs.o \
	server/server.o server/store.o server/talk.o server/walk.o
# all of iotracer but its main file, for tests, too
WATCH = watch/add.o watch/backend.o watch/child.o watch/extents.o watch/find.o \
	watch/hold.o watch/line.o watch/log.o watch/oneshot.o watch/options.o \
	watch/paths.o watch/pins.o watch/profile.o watch/records.o watch/stat.o \
	watch/target.o watch/verbs.o
LIB = $(BASE) act_mask.o $(TRACE) stats.o $(EMIT) net.o $(CAPTURE) $(SERVER) \
	$(WATCH)

NAMES = blkparse blktrace iotracer
PROGRAMS = $(addprefix $(OUT)/,$(NAMES))
BLKPARSE = blkparse.o parse/options.o parse/show.o
BLKTRACE = blktrace.o session/device.o session/options.o session/session.o \
	session/via_bpf.o session/via_ftrace.o session/via_relay.o
PAGES_1 = doc/blkparse.1
PAGES_5 = doc/blktrace.5 doc/blktrace-net.5
PAGES_8 = doc/blktrace.8 doc/btrace.8 doc/iotracer.8

all: $(PROGRAMS) $(OUT)/btrace

# what the programs share; an archive for linker optimization needs its tool
ARCHIVE = $(BUILD)/rooms.a

$(ARCHIVE): $(addprefix $(BUILD)/,$(LIB))
	@rm -f $@
	$(AR) rcs $@ $^

$(OUT)/blkparse: $(addprefix $(BUILD)/,$(BLKPARSE)) $(ARCHIVE)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(OUT)/blktrace: $(addprefix $(BUILD)/,$(BLKTRACE)) $(ARCHIVE)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(OUT)/iotracer: $(BUILD)/iotracer.o $(ARCHIVE)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(OUT)/btrace: tools/btrace
	$(INSTALL) $< $@

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -c -o $@ $<

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

demo: all
	@sh tests/demo $(OUT)

include capture/bpf/Makefile
include tests/Makefile
include bench/Makefile

install: all
	$(INSTALL) -d $(DESTDIR)$(bindir) $(DESTDIR)$(mandir)/man1 \
		$(DESTDIR)$(mandir)/man5 $(DESTDIR)$(mandir)/man8
	$(INSTALL) $(PROGRAMS) $(OUT)/btrace $(DESTDIR)$(bindir)
	$(INSTALL) -m 644 $(PAGES_1) $(DESTDIR)$(mandir)/man1
	$(INSTALL) -m 644 $(PAGES_5) $(DESTDIR)$(mandir)/man5
	$(INSTALL) -m 644 $(PAGES_8) $(DESTDIR)$(mandir)/man8

uninstall:
	cd $(DESTDIR)$(bindir) && rm -f $(NAMES) btrace
	cd $(DESTDIR)$(mandir)/man1 && rm -f $(notdir $(PAGES_1))
	cd $(DESTDIR)$(mandir)/man5 && rm -f $(notdir $(PAGES_5))
	cd $(DESTDIR)$(mandir)/man8 && rm -f $(notdir $(PAGES_8))

clean:
	rm -rf $(BUILD) $(NAMES) btrace bench/mktrace bench/cpu

.PHONY: all demo install uninstall clean
