/* SPDX-License-Identifier: GPL-2.0-only */
/* The sink to a packed file or pipe; see sink_packed.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/time.h"
#include "capture/notes.h"
#include "capture/sink.h"
#include "capture/span.h"
#include "capture/to/packed_file.h"
#include "capture/to/sink_packed.h"
#include "pack/format.h"
#include "pack/packer.h"

/* of a block's first record; a thread that sleeps for a second may wake
 * early */
#define AGE (NS_PER_SECOND - 100 * NS_PER_MS)

struct packed {
	struct sink sink;
	struct sink_packed_options o;
	struct packed_file *file;
};

struct amount {
	uint64_t records, bytes;
};

/* what a lane has */
struct out {
	struct packed_file *file;
	struct packer *packer;
	bool broken;		/* reported; packs no more */
	uint64_t since;		/* ns, of the first record gathered; 0: none */
	struct amount seals;	/* so far; the worker counts none */
	/* in blocks that were written */
	struct amount written, written_seals;
};

static int put(void *ctx, const struct pack_header *h, const uint8_t *block,
	       size_t len)
{
	struct out *out = ctx;
	int err = packed_file_put(out->file, h, block, len);

	out->since = 0;
	if (err)
		return err;
	out->written.records += h->events + (uint64_t)h->notes;
	out->written.bytes += h->len;
	out->written_seals = out->seals;
	return 0;
}

/* A member's packer; NULL: no memory. */
static struct packer *packer_of(const struct packed *s, const char *name,
				uint32_t cpu, struct out *out)
{
	struct packer_options o = {
		.stream = packed_file_stream(s->file), .put = put, .ctx = out };
	struct packer *p;
	char *member;

	if (asprintf(&member, "%s.blktrace.%u", s->o.base ? s->o.base : name,
		     cpu) < 0)
		return NULL;
	o.name = member;
	p = packer_new(&o);
	free(member);
	return p;
}

static int packed_open(struct sink *base, struct sink_lane *l)
{
	struct packed *s = (struct packed *)base;
	struct out *out = calloc(1, sizeof(*out));

	if (!out)
		return -ENOMEM;
	out->file = s->file;
	out->packer = packer_of(s, l->name, l->cpu, out);
	if (!out->packer) {
		free(out);
		return -ENOMEM;
	}
	l->out = out;
	return 0;
}

static int keep_error(struct out *out, int err)
{
	out->broken |= err;
	return err;
}

/* Puts what is gathered if it is old. */
static int put_old(struct out *out)
{
	uint64_t now = time_now();

	if (!packer_waits(out->packer))
		return 0;
	if (!out->since)
		out->since = now;
	return now - out->since >= AGE ? packer_flush(out->packer) : 0;
}

/* Seals are written alone. */
static void count_seal(struct out *out, size_t len)
{
	out->seals.records++;
	out->seals.bytes += len;
}

static int packed_write(struct sink *base, struct sink_lane *l,
			const void *records, size_t len)
{
	struct out *out = l->out;
	ssize_t n;

	(void)base;
	if (out->broken)
		return -EIO;
	n = packer_add(out->packer, records, len, true);
	if (n < 0)
		return keep_error(out, (int)n);
	if (len <= NOTES_SEAL && span_is_seal(records))
		count_seal(out, len);
	return keep_error(out, put_old(out));
}

static int packed_flush(struct sink *base, struct sink_lane *l)
{
	const struct packed *s = (struct packed *)base;
	struct out *out = l->out;

	if (out->broken)
		return -EIO;
	return keep_error(out, s->o.live ? packer_flush(out->packer) :
					   put_old(out));
}

static void count_written(struct sink_lane *l, const struct out *out)
{
	l->events = out->written.records - out->written_seals.records;
	l->bytes = out->written.bytes - out->written_seals.bytes;
}

static int packed_close(struct sink *base, struct sink_lane *l, uint64_t drops)
{
	struct out *out = l->out;
	int err = out->broken ? 0 : keep_error(out, packer_end(out->packer));

	(void)base, (void)drops;
	if (out->broken)
		count_written(l, out);
	packer_free(out->packer);
	free(out);
	l->out = NULL;
	return err;
}

static int packed_touch(struct sink *base, const char *name, uint32_t cpu)
{
	struct packed *s = (struct packed *)base;
	struct out out = { .file = s->file };
	struct packer *p = packer_of(s, name, cpu, &out);
	int err = p ? packer_end(p) : -ENOMEM;

	packer_free(p);
	return err;
}

static int packed_aside(struct sink *base, const char *name, const void *bytes,
			size_t len)
{
	struct packed *s = (struct packed *)base;

	return packed_file_aside(s->file, name, bytes, len);
}

static int packed_end(struct sink *base)
{
	struct packed *s = (struct packed *)base;

	return packed_file_end(s->file);
}

static void packed_free(struct sink *base)
{
	struct packed *s = (struct packed *)base;

	packed_file_free(s->file);
	free(s);
}

static const struct sink_ops packed_ops = {
	.open = packed_open,
	.write = packed_write,
	.flush = packed_flush,
	.close = packed_close,
	.free = packed_free,
	.touch = packed_touch,
	.aside = packed_aside,
	.end = packed_end,
};

int sink_packed_new(struct sink **out, const struct sink_packed_options *o)
{
	struct packed *s = calloc(1, sizeof(*s));
	int err = s ? packed_file_new(&s->file, &o->file) : -ENOMEM;

	if (err) {
		free(s);
		return err;
	}
	s->sink.ops = &packed_ops;
	s->o = *o;
	*out = &s->sink;
	return 0;
}
