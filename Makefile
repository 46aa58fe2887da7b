# The suite's programs, tests, benches and installation.
#
#	make			build everything
#	make check		all tests that need no special machine
#	make check-asan, check-ubsan, check-tsan, check-valgrind
#				the same under a checker
#	make fuzz		the fuzzer for FUZZ_SECONDS
#	make bench, bench-instr, bench-live, bench-btt
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
BASE = base/bracket.o base/buf.o base/folder.o base/hash.o base/heap.o base/limit.o \
	base/msg.o base/num.o base/rbtree.o base/sysfs.o
TRACE = trace/action.o trace/clock.o trace/device.o trace/files.o \
	trace/holes.o trace/hooks.o trace/input.o trace/live.o trace/look.o trace/merge.o \
	trace/names.o trace/pair.o trace/payload.o trace/piece.o \
	trace/record.o trace/rwbs.o trace/source.o trace/stream.o \
	trace/track.o trace/unzip.o trace/window.o
EMIT = emit/cdb.o emit/dump.o emit/format.o emit/formats.o emit/line.o \
	emit/summary.o
CAPTURE = capture/bpf.o capture/bpf_cpu.o capture/bpf_kernel.o \
	capture/bpf_probe.o capture/bpf_ring.o capture/checkup.o \
	capture/cpus.o capture/doctor.o \
	capture/ftrace.o capture/ftrace_cpu.o capture/ftrace_names.o \
	capture/ftrace_remark.o capture/kernel.o capture/machine.o \
	capture/relay.o capture/resolve.o capture/sink_file.o \
	capture/sink_net.o capture/sink_pipe.o capture/span.o \
	capture/switches.o capture/totals.o capture/version.o \
	capture/worker.o
SERVER = server/allow.o server/listen.o server/report.o server/runs.o \
	server/server.o server/store.o server/talk.o server/walk.o
# of btrecord and btreplay, what tests can reach
REPLAY = replay/bunch.o replay/bundle.o replay/devmap.o replay/gate.o \
	replay/guard.o replay/named.o replay/pace.o replay/recording.o \
	replay/report.o replay/shelf.o replay/spread.o replay/survey.o
# all of iotracer but its main file, for tests, too
WATCH = watch/add.o watch/backend.o watch/child.o watch/extents.o watch/find.o \
	watch/hold.o watch/line.o watch/log.o watch/oneshot.o watch/options.o \
	watch/output.o watch/paths.o watch/pins.o watch/profile.o \
	watch/records.o watch/stat.o watch/verbs.o watch/watched.o
LIB = $(BASE) act_mask.o $(TRACE) stats.o $(EMIT) net.o $(CAPTURE) $(SERVER) \
	$(REPLAY)

NAMES = blkiomon blkparse blkrawverify blktrace btrecord btreplay btt \
	iotracer verify_blkparse
SCRIPTS = bno_plot btrace btt_plot
PROGRAMS = $(addprefix $(OUT)/,$(NAMES))
BLKPARSE = blkparse.o parse/options.o parse/show.o
# all of btt but its main file, for tests, too
BTT = timeline/array.o timeline/busy.o timeline/datafile.o timeline/devmap.o \
	timeline/disk.o timeline/file_blocks.o timeline/file_depth.o \
	timeline/file_iostat.o timeline/file_latency.o \
	timeline/file_per_second.o timeline/file_periods.o \
	timeline/file_rates.o timeline/file_requests.o timeline/file_seeks.o \
	timeline/file_sizes.o timeline/file_unplugs.o timeline/inputs.o \
	timeline/iostat.o timeline/life.o timeline/machine.o \
	timeline/options.o timeline/outputs.o timeline/plots.o \
	timeline/processes.o timeline/progress.o timeline/ranges.o \
	timeline/remappers.o timeline/report.o timeline/report_active.o \
	timeline/report_averages.o timeline/report_merges.o \
	timeline/report_overhead.o timeline/report_periods.o \
	timeline/report_plugs.o timeline/report_ranges.o \
	timeline/report_seeks.o timeline/report_waits.o timeline/requests.o \
	timeline/seconds.o timeline/seeks.o timeline/select.o timeline/state.o \
	timeline/trio.o timeline/waits.o
BLKTRACE = blktrace.o session/device.o session/leftover.o session/options.o \
	session/session.o session/via_bpf.o session/via_ftrace.o \
	session/via_relay.o
# also for tests of its parts
IOMON = tools/iomon/debug.o tools/iomon/ledger.o tools/iomon/options.o \
	tools/iomon/pairs.o tools/iomon/queue.o tools/iomon/report.o
BLKRAWVERIFY = tools/blkrawverify.o tools/rawverify/check.o \
	tools/rawverify/dump.o

BTRECORD = btrecord.o replay/record_options.o replay/recorder.o replay/take.o
BTREPLAY = btreplay.o replay/channel.o replay/diary.o replay/fault.o \
	replay/feeder.o replay/load.o replay/memory.o replay/plan.o \
	replay/reaper.o replay/replay.o replay/replay_options.o \
	replay/supervise.o replay/target.o

PAGES_1 = doc/blkparse.1 doc/blkrawverify.1 doc/bno_plot.1 doc/btt.1 \
	doc/btt_plot.1 doc/verify_blkparse.1
PAGES_5 = doc/blktrace.5 doc/blktrace-net.5 doc/btreplay.5
PAGES_8 = doc/blkiomon.8 doc/blktrace.8 doc/btrace.8 \
	doc/btrecord.8 doc/btreplay.8 doc/iotracer.8

all: $(PROGRAMS) $(addprefix $(OUT)/,$(SCRIPTS))

# what the programs share; an archive for linker optimization needs its tool
ARCHIVE = $(BUILD)/rooms.a

$(ARCHIVE): $(addprefix $(BUILD)/,$(LIB))
	@rm -f $@
	$(AR) rcs $@ $^

$(OUT)/blkparse: $(addprefix $(BUILD)/,$(BLKPARSE)) $(ARCHIVE)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(OUT)/blktrace: $(addprefix $(BUILD)/,$(BLKTRACE)) $(ARCHIVE)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(OUT)/iotracer: $(addprefix $(BUILD)/,iotracer.o $(WATCH)) $(ARCHIVE)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(OUT)/btrecord: $(addprefix $(BUILD)/,$(BTRECORD)) $(ARCHIVE)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(OUT)/btreplay: $(addprefix $(BUILD)/,$(BTREPLAY)) $(ARCHIVE)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS) -laio

$(OUT)/btt: $(addprefix $(BUILD)/,btt.o $(BTT)) $(ARCHIVE)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(OUT)/blkiomon: $(addprefix $(BUILD)/,tools/blkiomon.o $(IOMON)) $(ARCHIVE)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(OUT)/verify_blkparse: $(BUILD)/tools/verify_blkparse.o $(ARCHIVE)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(OUT)/blkrawverify: $(addprefix $(BUILD)/,$(BLKRAWVERIFY)) $(ARCHIVE)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(addprefix $(OUT)/,$(SCRIPTS)): $(OUT)/%: tools/%
	$(INSTALL) $< $@

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

demo: all
	@sh tests/demo $(OUT)

include capture/bpf/Makefile
include tests/Makefile
include bench/Makefile

install: all
	$(INSTALL) -d $(DESTDIR)$(bindir) $(DESTDIR)$(mandir)/man1 \
		$(DESTDIR)$(mandir)/man5 $(DESTDIR)$(mandir)/man8
	$(INSTALL) $(PROGRAMS) $(addprefix $(OUT)/,$(SCRIPTS)) \
		$(DESTDIR)$(bindir)
	$(INSTALL) -m 644 $(PAGES_1) $(DESTDIR)$(mandir)/man1
	$(INSTALL) -m 644 $(PAGES_5) $(DESTDIR)$(mandir)/man5
	$(INSTALL) -m 644 $(PAGES_8) $(DESTDIR)$(mandir)/man8

uninstall:
	cd $(DESTDIR)$(bindir) && rm -f $(NAMES) $(SCRIPTS)
	cd $(DESTDIR)$(mandir)/man1 && rm -f $(notdir $(PAGES_1))
	cd $(DESTDIR)$(mandir)/man5 && rm -f $(notdir $(PAGES_5))
	cd $(DESTDIR)$(mandir)/man8 && rm -f $(notdir $(PAGES_8))

clean:
	rm -rf $(BUILD) $(NAMES) $(SCRIPTS) bench/mktrace bench/cpu \
		bench/capture bench/naps

.PHONY: all demo install uninstall clean
