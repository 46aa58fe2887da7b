/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The last events; see past.h.
 *
 * Entries of a block follow each other: a struct event, its payload, and
 * padding to a multiple of 8.  A version of 0 marks a gap.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/hash.h"
#include "base/hint.h"
#include "base/text.h"
#include "base/time.h"
#include "expr/filter.h"
#include "findings/explain.h"
#include "findings/findings.h"
#include "findings/words.h"
#include "record/record.h"
#include "request/io.h"
#include "request/joiner.h"
#include "run/device.h"
#include "run/reader.h"
#include "stat/coverage.h"
#include "tools/blktop/past.h"

/* --- past ----------------------------------------------------------------- */

enum { ALIGN = 8 };

struct block {
	size_t len;
	uint8_t bytes[PAST_BLOCK] __attribute__((aligned(ALIGN)));
};

struct past {
	unsigned int size;	/* of blocks */
	unsigned int oldest, count;	/* of those in use */
	bool dropped;
	struct block *now;	/* the newest, or NULL */
	struct block *blocks[];	/* NULL: not yet needed */
};

_Static_assert(sizeof(struct event) % ALIGN == 0, "entries are aligned");
_Static_assert(PAST_BLOCK > sizeof(struct event) + UINT16_MAX + ALIGN,
	       "any event fits in a block");

struct past *past_new(unsigned int blocks)
{
	struct past *r = calloc(1, sizeof(*r) +
				  blocks * sizeof(*r->blocks));

	if (r)
		r->size = blocks;
	return r;
}

void past_free(struct past *r)
{
	if (!r)
		return;
	for (unsigned int i = 0; i < r->size; i++)
		free(r->blocks[i]);
	free(r);
}

void past_clear(struct past *r)
{
	r->count = 0;
	r->now = NULL;
	r->dropped = false;
}

static size_t entry_size(size_t payload)
{
	return (sizeof(struct event) + payload + ALIGN - 1) &
	       ~(size_t)(ALIGN - 1);
}

/* an empty block, the newest; NULL: no memory */
static COLD struct block *next_block(struct past *r)
{
	unsigned int i;

	if (r->count == r->size) {
		r->oldest = (r->oldest + 1) % r->size;
		r->count--;
		r->dropped = true;
	}
	i = (r->oldest + r->count) % r->size;
	if (!r->blocks[i])
		r->blocks[i] = malloc(sizeof(*r->blocks[i]));
	if (!r->blocks[i]) {
		past_clear(r);
		r->dropped = true;
		return NULL;
	}
	r->count++;
	r->now = r->blocks[i];
	r->now->len = 0;
	return r->now;
}

void past_add(struct past *r, const struct event *ev)
{
	size_t size = entry_size(ev->pdu_len);
	struct block *b = r->now;
	uint8_t *to;

	if (UNLIKELY(!b || PAST_BLOCK - b->len < size)) {
		b = next_block(r);
		if (!b)
			return;
	}
	to = b->bytes + b->len;
	memcpy(to, ev, sizeof(*ev));
	if (ev->pdu_len)
		memcpy(to + sizeof(*ev), ev->payload, ev->pdu_len);
	((struct event *)(void *)to)->payload = to + sizeof(*ev);
	b->len += size;
}

void past_gap(struct past *r, uint16_t origin, uint32_t device,
		bool begins)
{
	const struct event gap = { .origin = origin, .device = device,
				   .bytes = begins };

	past_add(r, &gap);
}

static const struct block *get_block(const struct past *r, unsigned int i)
{
	return i < r->count ? r->blocks[(r->oldest + i) % r->size] : NULL;
}

const struct event *past_next(const struct past *r, struct past_place *p,
				bool *gap)
{
	const struct block *b = get_block(r, p->block);
	const struct event *ev;

	if (b && p->at == b->len && get_block(r, p->block + 1)) {
		*p = (struct past_place){ .block = p->block + 1 };
		b = get_block(r, p->block);
	}
	if (!b || p->at == b->len)
		return NULL;
	ev = (const struct event *)(const void *)(b->bytes + p->at);
	p->at += entry_size(ev->pdu_len);
	*gap = !ev->version;
	return ev;
}

uint64_t past_from(const struct past *r)
{
	struct past_place p = { .block = 0 };
	const struct event *ev;
	bool gap;

	while ((ev = past_next(r, &p, &gap)))
		if (!gap)
			return ev->time;
	return UINT64_MAX;
}

bool past_dropped(const struct past *r)
{
	return r->dropped;
}

/* --- remarks -------------------------------------------------------------- */

enum { HEADING = 128 };

struct remarks {
	const struct reader *reader;
	struct window window;
	struct joiner *joiner;
	struct findings *findings;
	struct coverages coverages;
	struct hash gaps;	/* number of open gaps, by device */
	int err;
};

static const char *name_of(const void *reader, uint16_t origin, uint32_t pid)
{
	return reader_process(reader, origin, pid);
}

/* --- I/Os ----------------------------------------------------------------- */

static void take_ios(struct remarks *r)
{
	const struct io *io;

	while (joiner_next(r->joiner, &io)) {
		if (!io_in_window(io, &r->window))
			continue;
		r->err |= coverages_add(&r->coverages, io);
		r->err |= findings_io(r->findings, io);
	}
}

/* Ignores the end of a gap that started before the oldest event: joining starts
 * after it. */
static void take_gap(struct remarks *r, const struct event *gap)
{
	uint64_t key = origin_key(gap->origin, gap->device);
	int64_t open = hash_get_number(&r->gaps, key);
	bool begins = gap->bytes;

	if (open < 0)
		open = 0;
	if (!begins && !open)
		return;
	if (hash_put_number(&r->gaps, key,
			    (uint32_t)(begins ? open + 1 : open - 1)))
		r->err = -ENOMEM;
	joiner_gap(r->joiner, gap->origin, gap->device, begins);
}

static void take_events(struct remarks *r, const struct past *past)
{
	struct past_place p = { .block = 0 };
	const struct event *ev;
	bool gap;

	while (!r->err && (ev = past_next(past, &p, &gap))) {
		if (gap) {
			take_gap(r, ev);
			continue;
		}
		if (ev->time > r->window.end)
			break;
		joiner_event(r->joiner, ev);
		take_ios(r);
	}
	joiner_end(r->joiner, r->window.end, false);
	take_ios(r);
}

/* --- devices -------------------------------------------------------------- */

static int add_devices(struct remarks *r)
{
	const struct devices *d = reader_devices(r->reader);
	int err = 0;

	for (uint32_t i = 0; !err && i < d->count && i < FINDINGS_DEVICES;
	     i++) {
		struct coverage c = coverages_get(&r->coverages, i);
		struct findings_facts known = {
			.dropped = d->list[i]->dropped,
			/* I/Os hurt by gaps; those without any event are
			 * known of the run only */
			.missing = c.lost + c.gap,
		};
		struct loss loss;

		reader_loss(r->reader, i, &loss);
		known.lost = known.missing ? loss.missing : 0;
		err = findings_device(r->findings, d->list[i], &known);
	}
	return err;
}

/* --- text ----------------------------------------------------------------- */

static void print(const struct remarks *r, FILE *out, uint64_t later,
		  unsigned int width)
{
	const struct finding_names names = { .name = name_of,
					      .names = r->reader };
	char heading[HEADING];

	snprintf(heading, sizeof(heading), "findings, %.3f to %.3f s",
		 (double)(r->window.start + later) / NS_PER_SECOND,
		 (double)(r->window.end + later) / NS_PER_SECOND);
	fprintf(out, "%.*s\n\n", (int)width, heading);
	if (!explain_print(out, r->findings, &names, 0,
			   findings_count(r->findings), width))
		fputs("nothing that a rule looks for\n", out);
}

static char *make_text(struct remarks *r, uint64_t later, unsigned int width)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	print(r, out, later, width);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

static int find(struct remarks *r, const struct past *past)
{
	const struct joiner_bounds bounds = JOINER_BOUNDS;
	int err = joiner_new(&r->joiner, &bounds);

	if (!err)
		err = findings_new(&r->findings, name_of, r->reader);
	if (err)
		return err;
	take_events(r, past);
	err = r->err ? r->err : add_devices(r);
	return err ? err : findings_end(r->findings, r->window.start,
					r->window.end);
}

static char *make_headline(const struct remarks *r)
{
	const struct finding_names names = { .name = name_of,
					      .names = r->reader };
	enum { DEVICE = 128 };
	char device[DEVICE], sentence[FINDING_TEXT_MAX], *text;
	const struct finding *f;

	if (!findings_headlines(r->findings))
		return strdup("");
	f = findings_get(r->findings, 0);
	device_text(f->disk, sentence, DEVICE);
	escape_text(device, sizeof(device), sentence, strlen(sentence));
	finding_sentence(sentence, f, &names);
	return text_print(&text, "%s: %s", device, sentence) < 0 ? NULL : text;
}

static void end(struct remarks *r)
{
	findings_free(r->findings);
	joiner_free(r->joiner);
	coverages_free(&r->coverages);
	hash_free(&r->gaps);
}

/* the window, as far as events are kept */
static struct remarks begin(const struct past *past,
			    const struct reader *reader, uint64_t from,
			    uint64_t to)
{
	uint64_t oldest = past_from(past);
	struct remarks r = { .reader = reader, .window = { from, to } };

	if (oldest > from && oldest <= to)
		r.window.start = oldest;
	return r;
}

char *remarks_headline(const struct past *past, const struct reader *reader,
		       uint64_t from, uint64_t to)
{
	struct remarks r = begin(past, reader, from, to);
	char *text = find(&r, past) ? NULL : make_headline(&r);

	end(&r);
	return text;
}

char *remarks_text(const struct past *past, const struct reader *reader,
		   uint64_t from, uint64_t to, uint64_t later,
		   unsigned int width)
{
	struct remarks r = begin(past, reader, from, to);
	char *text = find(&r, past) ? NULL : make_text(&r, later, width);

	end(&r);
	return text;
}
