/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The default text; see line.h.  Layout of lines: doc/blkparse.1, section
 * OUTPUT.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/hash.h"
#include "base/hint.h"
#include "base/num.h"
#include "base/time.h"
#include "emit/line.h"
#include "emit/line_rest.h"
#include "record/action.h"
#include "record/payload.h"
#include "record/record.h"
#include "run/device.h"
#include "run/names.h"

enum {
	ACTION_BITS = 9,
	ACTION_TEXTS = 1 << ACTION_BITS,
	PROCESS_TEXTS = 1024,	/* a power of two */
	HOST_MAX = 64,		/* characters of a host; more are cut */
	FIXED_ROOM = 256 + HOST_MAX,	/* longest line without its payload */
	ESCAPED_ROOM = 29,	/* of a name on a terminal; more is cut */
};

/* text of an action word with its RWBS column */
struct action_text {
	uint64_t key;		/* of event_kind() */
	line_rest *rest;	/* NULL: no line */
	uint8_t len;
	char text[15];		/* " D  WS " */
};

/*
 * The start of a lane's next line: its text, and the last eight characters of
 * the sequence number, which are incremented as text.
 */
struct lane_text {
	uint32_t device;
	uint32_t next, end;	/* incremented if it is next, and below end */
	uint8_t device_len;	/* 0: none yet */
	uint8_t len;		/* up to the last eight of the number */
	uint64_t eight;		/* num_eight() of the last line's */
	const char *host;	/* before the text; NULL: there is one host */
	char text[32];		/* "  8,0    3 " */
};

struct line {
	struct buf *out;
	const struct names *names;
	uint64_t second;	/* ns of second_text */
	uint8_t second_len;
	char second_text[16];	/* "    7." */
	struct lane_text *lanes;	/* by lane */
	uint32_t lane_count;
	struct action_text actions[ACTION_TEXTS];
	struct line_process processes[PROCESS_TEXTS];
};

/* of an empty entry; no event has it */
#define NO_KEY UINT64_MAX

static struct lane_text *grow_lanes(struct line *l, uint32_t id)
{
	uint32_t count = 2 * id + 16;
	struct lane_text *w = realloc(l->lanes, count * sizeof(*w));

	if (!w)
		return NULL;
	memset(w + l->lane_count, 0, (count - l->lane_count) * sizeof(*w));
	l->lanes = w;
	l->lane_count = count;
	return &w[id];
}

struct line *line_new(struct buf *out, const struct names *names)
{
	struct line *l = aligned_alloc(64, sizeof(*l));

	if (!l)
		return NULL;
	memset(l, 0, sizeof(*l));
	l->out = out;
	l->names = names;
	memcpy(l->second_text, "    0.", 6);
	l->second_len = 6;
	for (int i = 0; i < ACTION_TEXTS; i++)
		l->actions[i].key = NO_KEY;
	for (int i = 0; i < PROCESS_TEXTS; i++)
		l->processes[i].key = NO_KEY;
	if (!grow_lanes(l, 0)) {
		line_free(l);
		return NULL;
	}
	return l;
}

void line_free(struct line *l)
{
	if (!l)
		return;
	free(l->lanes);
	free(l);
}

/* --- cached texts --------------------------------------------------------- */

/* "%3d,%-3d %2d " */
static void set_device(struct lane_text *w, uint32_t device, uint32_t cpu)
{
	unsigned int digits = num_digits(BLK_MINOR(device));
	char *p = num_u64_right(w->text, BLK_MAJOR(device), 3);

	*p++ = ',';
	p = num_u64(p, BLK_MINOR(device));
	for (; digits < 3; digits++)
		*p++ = ' ';
	*p++ = ' ';
	p = num_u64_right(p, cpu, 2);
	*p++ = ' ';
	w->device_len = (uint8_t)(p - w->text);
	w->device = device;
}

/* The first number after sequence that differs in more than its last eight
 * characters; 1.3.0: big numbers show negative. */
static uint32_t end_of_eight(uint32_t sequence)
{
	const uint32_t eight = 100000000, negative = (uint32_t)INT32_MAX + 1;
	uint32_t end = 10;

	if (sequence >= negative)
		return 0;
	while (end <= sequence && end < eight)
		end *= 10;
	if (end <= sequence)
		end = (sequence / eight + 1) * eight;
	return end < negative ? end : negative;
}

/* 1.3.0: "%8d " */
static void set_sequence(struct lane_text *w, uint32_t sequence)
{
	char text[NUM_DECIMAL_MAX + NUM_SLACK], *p;
	size_t more;

	p = num_i64_right(text, (int32_t)sequence, 8);
	more = (size_t)(p - text) - 8;
	memcpy(w->text + w->device_len, text, more);
	w->len = (uint8_t)(w->device_len + more);
	w->eight = num_eight(text + more);
	w->next = sequence + 1;
	w->end = end_of_eight(sequence);
}

static COLD struct lane_text *renew_lane(struct line *l, const struct event *ev)
{
	uint32_t id = ev->lane->id;
	struct lane_text *w = id < l->lane_count ? &l->lanes[id] :
						grow_lanes(l, id);

	if (!w)
		return NULL;
	if (!w->device_len || w->device != ev->device)
		set_device(w, ev->device, ev->lane->cpu);
	w->host = ev->lane->device->host;
	set_sequence(w, ev->sequence);
	return w;
}

/* The lane's line up to the time; NULL: no memory. */
static inline const struct lane_text *lane_of(struct line *l,
					      const struct event *ev)
{
	struct lane_text *w = l->lanes + ev->lane->id;

	if (UNLIKELY(ev->lane->id >= l->lane_count ||
		     w->device != ev->device || w->next != ev->sequence ||
		     w->next >= w->end))
		return renew_lane(l, ev);
	w->next++;
	w->eight = num_eight_next(w->eight);
	return w;
}

/* 1.3.0: "%5d." of the seconds, cut to 32 bits */
static COLD void set_second(struct line *l, uint64_t time)
{
	uint64_t seconds = time / NS_PER_SECOND;
	char *p = num_i64_right(l->second_text, (int32_t)seconds, 5);

	*p++ = '.';
	l->second_len = (uint8_t)(p - l->second_text);
	l->second = seconds * NS_PER_SECOND;
}

static COLD void set_process(struct line *l, struct line_process *w,
			     const struct event *ev, uint64_t key)
{
	const char *name = names_get(l->names, ev->origin, ev->pid);
	char *p;

	p = num_u64_right(w->pid_text, ev->pid, 5);
	*p++ = ' ';
	w->pid_len = (uint8_t)(p - w->pid_text);
	w->name_text[0] = '[';
	name = name ? name : "(null)";
	if (l->out->terminal)
		p = w->name_text + 1 +
		    escape_text(w->name_text + 1, ESCAPED_ROOM, name,
				strlen(name));
	else
		p = stpcpy(w->name_text + 1, name);
	*p++ = ']';
	*p++ = '\n';
	w->name_len = (uint8_t)(p - w->name_text);
	w->key = key;
}

COLD void line_forget_name(struct line *l, uint16_t origin, uint32_t pid)
{
	struct line_process *w = &l->processes[pid % PROCESS_TEXTS];

	if (w->key == origin_key(origin, pid))
		w->key = NO_KEY;
}

static inline const struct line_process *process_of(struct line *l,
						    const struct event *ev)
{
	struct line_process *w = &l->processes[ev->pid % PROCESS_TEXTS];
	uint64_t key = origin_key(ev->origin, ev->pid);

	if (UNLIKELY(w->key != key))
		set_process(l, w, ev, key);
	return w;
}

/* "%2s %3s " */
static COLD void set_action(struct action_text *w, const struct event *ev,
			    uint64_t key)
{
	const char *action = line_action(ev);
	char rwbs[RWBS_MAX], *p = w->text;
	unsigned int len = rwbs_text(ev, rwbs);

	w->key = key;
	w->rest = action ? line_rest_for(ev) : NULL;
	if (!action)
		return;
	if (!action[1])
		*p++ = ' ';
	p = stpcpy(p, action);
	*p++ = ' ';
	for (unsigned int i = len; i < 3; i++)
		*p++ = ' ';
	p = stpcpy(p, rwbs);
	*p++ = ' ';
	w->len = (uint8_t)(p - w->text);
}

static inline const struct action_text *action_of(struct line *l,
						  const struct event *ev)
{
	uint64_t key = event_kind(ev);
	struct action_text *w = &l->actions[hash_spread(key, ACTION_BITS)];

	if (UNLIKELY(w->key != key))
		set_action(w, ev, key);
	return w;
}

const char *line_action(const struct event *ev)
{
	return event_is_pc(ev) ? action_text_pc(event_number(ev)) :
				 action_text(event_number(ev));
}

/* --- lines ---------------------------------------------------------------- */

static inline char *put_time(struct line *l, char *p, uint64_t time)
{
	/* times before the first event wrap to near 2^64 */
	if (UNLIKELY(time < l->second || time - l->second >= NS_PER_SECOND))
		set_second(l, time);
	p = LINE_PASTE(p, l->second_text, l->second_len);
	p = num_nine(p, (uint32_t)(time - l->second));
	*p++ = ' ';
	return p;
}

/* A message's text, on a terminal escaped except for newlines at its end. */
static char *put_message(const struct line *l, char *p, const char *text,
			 size_t len)
{
	size_t lines = 0;

	len = strnlen(text, len);
	if (l->out->terminal) {
		while (lines < len && text[len - lines - 1] == '\n')
			lines++;
		len -= lines;
		p += escape_text(p, ESCAPE_MAX * len + 1, text, len);
		text += len;
		len = lines;
	}
	memcpy(p, text, len);
	return p + len;
}

/* "host " */
static COLD char *put_host(char *p, const char *host)
{
	size_t len = strnlen(host, HOST_MAX);

	memcpy(p, host, len);
	p[len] = ' ';
	return p + len + 1;
}

/* Header, cgroup id in hexadecimal, "m", "N", and the text up to its NUL. */
static COLD enum line_result message(struct line *l, struct event *ev)
{
	const struct lane_text *lane = renew_lane(l, ev);
	const struct line_process *process = process_of(l, ev);
	size_t room = (l->out->terminal ? ESCAPE_MAX : 1) * (size_t)ev->pdu_len;
	char *p = buf_room(l->out, FIXED_ROOM + room);
	uint32_t ino, gen;
	size_t len;
	const char *text = (const char *)payload_body(ev, &len);

	if (!p || !lane)
		return LINE_NO_ROOM;
	if (!ev->pdu_len)
		return LINE_SHOWN;
	if (UNLIKELY(lane->host))
		p = put_host(p, lane->host);
	p = LINE_PASTE(p, lane->text, lane->device_len);
	p = LINE_PASTE(p, "       0 ", 9);
	p = put_time(l, p, ev->time);
	p = LINE_PASTE(p, process->pid_text, process->pid_len);
	if (payload_cgroup(ev, &ino, &gen)) {
		p = num_hex(p, ino);
		*p++ = ',';
		p = num_hex(p, gen);
		*p++ = ' ';
	}
	p = LINE_PASTE(p, " m   N ", 7);
	p = put_message(l, p, text, len);
	*p++ = '\n';
	buf_commit(l->out, p);
	return LINE_SHOWN;
}

/* An action without a line. */
static COLD enum line_result no_line(const struct event *ev)
{
	if (event_number(ev) == BLK_TA_DRV_DATA && !event_is_pc(ev))
		return LINE_HIDDEN;
	return LINE_UNKNOWN;
}

static void follow_remap(struct event *ev)
{
	struct remap r;

	if (payload_remap(ev, &r))
		ev->device = r.to;
}

enum line_result line_event(struct line *l, struct event *ev, uint64_t latency)
{
	const struct lane_text *lane;
	const struct action_text *action;
	const struct line_process *process;
	char *p;

	if (UNLIKELY(event_is_note(ev)))
		return message(l, ev);
	action = action_of(l, ev);
	if (UNLIKELY(!action->rest))
		return no_line(ev);
	if (action->rest == rest_remap)
		follow_remap(ev);
	lane = lane_of(l, ev);
	process = process_of(l, ev);
	p = buf_room(l->out, FIXED_ROOM + 3 * (size_t)ev->pdu_len);
	if (UNLIKELY(!p || !lane))
		return LINE_NO_ROOM;
	if (UNLIKELY(lane->host))
		p = put_host(p, lane->host);
	p = LINE_PASTE(p, lane->text, lane->len);
	p = num_put_eight(p, lane->eight);
	*p++ = ' ';
	p = put_time(l, p, ev->time);
	p = LINE_PASTE(p, process->pid_text, process->pid_len);
	p = LINE_PASTE(p, action->text, action->len);
	buf_commit(l->out, action->rest(p, process, ev, latency));
	return LINE_SHOWN;
}
