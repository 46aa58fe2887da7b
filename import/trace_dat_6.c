/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace.dat, version 6; see trace_dat_parts.h.  After the formats it has
 *
 *	symbols and texts: the size of each, 4 bytes, and itself
 *	names of processes: their size, 8 bytes, and lines
 *	the number of CPUs, 4 bytes
 *	"options  " and NUL; of each option its number, 2 bytes, its size, 4
 *		bytes, and itself; up to number 0
 *	"flyrecord" and NUL; of each CPU where its pages are: offset and size
 *
 * Other ring buffers have options with the offset of the same: options, if
 * any, and "flyrecord".
 */
#include <errno.h>
#include <string.h>

#include "import/trace_dat_parts.h"

enum {
	KIND = 10,		/* bytes of "options  " with its NUL */
	BUFFER = 3,		/* an option */
	BUFFERS_MAX = 64,
};

struct walk {
	struct trace_dat_parts *t;
	uint32_t cpus;
	uint64_t buffers[BUFFERS_MAX];	/* where others begin */
	size_t count;
};

static int skip_sized(struct binary *b)
{
	const uint8_t *p;
	int err = binary_take(b, 4, &p);

	return err ? err : binary_skip(b, binary_u32(b, p));
}

static void take_option(struct walk *w, unsigned int id, const uint8_t *bytes,
			size_t len)
{
	struct binary *b = &w->t->b;

	if (id == BUFFER && len >= 8 && w->count < BUFFERS_MAX)
		w->buffers[w->count++] = binary_u64(b, bytes);
	trace_dat_about_add(&w->t->about, b, id, bytes, len);
}

/* 1: one more; 0: that was the last; or -errno. */
static int read_option(struct walk *w)
{
	struct binary *b = &w->t->b;
	const uint8_t *p;
	unsigned int id;
	uint32_t len;
	int err = binary_take(b, 2, &p);

	id = err ? 0 : binary_u16(b, p);
	if (!id)
		return err;
	err = binary_take(b, 4, &p);
	len = err ? 0 : binary_u32(b, p);
	if (!err && len > BINARY_MAX)
		return binary_skip(b, len) ? -ENODATA : 1;
	if (!err)
		err = binary_take(b, len, &p);
	if (err)
		return err;
	take_option(w, id, p, len);
	return 1;
}

static int read_places(struct walk *w)
{
	struct binary *b = &w->t->b;
	int err = 0;

	for (uint32_t cpu = 0; !err && cpu < w->cpus; cpu++) {
		struct trace_stretch s = { .cpu = cpu,
					   .page = w->t->formats.pages.page };
		const uint8_t *p;

		err = binary_take(b, 16, &p);
		if (err)
			break;
		s.at = binary_u64(b, p);
		s.len = binary_u64(b, p + 8);
		err = trace_dat_stretch(w->t, &s);
	}
	return err;
}

/* from "options" or "flyrecord" */
static int read_buffer(struct walk *w)
{
	char kind[KIND];
	int err = binary_copy(&w->t->b, kind, KIND);

	if (!err && !memcmp(kind, "options  ", KIND)) {
		while ((err = read_option(w)) > 0)
			;
		if (!err)
			err = binary_copy(&w->t->b, kind, KIND);
	}
	if (err)
		return err;
	if (!memcmp(kind, "flyrecord", KIND))
		return read_places(w);
	if (!memcmp(kind, "latency  ", KIND))
		return trace_dat_damage(w->t, "it has text in place of events:"
					" convert what trace-cmd report"
					" prints");
	return trace_dat_damage(w->t, "neither options nor events");
}

static int read_rest(struct walk *w)
{
	struct binary *b = &w->t->b;
	const uint8_t *p;
	int err = trace_dat_names(w->t, b);

	if (!err)
		err = binary_take(b, 4, &p);
	if (err)
		return err;
	w->cpus = binary_u32(b, p);
	err = read_buffer(w);
	for (size_t i = 0; !err && i < w->count; i++) {
		err = trace_dat_seek(w->t, w->buffers[i]);
		if (!err)
			err = read_buffer(w);
	}
	return err;
}

int trace_dat_6(struct trace_dat_parts *t)
{
	struct walk w = { .t = t };
	int err = trace_formats_pages(&t->b, UINT64_MAX, &t->formats);

	if (!err)
		err = trace_formats_skip(&t->b, UINT64_MAX);
	if (!err)
		err = trace_formats_events(&t->b, UINT64_MAX, &t->formats);
	if (!err)
		err = skip_sized(&t->b);
	if (!err)
		err = skip_sized(&t->b);
	return err ? err : read_rest(&w);
}
