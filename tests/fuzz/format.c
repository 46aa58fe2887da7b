/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One event in a custom format and in the default text, for libFuzzer, and
 * the other texts of the command line.  Lines are rendered into exactly the
 * room that was asked for, so that a byte too many is seen.
 *
 * An input is a text up to its NUL, then a record with its payload.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act_mask.h"
#include "base/buf.h"
#include "emit/format.h"
#include "emit/line.h"
#include "record/clock.h"
#include "record/record.h"
#include "run/device.h"
#include "run/names.h"
#include "run/window.h"
#include "tests/fuzz/must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The record at the front of data; false: there is none. */
static bool take_record(const uint8_t *data, size_t size, struct event *ev)
{
	const struct layout *l;
	unsigned int version;
	bool swapped;

	if (size < BLK_HEADER_MAX || !record_magic(data, &version, &swapped))
		return false;
	l = record_layout(version, 0);
	record_decode(l, swapped, data, ev);
	ev->payload = data + l->size;
	if (ev->pdu_len > size - l->size)
		ev->pdu_len = (uint16_t)(size - l->size);
	ev->cpu %= BLK_CPU_MAX;
	return true;
}

/* A buffer without room to spare: what is asked for is all there is. */
static void tight_buffer(struct buf *out, int fd)
{
	must(!buf_init(out, fd, 1));
}

/* Only a missing latency and a bad escape may keep a field from showing. */
static void show_format(struct format *f, struct format_context *c,
			const struct event *ev, uint64_t latency)
{
	enum format_result result = format_event(f, c, ev, latency);

	must(result != FORMAT_NO_ROOM);
	must(result != FORMAT_NO_LATENCY || latency == LINE_NO_LATENCY);
}

/* Whoever asks for a line of gigabytes gets it; here it would be taken for a
 * leak. */
static bool is_wide(const char *text)
{
	size_t digits = 0;

	for (; *text && digits < 6; text++)
		digits = *text >= '0' && *text <= '9' ? digits + 1 : 0;
	return digits == 6;
}

static void render_format(const char *text, const struct event *ev,
			  const struct names *names, int fd)
{
	const struct clock clock = { .known = true, .wall_sec = 1132000000 };
	const uint64_t latencies[] = { LINE_NO_LATENCY, ev->sector };
	struct format *f = format_new(text);
	struct buf out;
	struct format_context c = { &out, names, &clock };

	must(f != NULL);
	for (int i = 0; i < 2; i++) {
		tight_buffer(&out, fd);
		show_format(f, &c, ev, latencies[i]);
		buf_free(&out);
	}
	format_free(f);
}

static void render_line(struct line *l, struct buf *out, struct event ev,
			int fd)
{
	tight_buffer(out, fd);
	must(line_event(l, &ev, ev.bytes % 2 ? LINE_NO_LATENCY : ev.time) !=
	     LINE_NO_ROOM);
}

/*
 * Lines are made of texts that are kept from line to line; one that has kept
 * nothing must render the same.
 */
static void render_lines(const struct event *first, const struct names *names,
			 int fd)
{
	struct event ev = *first;
	struct buf kept, new;
	struct line *keeps = line_new(&kept, names), *fresh;

	must(keeps != NULL);
	for (int i = 0; i < 4; i++) {
		fresh = line_new(&new, names);
		must(fresh != NULL);
		render_line(keeps, &kept, ev, fd);
		render_line(fresh, &new, ev, fd);
		must(kept.len == new.len &&
		     !memcmp(kept.data, new.data, new.len));
		buf_free(&kept);
		buf_free(&new);
		line_free(fresh);
		ev.sequence++;
		ev.time += ev.sector;
	}
	line_free(keeps);
}

/* Every other pid has a name, which is the format's own text. */
static void render_record(const char *text, const uint8_t *raw, size_t size)
{
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct devices devices = { 0 };
	struct names names = { 0 };
	struct event ev = { .origin = 0 };

	if (take_record(raw, size, &ev)) {
		ev.lane = device_lane(&devices, &ev);
		must(ev.lane != NULL);
		if (ev.pid % 2)
			names_learn(&names, 0, ev.pid, text, strlen(text));
		/* a format is for events that have letters */
		if (!event_is_note(&ev) && line_action(&ev) && !is_wide(text))
			render_format(text, &ev, &names, fd);
		render_lines(&ev, &names, fd);
	}
	names_free(&names);
	devices_free(&devices);
	close(fd);
}

/* What the command line hands to other rooms. */
static void read_text(const char *text)
{
	struct formats formats = { .by_letter = { NULL } };
	struct window w = WINDOW_ALL;

	if (window_parse(&w, text) == WINDOW_OK)
		must(w.start < w.end);
	formats_set_one(&formats, text);
	formats_set_all(&formats, text);
	formats_free(&formats);
	act_mask_bit(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t len = strnlen((const char *)data, size);
	char *text = strndup((const char *)data, size);

	must(text != NULL);
	read_text(text);
	if (len < size)
		render_record(text, data + len + 1, size - len - 1);
	free(text);
	return 0;
}
