/* SPDX-License-Identifier: GPL-2.0-only */
/* Events that did not find together, as text; see debug.h. */
#include <inttypes.h>
#include <stddef.h>

#include "record/record.h"
#include "tools/blkiomon/debug.h"
#include "tools/blkiomon/pairs.h"

/* how a value is shown; 1.3.0: 32 bits are signed */
enum kind { MAGIC, ACTION, SIGNED_32, SIGNED_64, UNSIGNED_16 };

struct field {
	const char *name;
	enum kind kind;
	size_t at;		/* in struct seen, for the last three */
};

static const struct field fields[] = {
	{ "magic", MAGIC, 0 },
	{ "sequence", SIGNED_32, offsetof(struct seen, ev.sequence) },
	{ "time", SIGNED_64, offsetof(struct seen, ev.time) },
	{ "sector", SIGNED_64, offsetof(struct seen, ev.sector) },
	{ "bytes", SIGNED_32, offsetof(struct seen, ev.bytes) },
	{ "action", ACTION, 0 },
	{ "pid", SIGNED_32, offsetof(struct seen, ev.pid) },
	{ "device", SIGNED_32, offsetof(struct seen, ev.device) },
	{ "cpu", SIGNED_32, offsetof(struct seen, ev.cpu) },
	{ "error", UNSIGNED_16, offsetof(struct seen, ev.error) },
	{ "pdu_len", UNSIGNED_16, offsetof(struct seen, ev.pdu_len) },
	{ "order", SIGNED_64, offsetof(struct seen, order) },
};

static int64_t number(const struct seen *s, const struct field *f)
{
	const uint8_t *at = (const uint8_t *)s + f->at;

	switch (f->kind) {
	case SIGNED_32:
		return (int32_t)get32(at);
	case SIGNED_64:
		return (int64_t)get64(at);
	case UNSIGNED_16:
		return get16(at);
	default:
		return (int64_t)(BLK_MAGIC | s->ev.version);
	}
}

/* One line: the field of each of the columns. */
static void line(FILE *out, const struct field *f,
		 const struct seen *const *columns, unsigned int count)
{
	fprintf(out, "%-8s", f->name);
	for (unsigned int i = 0; i < count; i++) {
		const struct event *ev = &columns[i]->ev;

		if (f->kind == ACTION)
			fprintf(out, " %16" PRIx64,
				(uint64_t)ev->zone << 32 | ev->action);
		else
			fprintf(out, " %16" PRId64, number(columns[i], f));
	}
	fputc('\n', out);
}

static void show(FILE *out, const struct seen *const *columns,
		 unsigned int count)
{
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		line(out, &fields[i], columns, count);
}

void debug_mismatch(FILE *out, const struct pair *p)
{
	const struct seen older = { *p->older, p->older_order };
	const struct seen younger = { *p->younger, p->younger_order };
	const struct seen *const columns[] = { &older, &younger };

	fputs("--- mismatch ---\n", out);
	show(out, columns, 2);
}

void debug_leftover(FILE *out, const struct seen *s)
{
	fputs("--- leftover ---\n", out);
	show(out, &s, 1);
}

void debug_counts(FILE *out, const struct counts *c)
{
	fprintf(out, "%" PRIu64 " leftover, %" PRIu64 " match, %" PRIu64
		" mismatch, %" PRIu64 " driverdata, %" PRIu64 " overall\n",
		c->leftovers, c->matches, c->mismatches, c->driver_data,
		c->records);
}
