/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints to records; see tracepoint.h.
 *
 * The kernel's blktrace is called at the same tracepoints.  It adds a category
 * by action (QUEUE, ISSUE, COMPLETE, REQUEUE), FS or PC if it is given a
 * request, and others by operation and flags, which are RWBS letters here.
 *
 * What tracepoints do not have: whether a plug was emptied because its process
 * slept (UT), the direction of a passthrough command, and before Linux 6.19
 * that a write of zeroes is one.
 */
#include <endian.h>
#include <stdio.h>
#include <string.h>

#include "blktrace.h"
#include "import/tracepoint.h"
#include "record/action.h"
#include "record/record.h"

enum { SECTOR = 512 };

static const struct {
	const char *name;
	enum trace_field field;
} fields[] = {
	{ "dev", TRACE_DEV },
	{ "sector", TRACE_SECTOR },
	{ "nr_sector", TRACE_NR_SECTOR },
	{ "bytes", TRACE_BYTES },
	{ "error", TRACE_ERROR },
	{ "errors", TRACE_ERROR },	/* until Linux 4.11 */
	{ "old_dev", TRACE_OLD_DEV },
	{ "old_sector", TRACE_OLD_SECTOR },
	{ "new_sector", TRACE_NEW_SECTOR },
	{ "nr_rq", TRACE_NR_RQ },
	{ "rwbs", TRACE_RWBS },
	{ "comm", TRACE_COMM },
};

enum trace_field trace_field_named(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (strlen(fields[i].name) == len &&
		    !memcmp(fields[i].name, name, len))
			return fields[i].field;
	return TRACE_FIELDS;
}

/* --- the table ------------------------------------------------------------ */

/* what a recording may lack, in the order of an I/O's way */
enum group {
	QUEUES, GETS, PLUGS, MERGES, INSERTS, ISSUES, COMPLETIONS, REQUEUES,
	SPLITS, REMAPS, GROUPS,
	OTHERS = GROUPS,	/* rare, or of some kernels only */
};

static const char *const group_words[GROUPS] = {
	"queue", "get request", "plug", "merge", "insert", "issue",
	"completion", "requeue", "split", "remap",
};

#define BIT(field) (1u << TRACE_##field)
#define IO (BIT(DEV) | BIT(SECTOR) | BIT(RWBS))
#define SIZED (IO | BIT(NR_SECTOR))
#define MOVED (SIZED | BIT(OLD_DEV) | BIT(OLD_SECTOR))
#define QUEUED(name) (BLK_TA_##name | BLK_TC_ACT(BLK_TC_QUEUE))
#define OWN(name) (BLK_TA_##name | BLK_TC_ACT(BLK_TC_##name))

static const struct tracepoint tracepoints[] = {
	{ "block_bio_queue", OWN(QUEUE), TRACE_OF_BIO, SIZED, QUEUES },
	{ "block_bio_backmerge", QUEUED(BACKMERGE), TRACE_OF_BIO, SIZED,
	  MERGES },
	{ "block_bio_frontmerge", QUEUED(FRONTMERGE), TRACE_OF_BIO, SIZED,
	  MERGES },
	{ "block_rq_merge", QUEUED(BACKMERGE), TRACE_OF_REQUEST, SIZED,
	  MERGES },
	{ "block_getrq", QUEUED(GETRQ), TRACE_OF_BIO, SIZED, GETS },
	{ "block_sleeprq", QUEUED(SLEEPRQ), TRACE_OF_BIO, SIZED, OTHERS },
	{ "block_plug", QUEUED(PLUG), TRACE_OF_PLUG, 0, PLUGS },
	{ "block_unplug", QUEUED(UNPLUG_IO), TRACE_OF_PLUG, BIT(NR_RQ),
	  PLUGS },
	{ "block_rq_insert", QUEUED(INSERT), TRACE_OF_REQUEST, SIZED, INSERTS },
	{ "block_rq_issue", OWN(ISSUE), TRACE_OF_REQUEST, SIZED, ISSUES },
	{ "block_rq_complete", OWN(COMPLETE), TRACE_OF_REQUEST, SIZED,
	  COMPLETIONS },
	{ "block_rq_requeue", OWN(REQUEUE), TRACE_OF_REQUEST, SIZED, REQUEUES },
	{ "block_bio_complete", OWN(COMPLETE), TRACE_OF_BIO, SIZED,
	  COMPLETIONS },
	{ "block_split", BLK_TA_SPLIT, TRACE_OF_BIO, IO | BIT(NEW_SECTOR),
	  SPLITS },
	{ "block_bio_bounce", BLK_TA_BOUNCE, TRACE_OF_BIO, SIZED, OTHERS },
	{ "block_bio_remap", QUEUED(REMAP), TRACE_OF_BIO, MOVED, REMAPS },
	{ "block_rq_remap", QUEUED(REMAP), TRACE_OF_REQUEST, MOVED, REMAPS },
};

const struct tracepoint *tracepoint_named(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(tracepoints) / sizeof(*tracepoints); i++)
		if (strlen(tracepoints[i].name) == len &&
		    !memcmp(tracepoints[i].name, name, len))
			return &tracepoints[i];
	return NULL;
}

uint32_t tracepoints_rare(void)
{
	return ~(1u << QUEUES | 1u << GETS | 1u << ISSUES | 1u << COMPLETIONS);
}

/* "no A, B or C events" */
bool tracepoints_lack(uint32_t groups, char text[TRACEPOINTS_LACK])
{
	uint32_t left = ~groups & ((1u << GROUPS) - 1);
	const char *before = "no ";
	size_t len = 0;

	if (!left)
		return false;
	for (unsigned int g = 0; left; left &= ~(1u << g++)) {
		if (!(left >> g & 1))
			continue;
		if (len)
			before = left >> g == 1 ? " or " : ", ";
		len += (size_t)snprintf(text + len, TRACEPOINTS_LACK - len,
					"%s%s", before, group_words[g]);
	}
	snprintf(text + len, TRACEPOINTS_LACK - len, " events");
	return true;
}

/* --- values --------------------------------------------------------------- */

static const char *const missing[TRACE_FIELDS] = {
	[TRACE_DEV] = "an event without its field dev",
	[TRACE_SECTOR] = "an event without its field sector",
	[TRACE_NR_SECTOR] = "an event without its field nr_sector",
	[TRACE_OLD_DEV] = "an event without its field old_dev",
	[TRACE_OLD_SECTOR] = "an event without its field old_sector",
	[TRACE_NEW_SECTOR] = "an event without its field new_sector",
	[TRACE_NR_RQ] = "an event without its field nr_rq",
	[TRACE_RWBS] = "an event without its field rwbs",
};

struct values {
	uint64_t of[TRACE_FIELDS];
	uint32_t has;		/* bits of fields */
	const char *rwbs;
	size_t rwbs_len;
};

static const char *get_values(const struct tracepoint *t,
			      const struct trace_values *v, struct values *to)
{
	*to = (struct values){ .has = 0 };
	for (int f = 0; f < TRACE_RWBS; f++)
		if (v->number(v->ctx, (enum trace_field)f, &to->of[f]))
			to->has |= 1u << f;
	if (v->text(v->ctx, TRACE_RWBS, &to->rwbs, &to->rwbs_len))
		to->has |= BIT(RWBS);
	for (int f = 0; f < TRACE_FIELDS; f++)
		if (t->needs & ~to->has & 1u << f)
			return missing[f];
	return NULL;
}

static uint64_t size_of(const struct values *v)
{
	if (v->has & BIT(BYTES))
		return v->of[TRACE_BYTES];
	/* a split's record is of the front part */
	if (v->has & BIT(NEW_SECTOR))
		return (v->of[TRACE_NEW_SECTOR] - v->of[TRACE_SECTOR]) * SECTOR;
	return v->of[TRACE_NR_SECTOR] * SECTOR;
}

/* A command has no sector: the kernel says 0 + 0, or -1 when it completes.  So
 * does a flush, which has no bytes, either. */
static bool passes_through(const struct values *v, uint64_t bytes)
{
	bool nothing = v->rwbs_len && *v->rwbs == 'N';

	if (v->of[TRACE_SECTOR] == UINT64_MAX)
		return nothing || bytes;
	return !v->of[TRACE_NR_SECTOR] && (nothing || bytes);
}

static const char *set_io(const struct tracepoint *t, const struct values *v,
			  struct event *ev)
{
	uint64_t bytes = size_of(v);
	uint32_t categories;
	bool passes;

	if (!rwbs_parse(v->rwbs, v->rwbs_len, &categories))
		return "an event of an unknown operation";
	ev->device = (uint32_t)v->of[TRACE_DEV];
	ev->sector = v->of[TRACE_SECTOR];
	ev->bytes = bytes <= UINT32_MAX ? (uint32_t)bytes : 0;
	ev->error = (uint16_t)v->of[TRACE_ERROR];
	ev->action |= categories << 16;
	ev->zone = categories >> 16;
	if (t->subject != TRACE_OF_REQUEST || t->group == REMAPS)
		return NULL;
	passes = passes_through(v, bytes);
	ev->action |= BLK_TC_ACT(passes ? BLK_TC_PC : BLK_TC_FS);
	if (passes || ev->sector == UINT64_MAX)
		ev->sector = 0;
	return NULL;
}

/* --- payloads ------------------------------------------------------------- */

static void put_number(struct event *ev, uint8_t payload[TRACE_PAYLOAD],
		       uint64_t n)
{
	n = htobe64(n);
	memcpy(payload, &n, sizeof(n));
	ev->pdu_len = sizeof(n);
}

static void put_remap(struct event *ev, uint8_t payload[TRACE_PAYLOAD],
		      const struct values *v)
{
	uint32_t from = htobe32((uint32_t)v->of[TRACE_OLD_DEV]);
	uint32_t to = htobe32((uint32_t)v->of[TRACE_DEV]);
	uint64_t sector = htobe64(v->of[TRACE_OLD_SECTOR]);

	memcpy(payload, &from, sizeof(from));
	memcpy(payload + 4, &to, sizeof(to));
	memcpy(payload + 8, &sector, sizeof(sector));
	ev->pdu_len = TRACE_PAYLOAD;
}

const char *tracepoint_event(const struct tracepoint *t,
			     const struct trace_values *v, struct event *ev,
			     uint8_t payload[TRACE_PAYLOAD])
{
	struct values values;
	const char *why = get_values(t, v, &values);

	*ev = (struct event){ .action = t->action, .payload = payload };
	if (why)
		return why;
	if (t->subject != TRACE_OF_PLUG)
		why = set_io(t, &values, ev);
	else
		ev->action |= BLK_TC_ACT(BLK_TC_READ);
	if (t->needs & BIT(NR_RQ))
		put_number(ev, payload, values.of[TRACE_NR_RQ]);
	else if (t->needs & BIT(NEW_SECTOR))
		put_number(ev, payload, values.of[TRACE_NEW_SECTOR]);
	else if (t->needs & BIT(OLD_DEV))
		put_remap(ev, payload, &values);
	return why;
}
