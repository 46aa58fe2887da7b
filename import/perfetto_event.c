/* SPDX-License-Identifier: GPL-2.0-only */
/* Block events of a Perfetto trace; see perfetto_event.h. */
#include <errno.h>
#include <string.h>

#include "import/perfetto_event.h"

enum {
	FIELDS = 8,		/* of a block event's message, from 1 */
	TIMESTAMP = 1,
	PID = 2,
	GENERIC = 327,		/* an event that Perfetto does not know */
};

#define DEV TRACE_DEV
#define SECT TRACE_SECTOR
#define NR TRACE_NR_SECTOR
#define RWBS TRACE_RWBS
#define COMM TRACE_COMM

/* the field that each of the message's is; 0 is TRACE_DEV, so that none is set */
#define BIO(...) { TRACE_FIELDS, DEV, SECT, NR, __VA_ARGS__ }
#define NONE TRACE_FIELDS

static const struct kind {
	uint32_t number;
	const char *name;
	enum trace_field fields[FIELDS];
} kinds[] = {
	{ 45, "block_rq_issue", BIO(TRACE_BYTES, RWBS, COMM, NONE) },
	{ 115, "block_bio_backmerge", BIO(RWBS, COMM, NONE, NONE) },
	{ 116, "block_bio_bounce", BIO(RWBS, COMM, NONE, NONE) },
	{ 117, "block_bio_complete", BIO(TRACE_ERROR, RWBS, NONE, NONE) },
	{ 118, "block_bio_frontmerge", BIO(RWBS, COMM, NONE, NONE) },
	{ 119, "block_bio_queue", BIO(RWBS, COMM, NONE, NONE) },
	{ 120, "block_bio_remap", BIO(TRACE_OLD_DEV, TRACE_OLD_SECTOR, RWBS,
				      NONE) },
	{ 122, "block_getrq", BIO(RWBS, COMM, NONE, NONE) },
	{ 123, "block_plug", { NONE, COMM, NONE, NONE, NONE, NONE, NONE,
			       NONE } },
	{ 125, "block_rq_complete", BIO(TRACE_ERROR, RWBS, NONE, TRACE_ERROR) },
	{ 126, "block_rq_insert", BIO(TRACE_BYTES, RWBS, COMM, NONE) },
	{ 128, "block_rq_remap", BIO(TRACE_OLD_DEV, TRACE_OLD_SECTOR, NONE,
				     RWBS) },
	{ 129, "block_rq_requeue", BIO(TRACE_ERROR, RWBS, NONE, NONE) },
	{ 130, "block_sleeprq", BIO(RWBS, COMM, NONE, NONE) },
	{ 131, "block_split", { NONE, DEV, SECT, TRACE_NEW_SECTOR, RWBS, COMM,
				NONE, NONE } },
	{ 133, "block_unplug", { NONE, TRACE_NR_RQ, COMM, NONE, NONE, NONE,
				 NONE, NONE } },
};

enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

static const struct kind *kind_of(uint32_t number)
{
	for (size_t i = 0; i < KINDS; i++)
		if (kinds[i].number == number)
			return &kinds[i];
	return NULL;
}

/* Perfetto has devices as user space numbers them; tracepoints as the kernel. */
static uint64_t kernel_device(uint64_t n)
{
	uint64_t major = n >> 8 & 0xfff, minor = (n & 0xff) | (n >> 12 & 0xfff00);

	return major << 20 | minor;
}

static void take(struct perfetto_event *e, enum trace_field to,
		 const struct proto_field *f)
{
	if (to == TRACE_FIELDS || (to >= TRACE_RWBS) != f->is_bytes)
		return;
	e->has |= 1u << to;
	e->texts[to] = f->in;
	e->numbers[to] = to == TRACE_DEV || to == TRACE_OLD_DEV ?
			 kernel_device(f->n) : f->n;
}

static int read_known(struct perfetto_event *e, const struct kind *k,
		      struct proto message)
{
	struct proto_field f;
	int n;

	e->tracepoint = tracepoint_named(k->name, strlen(k->name));
	while ((n = proto_next(&message, &f)) > 0)
		if (f.number < FIELDS)
			take(e, k->fields[f.number], &f);
	return n ? n : e->tracepoint != NULL;
}

/* A field's name (1), and its text (3) or number (4, 5). */
static int read_generic_field(struct perfetto_event *e, struct proto message)
{
	enum trace_field to = TRACE_FIELDS;
	struct proto_field f;
	int n;

	while ((n = proto_next(&message, &f)) > 0) {
		if (f.number == 1 && f.is_bytes)
			to = trace_field_named((const char *)f.in.at,
					       proto_len(&f.in));
		else if (f.number >= 3 && f.number <= 5)
			take(e, to, &f);
	}
	return n;
}

/* An event's name (1), and its fields (2). */
static int read_generic(struct perfetto_event *e, struct proto message)
{
	struct proto_field f;
	int n;

	while ((n = proto_next(&message, &f)) > 0) {
		if (f.number == 1 && f.is_bytes)
			e->tracepoint = tracepoint_named(
				(const char *)f.in.at, proto_len(&f.in));
		if (f.number == 2 && f.is_bytes)
			n = read_generic_field(e, f.in);
		if (n < 0)
			break;
	}
	return n < 0 ? n : e->tracepoint != NULL;
}

int perfetto_event_read(struct perfetto_event *e, struct proto message)
{
	struct proto_field f;
	int n, got = 0;

	*e = (struct perfetto_event){ .time = 0 };
	while ((n = proto_next(&message, &f)) > 0) {
		const struct kind *k = f.is_bytes ? kind_of(f.number) : NULL;

		if (f.number == TIMESTAMP)
			e->time = f.n;
		else if (f.number == PID)
			e->pid = (uint32_t)f.n;
		else if (k)
			got = read_known(e, k, f.in);
		else if (f.number == GENERIC && f.is_bytes)
			got = read_generic(e, f.in);
		if (got < 0)
			return got;
	}
	return n < 0 ? n : got;
}

/* --- values --------------------------------------------------------------- */

static bool has(const struct perfetto_event *e, enum trace_field field)
{
	return e->has >> field & 1;
}

static bool number(const void *ctx, enum trace_field field, uint64_t *n)
{
	const struct perfetto_event *e = ctx;

	*n = e->numbers[field];
	return has(e, field);
}

static bool text(const void *ctx, enum trace_field field, const char **at,
		 size_t *len)
{
	const struct perfetto_event *e = ctx;

	*at = (const char *)e->texts[field].at;
	*len = proto_len(&e->texts[field]);
	return has(e, field);
}

struct trace_values perfetto_event_values(const struct perfetto_event *e)
{
	return (struct trace_values){ number, text, e };
}
