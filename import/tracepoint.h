/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The block layer's tracepoints, and for each the record that the kernel's own
 * blktrace writes there: kernels 4.4 to 7.
 *
 * What recorded a tracepoint hands over values by field, whether it has them as
 * bytes or as text.
 */
#ifndef IMPORT_TRACEPOINT_H
#define IMPORT_TRACEPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event;			/* record/record.h */

/* fields that records are made of */
enum trace_field {
	TRACE_DEV,
	TRACE_SECTOR,
	TRACE_NR_SECTOR,
	TRACE_BYTES,
	TRACE_ERROR,
	TRACE_OLD_DEV,
	TRACE_OLD_SECTOR,
	TRACE_NEW_SECTOR,
	TRACE_NR_RQ,
	TRACE_RWBS,		/* this one and the next are text */
	TRACE_COMM,
	TRACE_FIELDS		/* how many; no field */
};

/* by a field's name in the kernel's formats, or TRACE_FIELDS */
enum trace_field trace_field_named(const char *name, size_t len);

/* the values of one event; both functions: false: it has no such field */
struct trace_values {
	bool (*number)(const void *ctx, enum trace_field field, uint64_t *n);
	/* valid as long as the event */
	bool (*text)(const void *ctx, enum trace_field field,
		     const char **text, size_t *len);
	const void *ctx;
};

/* what an event is about */
enum trace_subject {
	TRACE_OF_BIO,		/* on a disk or a partition */
	TRACE_OF_REQUEST,	/* on a disk */
	TRACE_OF_PLUG,		/* of a process, without a device */
};

struct tracepoint {
	const char *name;	/* block_rq_issue */
	uint32_t action;	/* with its own categories */
	enum trace_subject subject;
	uint32_t needs;		/* bits of the fields that it must have */
	unsigned int group;	/* for tracepoints_lack() */
};

/* NULL: none that blktrace records */
const struct tracepoint *tracepoint_named(const char *name, size_t len);

enum { TRACE_PAYLOAD = 16 };

/*
 * The record of an event, but for its time, pid and CPU, and for a plug's
 * device; its payload is kept in payload.  NULL; or what is wrong with it.
 */
const char *tracepoint_event(const struct tracepoint *t,
			     const struct trace_values *v, struct event *ev,
			     uint8_t payload[TRACE_PAYLOAD]);

/* bits of groups whose events a load may not have had */
uint32_t tracepoints_rare(void);

enum { TRACEPOINTS_LACK = 128 };

/*
 * What a recording of these tracepoints lacks, as "no plug or merge events".
 * groups: bits of tracepoint.group.  false: nothing.
 */
bool tracepoints_lack(uint32_t groups, char text[TRACEPOINTS_LACK]);

#endif
