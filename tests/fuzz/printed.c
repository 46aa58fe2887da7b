/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text of blkparse, for libFuzzer, by its usual lines or by a format.  Events
 * come in order of time, faults have a place within the text, and the line that
 * blkparse would print of an event means the same event.
 *
 * An input is a format up to its NUL, or nothing, then a text.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "emit/line.h"
#include "file/source.h"
#include "import/import.h"
#include "import/printed.h"
#include "import/printed_event.h"
#include "import/printed_format.h"
#include "import/printed_line.h"
#include "import/scan.h"
#include "record/record.h"
#include "run/device.h"
#include "run/names.h"
#include "tests/fuzz/must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PRINTED_MAX = 64 };	/* lines of an input that are printed again */

/* what was received */
struct got {
	uint64_t time;		/* of the last event */
	uint64_t lines;		/* of the text */
	size_t size;		/* its bytes */
	unsigned int printed;
	struct names names;
	int fd;
};

static int take_about(void *ctx, const struct import_about *about)
{
	(void)ctx;
	must(about->from && *about->from);
	must(!about->lacks || strlen(about->lacks) < IMPORT_WHY);
	return 0;
}

static int take_device(void *ctx, uint32_t number, const char *name)
{
	(void)ctx, (void)number;
	must(strlen(name) < IMPORT_NAME);
	return 0;
}

static int take_process(void *ctx, uint32_t pid, const char *name, size_t len)
{
	struct got *g = ctx;

	must(len && !memchr(name, '\n', len));
	must(names_learn(&g->names, 0, pid, name, len) != -ENOMEM);
	return 0;
}

/* The letters of a size stand for 1 byte. */
static bool same_size(uint32_t a, uint32_t b)
{
	return a / 512 == b / 512;
}

static void compare(const struct printed *p, const struct event *ev)
{
	const uint32_t shown = 0xffff & ~(BLK_TC_BIT(BLK_TC_FS));
	bool pc = event_is_pc(ev), split = p->action == BLK_TA_SPLIT;

	must(p->action == (event_is_note(ev) ? 0 : event_number(ev)));
	must(p->ev.cpu == ev->cpu && p->ev.pid == ev->pid);
	if (!p->action)
		return;
	must(p->ev.device == ev->device);
	must((p->ev.action >> 16 & shown) == (event_categories(ev) & shown));
	must(p->ev.error == 0 || p->ev.error == ev->error);
	must(pc || split || !p->has_size ||
	     (same_size(p->ev.bytes, ev->bytes) && p->ev.sector == ev->sector));
	must(!split || p->ev.sector == ev->sector);
}

/* Parses the line of an event again. */
static void read_again(const char *line, size_t len, const struct event *ev)
{
	static const struct printed none;
	struct scan s = { .at = line, .end = memchr(line, '\n', len) };
	struct printed p = none;
	uint8_t *payload = malloc(PRINTED_PAYLOAD);

	must(payload && s.end);
	if (s.end - line <= LINES_MAX) {
		must(printed_line(&s, &p));
		printed_make(&p, payload);
		compare(&p, ev);
	}
	free(payload);
}

static void print_again(struct got *g, const struct event *from)
{
	struct devices devices = { 0 };
	struct event ev = *from;
	struct buf out;
	struct line *l;

	must(!buf_init(&out, g->fd, 1));
	l = line_new(&out, &g->names);
	ev.version = BLK_VERSION_7;
	ev.lane = device_lane(&devices, &ev);
	must(l && ev.lane);
	if (line_event(l, &ev, LINE_NO_LATENCY) == LINE_SHOWN && out.len)
		read_again(out.data, out.len, &ev);
	line_free(l);
	buf_free(&out);
	devices_free(&devices);
}

static int take_event(void *ctx, const struct event *ev)
{
	struct got *g = ctx;

	must(ev->time >= g->time);
	must(ev->cpu < BLK_CPU_MAX);
	must(event_is_note(ev) ? event_is_message(ev) :
				 line_action(ev) != NULL);
	g->time = ev->time;
	if (g->printed++ < PRINTED_MAX)
		print_again(g, ev);
	return 0;
}

static int take_loss(void *ctx, uint32_t cpu, uint64_t events)
{
	(void)ctx;
	must(cpu < BLK_CPU_MAX && events);
	return 0;
}

static void take_fault(void *ctx, uint64_t line, uint64_t at, const char *why)
{
	const struct got *g = ctx;

	must(line <= g->lines && at <= g->size + 1);
	must(!line || at);
	must(*why && strlen(why) < IMPORT_WHY);
}

static uint64_t count_lines(const char *text, size_t len)
{
	uint64_t n = 1;

	for (size_t i = 0; i < len; i++)
		n += text[i] == '\n';
	return n;
}

/* Only a format that was refused is no reason to read nothing. */
static void read_text(const char *format, const char *text, size_t len)
{
	struct got g = { .lines = count_lines(text, len), .size = len,
			 .fd = open("/dev/null", O_WRONLY | O_CLOEXEC) };
	const struct import_to to = { take_about, take_device, take_process,
				      take_event, take_loss, take_fault,
				      NULL, &g };
	const struct import_options o = { .format = format };
	struct printed_format f;
	char why[IMPORT_WHY];
	struct source *s;
	int err;

	must(!source_memory(&s, text, len));
	err = printed_read(NULL, s, &o, &to);
	must(!err || err == -EILSEQ || (format && err == -EBADMSG &&
		      printed_format_parse(&f, format, why, sizeof(why))));
	source_close(s);
	names_free(&g.names);
	close(g.fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t len = strnlen((const char *)data, size);
	char *format = strndup((const char *)data, size);
	const char *text = (const char *)data + len + 1;

	must(format != NULL);
	if (len < size)
		read_text(len ? format : NULL, text, size - len - 1);
	free(format);
	return 0;
}
