/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files of blktrace's first days as a source of version 2; see source_2005.h.
 *
 * Between 26 and 29 August 2005 records, always 40 bytes, began with the magic
 * and the CPU in its low byte, or the CPU alone, with payloads in a second
 * file; then with the CPU alone and payloads in line.  Only issues and
 * completions had their payloads kept.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "file/source.h"
#include "file/source_2005.h"
#include "file/source_layer.h"
#include "record/record.h"

enum { HEADER = 40, PAYLOAD_MAX = 64 };

struct pair {
	struct source base;
	struct source *out, *dat;	/* dat: NULL: payloads are in line */
	uint32_t cpu;
	bool settled;		/* the format is known */
	bool swapped;
	bool plain;		/* nothing to convert */
	uint8_t record[HEADER + BLK_PAYLOAD_MAX];
	size_t len, at;		/* of record; bytes handed out */
};

/* Whether a record without magic can have this byte order. */
static bool sane(const uint8_t *raw, bool swapped)
{
	/* at the same offsets as in version 7 */
	uint32_t number = get32(FIELD(raw, sequence));
	uint32_t action = get32(FIELD(raw, action));

	if (swapped) {
		number = __builtin_bswap32(number);
		action = __builtin_bswap32(action);
	}
	action &= BLK_ACTION_MASK;
	return number < 1u << 24 && action >= BLK_TA_QUEUE &&
	       action <= BLK_TA_COMPLETE;
}

static void find_format(struct pair *p)
{
	uint32_t word = get32(p->record), other = __builtin_bswap32(word);

	p->settled = true;
	if ((word & BLK_MAGIC_MASK) == BLK_MAGIC ||
	    (other & BLK_MAGIC_MASK) == BLK_MAGIC) {
		p->swapped = (word & BLK_MAGIC_MASK) != BLK_MAGIC;
		p->plain = !p->dat;
	} else if (word == p->cpu || other == p->cpu) {
		p->swapped = !sane(p->record, false) && sane(p->record, true);
	} else {
		p->plain = true;
	}
}

static void set_magic(struct pair *p)
{
	uint32_t magic = BLK_MAGIC | 2;

	if (p->swapped)
		magic = __builtin_bswap32(magic);
	memcpy(p->record, &magic, sizeof(magic));
}

static ssize_t fetch_payload(struct pair *p)
{
	const struct layout *l = record_layout(2, 0);
	struct event ev;

	record_decode(l, p->swapped, p->record, &ev);
	if (!ev.pdu_len)
		return 0;
	if (!p->dat)
		return source_fill(p->out, p->record + HEADER, ev.pdu_len);
	if (ev.pdu_len <= PAYLOAD_MAX &&
	    (event_number(&ev) == BLK_TA_ISSUE ||
	     event_number(&ev) == BLK_TA_COMPLETE))
		return source_fill(p->dat, p->record + HEADER, ev.pdu_len);
	/* it was never written */
	memset(p->record + l->pdu_len, 0, sizeof(ev.pdu_len));
	return 0;
}

/* Reads and converts a record; its length, 0 at the end, or -errno. */
static ssize_t fetch(struct pair *p)
{
	ssize_t n = source_fill(p->out, p->record, HEADER), more;

	if (n < (ssize_t)sizeof(uint32_t))
		return n;
	if (!p->settled)
		find_format(p);
	if (p->plain)
		return n;
	set_magic(p);
	if (n < HEADER)		/* a cut record: the stream reports it */
		return n;
	more = fetch_payload(p);
	return more < 0 ? more : n + more;
}

static ssize_t pair_read(struct source *s, void *buf, size_t len)
{
	struct pair *p = (struct pair *)s;
	ssize_t n;

	if (p->at == p->len) {
		if (p->plain)
			return source_pass(s, p->out,
					   source_read(p->out, buf, len));
		n = fetch(p);
		if (n <= 0)
			return source_pass(s, p->out, n);
		p->at = 0;
		p->len = (size_t)n;
	}
	n = (ssize_t)(len < p->len - p->at ? len : p->len - p->at);
	memcpy(buf, p->record + p->at, (size_t)n);
	p->at += (size_t)n;
	return n;
}

static int pair_wait(struct source *s, int ms)
{
	return source_wait(((struct pair *)s)->out, ms);
}

static void pair_progress(const struct source *s, uint64_t *done,
			  uint64_t *total)
{
	const struct pair *p = (const struct pair *)s;

	source_progress(p->out, done, total);
	if (p->dat)
		source_progress(p->dat, done, total);
}

static void pair_close(struct source *s)
{
	struct pair *p = (struct pair *)s;

	source_close(p->out);
	source_close(p->dat);
	free(p);
}

static const struct source_ops pair_ops = { pair_read, pair_wait, NULL,
					     pair_progress, pair_close };

int source_2005_open(struct source **s, const char *path, const char *payloads,
		     uint32_t cpu)
{
	struct pair *p = calloc(1, sizeof(*p));
	int err;

	if (!p)
		return -ENOMEM;
	p->base.ops = &pair_ops;
	p->cpu = cpu;
	err = source_open(&p->out, path);
	if (!err && payloads)
		err = source_open(&p->dat, payloads);
	if (err) {
		pair_close(&p->base);
		return err;
	}
	*s = &p->base;
	return 0;
}
