# SPDX-License-Identifier: GPL-2.0-only
# The suite's programs, tests, benches and installation.
#
#	make			build everything
#	make all		the programs; make library: what others link
#	make check		all tests that need no special machine
#	make rooms		list the modules of each room
#	make goldens		write anew what tests compare with, and show it
#	make check-asan, check-ubsan, check-tsan, check-valgrind
#				the same under a checker; check-sanitizers: under
#				the first two at once
#	make check-machines	build for i386, arm64, s390x, musl, and compare
#	make fuzz		the fuzzer for FUZZ_SECONDS
#	make bench, bench-ftrace, bench-instr, bench-live, bench-btt,
#	bench-compare, bench-report, bench-tls, bench-pack, bench-fleet
#				see bench/README
#	make demo		show the suite on a capture and a recorded trace
#	make install		to $(DESTDIR)$(prefix)

prefix = /usr/local
bindir = $(prefix)/bin
sbindir = $(prefix)/sbin
datadir = $(prefix)/share
mandir = $(datadir)/man
# Debian has zsh's in vendor-completions
bashdir = $(datadir)/bash-completion/completions
zshdir = $(datadir)/zsh/site-functions
fishdir = $(datadir)/fish/vendor_completions.d
INSTALL = install

# CC, AR, CFLAGS, CPPFLAGS, LDFLAGS are the user's, from the command line or the
# environment.  What make itself presets (cc, ar) is no choice of the user's.
ifeq ($(origin CC),default)
CC = gcc
endif
IS_GCC := $(findstring Free Software Foundation,$(shell $(CC) --version))
# An archive for link-time optimization needs the compiler's own tool, which has
# its name: gcc-ar-12, aarch64-linux-gnu-gcc-ar.
ifeq ($(origin AR),default)
GCC := $(lastword $(CC))
GCC_AR := $(filter-out ./,$(dir $(GCC)))$(subst gcc,gcc-ar,$(notdir $(GCC)))
GCC_AR := $(shell command -v $(GCC_AR) | grep gcc-ar || echo gcc-ar)
AR := $(if $(IS_GCC),$(GCC_AR),ar)
endif
# Calls between rooms are what every event pays for: let the linker inline.
# Only gcc: others need a linker and an archiver that may not be installed.
# Objects have their code, too, as tests are linked without that, which would
# compile all that they use once more for each of them.
CFLAGS ?= -O2 -g $(if $(IS_GCC),-flto=auto -ffat-lto-objects)

WARNINGS = -Wall -Wextra -Wshadow -Wmissing-prototypes
# CI sets this to -Werror; a newer compiler's opinion must not stop a user
WERROR =
# what the sources cannot do without; sizes and times of 64 bits on each machine
OWN_CPPFLAGS = -I. -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64
# the directory of the build leaves no trace in what is built
SAME_BYTES = '-ffile-prefix-map=$(CURDIR)=.'
# The 387 of 32-bit x86 rounds less often than all other processors, so that
# figures end in other digits.  SSE2 is in those that were made since 2003.
ifneq ($(filter i386-% i486-% i586-% i686-%,$(shell $(CC) -dumpmachine)),)
SAME_FIGURES := -msse2 -mfpmath=sse
endif
ALL_CFLAGS = -std=c11 $(SAME_BYTES) $(CFLAGS) $(SAME_FIGURES) $(WARNINGS) \
	$(WERROR) $(OWN_CPPFLAGS) $(CPPFLAGS)
ALL_LDFLAGS = $(SAME_BYTES) $(CFLAGS) $(LDFLAGS)
TEST_CFLAGS = $(ALL_CFLAGS) $(if $(findstring -flto,$(CFLAGS)),-fno-lto)
LDLIBS = -lz -lpthread -lm

# SQLITE=no leaves out what needs libsqlite3; it is yes where that can be linked
ifeq ($(origin SQLITE),undefined)
SQLITE := $(shell echo 'int main(void) { return !sqlite3_libversion(); }' | \
	$(CC) $(CPPFLAGS) $(LDFLAGS) -include sqlite3.h -o /dev/null -x c - \
	-lsqlite3 2>/dev/null && echo yes || echo no)
endif
SQLITE_LIBS = $(if $(filter yes,$(SQLITE)),-lsqlite3)
# NCURSES=no leaves blktop's screen out, which needs ncursesw; the same
ifeq ($(origin NCURSES),undefined)
NCURSES := $(shell echo 'int main(void) { return endwin(); }' | \
	$(CC) $(CPPFLAGS) $(LDFLAGS) -include curses.h -o /dev/null -x c - \
	-lncursesw -ltinfo 2>/dev/null && echo yes || echo no)
endif
NCURSES_LIBS = $(if $(filter yes,$(NCURSES)),-lncursesw -ltinfo)
# JANSSON=no: no cards are read, which are JSON; the same
ifeq ($(origin JANSSON),undefined)
JANSSON := $(shell echo 'int main(void) { return !json_true(); }' | \
	$(CC) $(CPPFLAGS) $(LDFLAGS) -include jansson.h -o /dev/null -x c - \
	-ljansson 2>/dev/null && echo yes || echo no)
endif
# only programs that read cards have it as theirs
JANSSON_LIBS = -Wl,--as-needed -ljansson -Wl,--no-as-needed
LDLIBS += $(if $(filter yes,$(JANSSON)),$(JANSSON_LIBS))
# NETTLE=no: no machine_id in what blktrace writes, no btpack --anonymise; the same
ifeq ($(origin NETTLE),undefined)
NETTLE := $(shell echo 'int main(void) { return !nettle_version_major(); }' | \
	$(CC) $(CPPFLAGS) $(LDFLAGS) -include nettle/version.h -o /dev/null \
	-x c - -lnettle 2>/dev/null && echo yes || echo no)
endif
NETTLE_LIBS = $(if $(filter yes,$(NETTLE)),-lnettle)
# GNUTLS=no leaves TLS out, which needs GnuTLS; the same
ifeq ($(origin GNUTLS),undefined)
GNUTLS := $(shell echo 'int main(void) { return !GNUTLS_NO_TICKETS; }' | \
	$(CC) $(CPPFLAGS) $(LDFLAGS) -include gnutls/gnutls.h -o /dev/null \
	-x c - -lgnutls 2>/dev/null && echo yes || echo no)
endif
GNUTLS_LIBS = $(if $(filter yes,$(GNUTLS)),-lgnutls)
# ZSTD=no: no packed traces, which need libzstd; the same
ifeq ($(origin ZSTD),undefined)
ZSTD := $(shell echo 'int main(void) { return !ZSTD_versionNumber(); }' | \
	$(CC) $(CPPFLAGS) $(LDFLAGS) -include zstd.h -o /dev/null -x c - \
	-lzstd 2>/dev/null && echo yes || echo no)
endif
# only programs that read or write traces have it as theirs
ZSTD_LIBS = -Wl,--as-needed -lzstd -Wl,--no-as-needed
LDLIBS += $(if $(filter yes,$(ZSTD)),$(ZSTD_LIBS))
# TRACEEVENT=no: btimport reads no binary events, which need libtraceevent; the same
ifeq ($(origin TRACEEVENT),undefined)
TRACEEVENT := $(shell echo 'int main(void) { return tep_is_bigendian(); }' | \
	$(CC) $(CPPFLAGS) $(LDFLAGS) -include traceevent/event-parse.h \
	-o /dev/null -x c - -ltraceevent 2>/dev/null && echo yes || echo no)
endif
TRACEEVENT_LIBS = $(if $(filter yes,$(TRACEEVENT)),-ltraceevent)
# CURL=no: btexport --to sends nothing to ClickHouse, which needs libcurl; the same
ifeq ($(origin CURL),undefined)
CURL := $(shell echo 'int main(void) { return !curl_version(); }' | \
	$(CC) $(CPPFLAGS) $(LDFLAGS) -include curl/curl.h -o /dev/null -x c - \
	-lcurl 2>/dev/null && echo yes || echo no)
endif
CURL_LIBS = $(if $(filter yes,$(CURL)),-lcurl)
# one of these stands for the other
WITHOUT = machine/$(if $(filter yes,$(JANSSON)),card_none.o,card_json.o) \
	machine/machine_id$(if $(filter yes,$(NETTLE)),_none).o \
	tools/btexport/http_$(if $(filter yes,$(CURL)),none,curl).o \
	tools/btpack/keyed$(if $(filter yes,$(NETTLE)),_none).o \
	$(if $(filter yes,$(SQLITE)),emit/sqlite_none.o,emit/sqlite.o) \
	$(if $(filter yes,$(ZSTD)),pack/frame_none.o,pack/frame.o) \
	import/trace_event$(if $(filter yes,$(TRACEEVENT)),_none).o \
	$(if $(filter yes,$(GNUTLS)),transport/tls_none.o \
	transport/conn_tls_none.o,transport/tls.o transport/conn_tls.o) \
	tools/blktop/$(if $(filter yes,$(NCURSES)),screen_none.o,screen.o)

# Where objects and programs go: checkers build theirs beside ours.
BUILD = build
OUT = .

# The rooms that programs share: doc/layout.md.
ROOMS = base machine record pack file run bpf confine transport replay request \
	capture capture/from capture/to server cli expr stat cache capacity commit findings \
	import emit emit/parquet emit/perfetto compare report lib
LIB = $(filter-out $(WITHOUT),act_mask.o net.o stats.o $(patsubst %.c,%.o, \
	$(sort $(filter-out %.bpf.c,$(wildcard $(ROOMS:%=%/*.c))))))

# A program in C is a folder tools/NAME with NAME.c in it, or beside the top's
# NAME.c, and a word here; a script is tools/NAME/NAME.
NAMES = blkiomon blkparse blkrawverify blktop blktrace btexport btimport btpack btrecord \
	btreplay btreport btstat btt iotracer iowatcher verify_blkparse
SCRIPTS = bno_plot btrace btt_plot
PROGRAMS = $(addprefix $(OUT)/,$(NAMES))
# what only root has use for; where Debian's package has it, or would
ROOTS = blktop blktrace btrace btrecord btreplay iotracer
EVERYONES = $(filter-out $(ROOTS),$(NAMES) $(SCRIPTS))

# Programs write their completions themselves.  When building for another kind
# of machine NATIVE names programs that run on this one, or COMPLETED is empty.
COMPLETED = $(NAMES)
NATIVE = $(OUT)
COMPLETIONS_BASH = $(COMPLETED:%=$(BUILD)/completion/bash/%)
COMPLETIONS_ZSH = $(COMPLETED:%=$(BUILD)/completion/zsh/_%)
COMPLETIONS_FISH = $(COMPLETED:%=$(BUILD)/completion/fish/%.fish)

PAGES_1 = $(sort $(wildcard doc/*.1))
PAGES_5 = $(sort $(wildcard doc/*.5))
PAGES_7 = $(sort $(wildcard doc/*.7))
PAGES_8 = $(sort $(wildcard doc/*.8))

everything: all library
	@$(REPORT_LEFT_OUT)

# what this build leaves out, and the Debian package that adds it; printed last, as
# a build's commands would scroll it away
missing = $(if $(filter yes,$($1)),,echo "left out: $2 (needs $3)";)
REPORT_LEFT_OUT = $(call missing,SQLITE,databases of btexport,libsqlite3-dev) \
	$(call missing,NCURSES,the screen of blktop,libncurses-dev) \
	$(call missing,JANSSON,reading the cards of traces,libjansson-dev) \
	$(call missing,NETTLE,machine ids in cards and anonymising,nettle-dev) \
	$(call missing,GNUTLS,encrypted connections of blktrace,libgnutls28-dev) \
	$(call missing,ZSTD,packed traces,libzstd-dev) \
	$(call missing,CURL,inserting into ClickHouse,libcurl4-gnutls-dev) \
	$(call missing,TRACEEVENT,importing what perf recorded,libtraceevent-dev) :

all: $(PROGRAMS) $(addprefix $(OUT)/,$(SCRIPTS))

# what the programs share
ARCHIVE = $(BUILD)/rooms.a

include report/Makefile

$(ARCHIVE): $(addprefix $(BUILD)/,$(LIB)) $(ASSETS).o
	@rm -f $@
	$(AR) qcsD $@ $^

include tools/btexport/Makefile

# all objects of a program, and of sources that make writes; and its parts:
# those without main, for tests
objects = $(addprefix $(BUILD)/,$(filter-out $(WITHOUT),$(patsubst %.c,%.o, \
	$(sort $(wildcard $1.c tools/$1/*.c tools/$1/*/*.c))))) $($1_MADE)
parts = $(filter-out %/$1.o,$(call objects,$1))

define program
$$(OUT)/$1: $$(call objects,$1) $$(ARCHIVE)
	$$(CC) $$(ALL_LDFLAGS) -o $$@ $$^ $$(LDLIBS) $$($1_LIBS)
endef

btimport_LIBS = $(TRACEEVENT_LIBS)
btpack_LIBS = $(NETTLE_LIBS)
btreplay_LIBS = -laio
btexport_LIBS = $(SQLITE_LIBS) $(CURL_LIBS)
blktrace_LIBS = $(NETTLE_LIBS) $(GNUTLS_LIBS)
blktop_LIBS = $(NCURSES_LIBS)
$(foreach name,$(NAMES),$(eval $(call program,$(name))))

define script
$$(OUT)/$1: tools/$1/$1
	$$(INSTALL) $$< $$@
endef

$(foreach name,$(SCRIPTS),$(eval $(call script,$(name))))

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

# only what it shows, quietly, on all CPUs unless -j is given; without optimization
# across files, which takes most of the time
DEMO = $(BUILD)/demo
DEMO_NAMES = blkparse blktrace btreport btstat
DEMO_JOBS = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))

demo:
	@echo "building $(DEMO_NAMES) ..."
	@$(MAKE) -s --no-print-directory $(DEMO_JOBS) BUILD=$(DEMO) OUT=$(DEMO) \
		CFLAGS=-O1 $(DEMO_NAMES:%=$(DEMO)/%) >/dev/null
	@sh tests/demo $(DEMO) $(BUILD)
	@$(REPORT_LEFT_OUT)

# committed, so that no build needs a program to make it
doc/btstat-findings.7: $(OUT)/btstat doc/btstat-findings.head
	{ cat doc/btstat-findings.head; $(OUT)/btstat --explain=all | \
		awk -f doc/btstat-findings.awk; } >$@

include bpf/Makefile
include lib/Makefile
include tests/Makefile
include bench/Makefile

define completion
$(BUILD)/completion/bash/$1: SHELL_NAME = bash
$(BUILD)/completion/zsh/_$1: SHELL_NAME = zsh
$(BUILD)/completion/fish/$1.fish: SHELL_NAME = fish
$(BUILD)/completion/bash/$1 $(BUILD)/completion/zsh/_$1 \
		$(BUILD)/completion/fish/$1.fish: $(NATIVE)/$1
	@mkdir -p $$(@D)
	$(NATIVE)/$1 --completion=$$(SHELL_NAME) >$$@
endef

$(foreach name,$(COMPLETED),$(eval $(call completion,$(name))))

# a program that fails leaves no file which looks made
.DELETE_ON_ERROR:

install: all install-library $(COMPLETIONS_BASH) $(COMPLETIONS_ZSH) $(COMPLETIONS_FISH)
	$(INSTALL) -d $(DESTDIR)$(bindir) $(DESTDIR)$(sbindir) \
		$(DESTDIR)$(mandir)/man1 $(DESTDIR)$(mandir)/man5 \
		$(DESTDIR)$(mandir)/man7 $(DESTDIR)$(mandir)/man8
	$(INSTALL) $(addprefix $(OUT)/,$(EVERYONES)) $(DESTDIR)$(bindir)
	$(INSTALL) $(addprefix $(OUT)/,$(ROOTS)) $(DESTDIR)$(sbindir)
	$(INSTALL) -m 644 $(PAGES_1) $(DESTDIR)$(mandir)/man1
	$(INSTALL) -m 644 $(PAGES_5) $(DESTDIR)$(mandir)/man5
	$(INSTALL) -m 644 $(PAGES_7) $(DESTDIR)$(mandir)/man7
	$(INSTALL) -m 644 $(PAGES_8) $(DESTDIR)$(mandir)/man8
ifneq ($(COMPLETED),)
	$(INSTALL) -d $(DESTDIR)$(bashdir) $(DESTDIR)$(zshdir) \
		$(DESTDIR)$(fishdir)
	$(INSTALL) -m 644 $(COMPLETIONS_BASH) $(DESTDIR)$(bashdir)
	$(INSTALL) -m 644 $(COMPLETIONS_ZSH) $(DESTDIR)$(zshdir)
	$(INSTALL) -m 644 $(COMPLETIONS_FISH) $(DESTDIR)$(fishdir)
endif

uninstall: uninstall-library
ifneq ($(COMPLETED),)
	cd $(DESTDIR)$(bashdir) && rm -f $(COMPLETED)
	cd $(DESTDIR)$(zshdir) && rm -f $(COMPLETED:%=_%)
	cd $(DESTDIR)$(fishdir) && rm -f $(COMPLETED:%=%.fish)
endif
	cd $(DESTDIR)$(bindir) && rm -f $(EVERYONES)
	cd $(DESTDIR)$(sbindir) && rm -f $(ROOTS)
	cd $(DESTDIR)$(mandir)/man1 && rm -f $(notdir $(PAGES_1))
	cd $(DESTDIR)$(mandir)/man5 && rm -f $(notdir $(PAGES_5))
	cd $(DESTDIR)$(mandir)/man7 && rm -f $(notdir $(PAGES_7))
	cd $(DESTDIR)$(mandir)/man8 && rm -f $(notdir $(PAGES_8))

clean:
	rm -rf $(BUILD) $(NAMES) $(SCRIPTS) bench/mktrace bench/cpu \
		bench/capture bench/naps bench/pack bench/pairs bench/readin

.PHONY: everything all demo install uninstall clean
