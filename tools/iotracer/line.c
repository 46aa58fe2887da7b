/* SPDX-License-Identifier: GPL-2.0-only */
/* The log line; see line.h. */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/hold.h"
#include "base/num.h"
#include "base/time.h"
#include "bpf/layout.h"
#include "record/action.h"
#include "record/payload.h"
#include "record/record.h"
#include "run/reorder.h"
#include "tools/iotracer/line.h"

/* --- line queue ----------------------------------------------------------- */

void line_queue_init(struct line_queue *q)
{
	*q = (struct line_queue){ 0 };
	hold_init(&q->lines, sizeof(struct bpf_line));
}

void line_queue_free(struct line_queue *q)
{
	hold_free(&q->lines);
}

int line_queue_add(struct line_queue *q, const struct bpf_line *l)
{
	struct order key = { .time = l->time, .stamp = q->arrived++ };
	struct bpf_line *place = hold_add(&q->lines, HOLD_ALONE, &key);

	if (!place)
		return -ENOMEM;
	*place = *l;
	return 0;
}

const struct bpf_line *line_queue_next(struct line_queue *q, uint64_t until)
{
	const struct order *least = hold_least(&q->lines);

	if (!least ||
	    (least->time > until && hold_count(&q->lines) <= LINE_QUEUE_MAX))
		return NULL;
	return hold_take(&q->lines, NULL);
}

/* --- line ----------------------------------------------------------------- */

const char line_levels[LEVEL_COUNT][5] = { "VFS", "BLK", "MAP", "SYNC" };

/* as the programs number them, from 1 */
_Static_assert((int)SYNC_FSYNC == (int)SYNC_CALL_FSYNC + 1 &&
	       (int)SYNC_FDATASYNC == (int)SYNC_CALL_FDATASYNC + 1 &&
	       (int)SYNC_RANGE == (int)SYNC_CALL_RANGE + 1 &&
	       (int)SYNC_MSYNC == (int)SYNC_CALL_MSYNC + 1 &&
	       (int)SYNC_WRITE == (int)SYNC_CALL_WRITE + 1 &&
	       (int)SYNC_COUNT == (int)SYNC_CALLS + 1,
	       "both number calls in one order");
/* --- rendering --------------------------------------------------------- */

static char *put_seconds(char *p, uint64_t ns)
{
	p = num_u64(p, ns / NS_PER_SECOND);
	*p++ = '.';
	return num_nine(p, (uint32_t)(ns % NS_PER_SECOND));
}

/* A call from before T0 counts as of T0. */
static char *put_time(char *p, uint64_t time, uint64_t zero_time)
{
	p = put_seconds(p, time > zero_time ? time - zero_time : 0);
	*p++ = ';';
	return p;
}

/* Only calls have one; it is never 0. */
static char *put_duration(char *p, const struct bpf_line *l)
{
	*p++ = ';';
	return l->duration ? put_seconds(p, l->duration) : p;
}

static char *put_text(char *p, const char *text)
{
	size_t len = strlen(text);

	memcpy(p, text, len);
	return p + len;
}

static char *put_comm(char *p, const char *comm)
{
	size_t len = strnlen(comm, BPF_COMM);

	memcpy(p, comm, len);
	return p + len;
}

/* blkparse's letters, by their categories. */
static char *put_rwbs(char *p, const struct bpf_line *l)
{
	static const struct {
		uint32_t flag;	/* of bi_opf */
		enum blk_category category;
	} flags[] = {
		{ 1 << 11, BLK_TC_SYNC }, { 1 << 12, BLK_TC_META },
		{ 1 << 17, BLK_TC_FUA }, { 1 << 18, BLK_TC_FLUSH },
		{ 1 << 19, BLK_TC_AHEAD },
	};
	struct event ev = { .bytes = 1 };
	char text[RWBS_MAX];

	ev.action = l->writes ? BLK_TC_ACT(BLK_TC_WRITE) : 0;
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		if (l->flags & flags[i].flag)
			ev.action |= BLK_TC_ACT(flags[i].category);
	rwbs_text(&ev, text);
	return put_text(p, text);
}

/* The kind of access. */
static char *put_kind(char *p, const struct bpf_line *l)
{
	if (l->level == LEVEL_SYNC && l->flags && l->flags < SYNC_COUNT)
		return put_text(p, sync_call_names[l->flags - 1]);
	return put_rwbs(p, l);
}

static char *put_extension(char *p, const struct bpf_line *l, const char *path)
{
	*p++ = ';';
	if (l->level == LEVEL_BLK) {
		p = num_u64(p, BLK_MAJOR(l->disk));
		*p++ = ':';
		p = num_u64(p, BLK_MINOR(l->disk));
		*p++ = ';';
		p = num_u64(p, l->sector);
	} else {
		*p++ = ';';
	}
	*p++ = ';';
	p = put_kind(p, l);
	*p++ = ';';
	p = num_u64(p, l->tid);
	*p++ = ';';
	return put_text(p, path);
}

char *line_format(char *p, const struct bpf_line *l, uint64_t zero_time,
		  const struct line_style *style, const char *path)
{
	bool disk = style->whole_disk && l->level == LEVEL_BLK;

	p = put_time(p, l->time, zero_time);
	*p++ = l->writes ? 'W' : 'R';
	*p++ = ';';
	p = num_u64(p, disk ? l->sector : l->address);
	*p++ = ';';
	p = num_u64(p, l->size);
	*p++ = ';';
	p = put_text(p, line_levels[l->level]);
	*p++ = ';';
	p = put_comm(p, l->comm);
	*p++ = ';';
	p = num_u64(p, l->tgid);
	if (style->duration)
		p = put_duration(p, l);
	if (style->extended)
		p = put_extension(p, l, path);
	*p++ = '\n';
	return p;
}

/* --- parsing ----------------------------------------------------------- */

/* the rest of a line */
struct rest {
	const char *p, *end;
};

/* Takes text up to and with `stop`; its length, or -1. */
static long take_field(struct rest *r, char stop, const char **field)
{
	const char *at = memchr(r->p, stop, (size_t)(r->end - r->p));

	if (!at)
		return -1;
	*field = r->p;
	r->p = at + 1;
	return at - *field;
}

static int parse_number(const char *p, long len, uint64_t *n)
{
	*n = 0;
	if (len < 1 || len > 19)
		return -EINVAL;
	for (; len--; p++) {
		if (*p < '0' || *p > '9')
			return -EINVAL;
		*n = *n * 10 + (uint64_t)(*p - '0');
	}
	return 0;
}

static int take_number(struct rest *r, char stop, uint64_t *n)
{
	const char *field;
	long len = take_field(r, stop, &field);

	return parse_number(field, len, n);
}

static int take_time(struct rest *r, uint64_t *time)
{
	uint64_t seconds, ns;
	const char *field;
	long len;

	if (take_number(r, '.', &seconds) ||
	    seconds > UINT64_MAX / NS_PER_SECOND - 1)
		return -EINVAL;
	len = take_field(r, ';', &field);
	if (len != 9 || parse_number(field, len, &ns))
		return -EINVAL;
	*time = seconds * NS_PER_SECOND + ns;
	return 0;
}

static int take_direction(struct rest *r, __u8 *writes)
{
	const char *field;

	if (take_field(r, ';', &field) != 1 || !strchr("RW", *field))
		return -EINVAL;
	*writes = *field == 'W';
	return 0;
}

/* The original declares FS, but never prints it. */
static int take_level(struct rest *r, __u8 *level)
{
	const char *field;
	long len = take_field(r, ';', &field);

	for (__u8 i = 0; len > 0 && i < LEVEL_COUNT; i++)
		if (strlen(line_levels[i]) == (size_t)len &&
		    !memcmp(field, line_levels[i], (size_t)len)) {
			*level = i;
			return 0;
		}
	return -EINVAL;
}

/* The start of the process's id: after the last semicolon, or in an extended
 * line after the first one followed by one more number. */
static const char *find_pid(const struct rest *r, const char **end)
{
	const char *last = memrchr(r->p, ';', (size_t)(r->end - r->p));
	uint64_t pid;

	*end = r->end;
	if (!last || !parse_number(last + 1, r->end - last - 1, &pid))
		return last;
	for (const char *at = r->p; (at = memchr(at, ';', (size_t)(last - at)));
	     at++) {
		*end = memchr(at + 1, ';', (size_t)(r->end - at - 1));
		if (*end && !parse_number(at + 1, *end - at - 1, &pid))
			return at;
	}
	return NULL;
}

static int take_process(struct rest *r, struct bpf_line *l)
{
	const char *end, *at = find_pid(r, &end);
	uint64_t pid;

	if (!at || at - r->p >= BPF_COMM ||
	    parse_number(at + 1, end - at - 1, &pid))
		return -EINVAL;
	memcpy(l->comm, r->p, (size_t)(at - r->p));
	l->tgid = (uint32_t)pid;
	return 0;
}

int line_parse(struct bpf_line *l, const char *text, size_t len)
{
	struct rest r = { text, text + len };
	uint64_t address, size;
	uint64_t time;

	*l = (struct bpf_line){ 0 };
	if (take_time(&r, &time) || take_direction(&r, &l->writes) ||
	    take_number(&r, ';', &address) || take_number(&r, ';', &size) ||
	    take_level(&r, &l->level) || take_process(&r, l))
		return -EINVAL;
	l->time = time;
	l->address = address;
	l->size = size;
	return 0;
}
