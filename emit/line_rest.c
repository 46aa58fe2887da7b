/* SPDX-License-Identifier: GPL-2.0-only */
/* The rest of a line of the default text; see line_rest.h. */
#include <stdbool.h>

#include "base/num.h"
#include "emit/cdb.h"
#include "emit/line_rest.h"
#include "record/payload.h"
#include "record/record.h"

static inline char *put_name(char *p, const struct line_process *process)
{
	return LINE_PASTE(p, process->name_text, process->name_len);
}

/* "SECTOR + SECTORS " */
static inline char *put_range(char *p, const struct event *ev)
{
	p = num_u64(p, ev->sector);
	memcpy(p, " + ", 4);
	p = num_u64(p + 3, ev->bytes >> 9);
	*p++ = ' ';
	return p;
}

/* "(%8llu) " */
static char *put_latency(char *p, uint64_t latency)
{
	*p++ = '(';
	p = num_u64_right(p, latency, 8);
	memcpy(p, ") ", 2);
	return p + 2;
}

static char *put_cdb(char *p, const struct event *ev)
{
	if (!cdb_any(ev))
		return p;
	*p++ = '(';
	p = cdb_text(p, ev);
	memcpy(p, ") ", 2);
	return p + 2;
}

/* "[%d]\n" */
static inline char *put_error(char *p, const struct event *ev)
{
	*p++ = '[';
	p = num_u64(p, ev->error);
	memcpy(p, "]\n", 2);
	return p + 2;
}

static char *rest_complete(char *p, const struct line_process *process,
			   const struct event *ev, uint64_t latency)
{
	(void)process;
	if (ev->bytes >> 9) {
		p = put_range(p, ev);
	} else {
		p = num_u64(p, ev->sector);
		*p++ = ' ';
	}
	if (latency != LINE_NO_LATENCY)
		p = put_latency(p, latency);
	return put_error(p, ev);
}

static char *rest_complete_pc(char *p, const struct line_process *process,
			      const struct event *ev, uint64_t latency)
{
	(void)process, (void)latency;
	if (event_number(ev) == BLK_TA_COMPLETE)
		p = put_cdb(p, ev);
	return put_error(p, ev);
}

static char *rest_request(char *p, const struct line_process *process,
			  const struct event *ev, uint64_t latency)
{
	if (ev->bytes >> 9)
		p = put_range(p, ev);
	if (latency != LINE_NO_LATENCY)
		p = put_latency(p, latency);
	return put_name(p, process);
}

static char *rest_request_pc(char *p, const struct line_process *process,
			     const struct event *ev, uint64_t latency)
{
	uint32_t nr = event_number(ev);

	(void)latency;
	p = num_u64(p, ev->bytes);
	*p++ = ' ';
	if (nr == BLK_TA_ISSUE || nr == BLK_TA_INSERT)
		p = put_cdb(p, ev);
	return put_name(p, process);
}

/* Actions that end no wait have no latency. */
static char *rest_generic(char *p, const struct line_process *process,
			  const struct event *ev, uint64_t latency)
{
	(void)latency;
	if (ev->bytes >> 9)
		p = put_range(p, ev);
	return put_name(p, process);
}

static char *rest_plug(char *p, const struct line_process *process,
		       const struct event *ev, uint64_t latency)
{
	(void)ev, (void)latency;
	return put_name(p, process);
}

static char *rest_unplug(char *p, const struct line_process *process,
			 const struct event *ev, uint64_t latency)
{
	uint64_t depth;
	bool any = payload_number(ev, &depth);

	(void)latency;
	p = put_name(p, process);
	if (!any && event_number(ev) == BLK_TA_ZONE_UNPLUG)
		return p;
	p[-1] = ' ';
	p = num_u64(p, (uint32_t)depth);
	*p++ = '\n';
	return p;
}

char *rest_remap(char *p, const struct line_process *process,
		      const struct event *ev, uint64_t latency)
{
	struct remap r;

	(void)process, (void)latency;
	payload_remap(ev, &r);
	p = put_range(p, ev);
	memcpy(p, "<- (", 4);
	p = num_u64(p + 4, BLK_MAJOR(r.from));
	*p++ = ',';
	p = num_u64(p, BLK_MINOR(r.from));
	memcpy(p, ") ", 2);
	p = num_u64(p + 2, r.sector);
	*p++ = '\n';
	return p;
}

static char *rest_split(char *p, const struct line_process *process,
			const struct event *ev, uint64_t latency)
{
	uint64_t sector;

	(void)latency;
	payload_number(ev, &sector);
	p = num_u64(p, ev->sector);
	memcpy(p, " / ", 3);
	p = num_u64(p + 3, (uint32_t)sector);
	*p++ = ' ';
	return put_name(p, process);
}

/* by action; for three of them, packet commands have others */
#define rest_nothing NULL
#define REST(name, letters, pc, rest, ...) [BLK_TA_##name] = rest_##rest,

#define rest_pc_request rest_request_pc
#define rest_pc_complete rest_complete_pc
#define rest_pc_generic rest_generic
#define NO(rest) NULL
#define PC(rest) rest_pc_##rest
#define CMD(rest) rest_pc_##rest
#define REST_PC(name, letters, pc, rest, ...) [BLK_TA_##name] = pc(rest),

static line_rest *const rests[BLK_TA_COUNT] = { BLK_ACTIONS(REST) };
static line_rest *const rests_pc[BLK_TA_COUNT] = { BLK_ACTIONS(REST_PC) };

line_rest *line_rest_for(const struct event *ev)
{
	return (event_is_pc(ev) ? rests_pc : rests)[event_number(ev)];
}
