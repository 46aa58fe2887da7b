/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines of events; see trace_line.h. */
#include <string.h>

#include "base/time.h"
#include "blktrace.h"
#include "import/scan.h"
#include "import/trace_line.h"

enum { NS_DIGITS = 9, FLAGS_MAX = 8 };

static void set(struct trace_line *l, enum trace_field f, uint64_t n)
{
	l->numbers[f] = n;
	l->has |= 1u << f;
}

/* --- parts of what the kernel prints -------------------------------------- */

static bool number(struct trace_line *l, struct scan *s, enum trace_field f,
		   const char *expected)
{
	uint64_t n;

	if (!scan_number(s, UINT64_MAX, &n, expected))
		return false;
	set(l, f, n);
	return true;
}

/* MAJOR,MINOR */
static bool device(struct trace_line *l, struct scan *s, enum trace_field f)
{
	static const char expected[] = "a device such as 8,0";
	uint32_t major, minor;

	if (!scan_number32(s, 4095, &major, expected) ||
	    !scan_char(s, ',', expected) ||
	    !scan_number32(s, 0xfffff, &minor, expected))
		return false;
	set(l, f, BLK_DEVICE(major, minor));
	return true;
}

/* up to a blank or the end */
static size_t word(const struct scan *s)
{
	const char *end = memchr(s->at, ' ', (size_t)(s->end - s->at));

	return (size_t)((end ? end : s->end) - s->at);
}

static bool read_device(struct trace_line *l, struct scan *s)
{
	return device(l, s, TRACE_DEV);
}

static bool read_old_device(struct trace_line *l, struct scan *s)
{
	return scan_text(s, "<- (", 4, "<- (") &&
	       device(l, s, TRACE_OLD_DEV) && scan_char(s, ')', ")");
}

static bool read_rwbs(struct trace_line *l, struct scan *s)
{
	size_t n = word(s);

	l->rwbs.at = s->at;
	l->rwbs.len = n;
	l->has |= 1u << TRACE_RWBS;
	s->at += n;
	return n || scan_fail(s, "RWBS letters");
}

static bool read_bytes(struct trace_line *l, struct scan *s)
{
	return number(l, s, TRACE_BYTES, "a number of bytes");
}

/* a command's bytes; empty since Linux 4.13 */
static bool read_command(struct trace_line *l, struct scan *s)
{
	const char *end = memchr(s->at, ')', (size_t)(s->end - s->at));

	(void)l;
	if (!scan_sees(s, '(') || !end)
		return scan_fail(s, "a command in ()");
	s->at = end + 1;
	return true;
}

static bool read_sector(struct trace_line *l, struct scan *s)
{
	return number(l, s, TRACE_SECTOR, "a sector");
}

static bool read_sectors(struct trace_line *l, struct scan *s)
{
	if (!scan_text(s, "+ ", 2, "+"))
		return false;
	return number(l, s, TRACE_NR_SECTOR, "a number of sectors");
}

static bool read_new_sector(struct trace_line *l, struct scan *s)
{
	return scan_text(s, "/ ", 2, "/") &&
	       number(l, s, TRACE_NEW_SECTOR, "a sector");
}

static bool read_old_sector(struct trace_line *l, struct scan *s)
{
	return number(l, s, TRACE_OLD_SECTOR, "a sector");
}

/* A priority, which older kernels do not print. */
static bool read_priority(struct trace_line *l, struct scan *s)
{
	(void)l;
	if (!scan_sees(s, '['))
		s->at += word(s);
	return true;
}

/* A name in [], which may have brackets and blanks. */
static bool read_comm(struct trace_line *l, struct scan *s)
{
	const char *end = memrchr(s->at, ']', (size_t)(s->end - s->at));

	if (!scan_sees(s, '[') || !end)
		return scan_fail(s, "a process in []");
	l->comm.at = s->at + 1;
	l->comm.len = (size_t)(end - l->comm.at);
	l->has |= 1u << TRACE_COMM;
	s->at = end + 1;
	return true;
}

static bool read_error(struct trace_line *l, struct scan *s)
{
	static const char expected[] = "an error in []";
	uint64_t n;
	bool minus;

	if (!scan_char(s, '[', expected))
		return false;
	minus = scan_sees(s, '-');
	s->at += minus;
	if (!scan_number(s, UINT32_MAX, &n, expected) ||
	    !scan_char(s, ']', expected))
		return false;
	set(l, TRACE_ERROR, minus ? 0 - n : n);
	return true;
}

static bool read_count(struct trace_line *l, struct scan *s)
{
	return number(l, s, TRACE_NR_RQ, "a number of requests");
}

static bool pass_number(struct trace_line *l, struct scan *s)
{
	uint64_t n;

	(void)l;
	return scan_number(s, UINT64_MAX, &n, "a number");
}

/* --- what the kernel prints ----------------------------------------------- */

typedef bool read_part(struct trace_line *l, struct scan *s);

enum { PARTS_MAX = 9 };

/* parts that blanks separate; a name's first that fits */
static const struct {
	const char *begin;	/* of a tracepoint's name */
	read_part *parts[PARTS_MAX];
} texts[] = {
	{ "block_bio_complete", { read_device, read_rwbs, read_sector,
				  read_sectors, read_error } },
	{ "block_bio_remap", { read_device, read_rwbs, read_sector,
			       read_sectors, read_old_device,
			       read_old_sector } },
	{ "block_rq_remap", { read_device, read_rwbs, read_sector,
			      read_sectors, read_old_device, read_old_sector,
			      pass_number } },
	{ "block_split", { read_device, read_rwbs, read_sector,
			   read_new_sector, read_comm } },
	{ "block_plug", { read_comm } },
	{ "block_unplug", { read_comm, read_count } },
	{ "block_rq_complete", { read_device, read_rwbs, read_command,
				 read_sector, read_sectors, read_priority,
				 read_error } },
	{ "block_rq_requeue", { read_device, read_rwbs, read_command,
				read_sector, read_sectors, read_priority,
				read_error } },
	{ "block_rq_", { read_device, read_rwbs, read_bytes, read_command,
			 read_sector, read_sectors, read_priority,
			 read_comm } },
	{ "block_", { read_device, read_rwbs, read_sector, read_sectors,
		      read_comm } },
};

static read_part *const *parts_of(const struct tracepoint *t)
{
	size_t i = 0;

	while (strncmp(t->name, texts[i].begin, strlen(texts[i].begin)))
		i++;
	return texts[i].parts;
}

static bool read_parts(struct trace_line *l, struct scan *s)
{
	read_part *const *parts = parts_of(l->tracepoint);

	for (int i = 0; i < PARTS_MAX && parts[i]; i++) {
		scan_blanks(s, SIZE_MAX);
		if (!parts[i](l, s))
			return false;
	}
	scan_blanks(s, SIZE_MAX);
	return scan_end(s);
}

/* --- what is before it ---------------------------------------------------- */

/* SECONDS: with at most nine decimals */
static bool read_time(struct trace_line *l, struct scan *s)
{
	static const char expected[] = "a time in seconds";
	uint64_t seconds, part, scale = NS_PER_SECOND;
	const char *from;

	if (!scan_number(s, UINT32_MAX, &seconds, expected) ||
	    !scan_char(s, '.', expected))
		return false;
	from = s->at;
	if (!scan_number(s, NS_PER_SECOND - 1, &part, expected) ||
	    s->at - from > NS_DIGITS)
		return scan_fail(s, expected);
	for (; from < s->at; from++)
		scale /= 10;
	l->at.time = seconds * NS_PER_SECOND + part * scale;
	return scan_char(s, ':', expected);
}

/* What an interrupt or preemption was: "d..1." */
static void pass_flags(struct scan *s)
{
	size_t n = word(s);

	if (!n || n > FLAGS_MAX || (*s->at >= '0' && *s->at <= '9'))
		return;
	s->at += n;
	scan_blanks(s, SIZE_MAX);
}

/* block:NAME: or NAME: */
static bool read_name(struct trace_line *l, struct scan *s)
{
	static const char system[] = "block:";
	const char *end;

	scan_text(s, system, sizeof(system) - 1, NULL);
	end = memchr(s->at, ':', (size_t)(s->end - s->at));
	if (!end)
		return false;
	l->tracepoint = tracepoint_named(s->at, (size_t)(end - s->at));
	s->at = end + 1;
	return l->tracepoint;
}

/* From a CPU's bracket to the event's name. */
static bool read_head(struct trace_line *l, struct scan *s)
{
	uint32_t cpu;

	if (!scan_char(s, '[', NULL) ||
	    !scan_number32(s, UINT32_MAX, &cpu, NULL) ||
	    !scan_char(s, ']', NULL))
		return false;
	l->at.cpu = cpu;
	scan_blanks(s, SIZE_MAX);
	pass_flags(s);
	if (!read_time(l, s))
		return false;
	scan_blanks(s, SIZE_MAX);
	return read_name(l, s);
}

static const char *trim(const char *from, const char *end)
{
	while (end > from && end[-1] == ' ')
		end--;
	return end;
}

/* A name that perf or ftrace did not know is no name. */
static void set_comm(struct trace_line *l, const char *from, const char *end)
{
	while (from < end && *from == ' ')
		from++;
	if (from == end || *from == ':' || *from == '<' || !l->at.pid)
		return;
	l->comm.at = from;
	l->comm.len = (size_t)(end - from);
	l->has |= 1u << TRACE_COMM;
}

/* PROCESS PID, PROCESS PID/TID, PROCESS-PID, PROCESS-PID (PID) */
static bool read_process(struct trace_line *l, const char *from,
			 const char *end)
{
	struct scan s;

	end = trim(from, end);
	if (end > from && end[-1] == ')') {
		const char *open = memrchr(from, '(', (size_t)(end - from));

		end = trim(from, open ? open : end);
	}
	s = (struct scan){ .at = end, .end = end };
	while (s.at > from && s.at[-1] >= '0' && s.at[-1] <= '9')
		s.at--;
	end = s.at;
	if (!scan_number32(&s, UINT32_MAX, &l->at.pid, NULL))
		return false;
	if (end > from && end[-1] == '/')
		for (end--; end > from && end[-1] >= '0' && end[-1] <= '9';)
			end--;
	if (end == from || (end[-1] != ' ' && end[-1] != '-'))
		return false;
	set_comm(l, from, trim(from, end - 1));
	return true;
}

/* --- any line ------------------------------------------------------------- */

/* The CPU's bracket is the first that a time and a block event follow: names of
 * processes may have brackets, too. */
static bool find_event(struct trace_line *l, struct scan *s, const char *line)
{
	const char *end = s->end, *at = line;

	while ((at = memchr(at, '[', (size_t)(end - at)))) {
		*l = (struct trace_line){ .has = 0 };
		*s = (struct scan){ .at = at, .end = end };
		if (read_head(l, s))
			return read_process(l, line, at);
		at++;
	}
	return false;
}

/* CPU:1 [LOST 23 EVENTS], and of trace-cmd: CPU:1 [23 EVENTS DROPPED] */
static bool read_loss(struct trace_line *l, const char *line, size_t len)
{
	struct scan s = { .at = line, .end = line + len };

	*l = (struct trace_line){ .has = 0 };
	if (!scan_text(&s, "CPU:", 4, NULL) ||
	    !scan_number32(&s, UINT32_MAX, &l->at.cpu, NULL) ||
	    !scan_text(&s, " [", 2, NULL))
		return false;
	scan_text(&s, "LOST ", 5, NULL);
	return scan_number(&s, UINT64_MAX, &l->lost, NULL) &&
	       scan_text(&s, " EVENTS", 7, NULL);
}

enum trace_line_kind trace_line_read(struct trace_line *l, const char *line,
				     size_t len)
{
	struct scan s = { .at = line, .end = line + len };

	if (read_loss(l, line, len))
		return TRACE_LINE_LOSS;
	if (!find_event(l, &s, line))
		return TRACE_LINE_OTHER;
	if (read_parts(l, &s))
		return TRACE_LINE_EVENT;
	l->expected = s.expected;
	l->column = (size_t)(s.at - line) + 1;
	return TRACE_LINE_WRONG;
}

/* --- values --------------------------------------------------------------- */

static bool get_number(const void *ctx, enum trace_field field, uint64_t *n)
{
	const struct trace_line *l = ctx;

	*n = l->numbers[field];
	return l->has >> field & 1;
}

static bool get_text(const void *ctx, enum trace_field field,
		     const char **text, size_t *len)
{
	const struct trace_line *l = ctx;

	*text = field == TRACE_COMM ? l->comm.at : l->rwbs.at;
	*len = field == TRACE_COMM ? l->comm.len : l->rwbs.len;
	return l->has >> field & 1;
}

struct trace_values trace_line_values(const struct trace_line *l)
{
	return (struct trace_values){ get_number, get_text, l };
}
