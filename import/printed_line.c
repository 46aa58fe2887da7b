/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A line of blkparse's default text; see printed_line.h.
 *
 *	  8,0    0        6     0.000005000   100  D  WS 2048 + 8 [dd]
 *
 * Columns are padded on the left, the minor number on the right, and shifted by
 * wider ones.  A process's name is last, or only a number follows, so it may
 * have any characters.
 */
#include <string.h>

#include "blktrace.h"
#include "import/printed_event.h"
#include "import/printed_line.h"
#include "import/scan.h"
#include "record/action.h"

enum {
	MAJOR_MAX = 4095,
	MINOR_MAX = 0xfffff,
	ERROR_MAX = UINT16_MAX,
};

static const char a_device[] = "a device, such as 8,0";
static const char a_number[] = "a sequence number";
static const char a_time[] = "a time, such as 0.000005000";
static const char an_action[] = "an action";
static const char an_rwbs[] = "RWBS letters";
static const char a_sector[] = "a sector";
static const char a_size[] = "a number of sectors";
static const char a_name[] = "a process in brackets";
static const char an_error[] = "an error in brackets";
static const char a_command[] = "a packet command";
static const char a_latency[] = "a latency in parentheses";
static const char blank[] = "a blank";

/* --- parts ---------------------------------------------------------------- */

static bool device_number(struct scan *s, uint32_t *device)
{
	uint32_t major, minor;

	if (!scan_number32(s, MAJOR_MAX, &major, a_device) ||
	    !scan_char(s, ',', a_device) ||
	    !scan_number32(s, MINOR_MAX, &minor, a_device))
		return false;
	*device = BLK_DEVICE(major, minor);
	return true;
}

bool printed_device(struct scan *s, struct printed *p)
{
	return device_number(s, &p->ev.device);
}

/* As 32 bits, of which some print the upper half as negative. */
static bool take_word32(struct scan *s, uint32_t *n, const char *expected)
{
	bool negative = scan_sees(s, '-');
	const uint32_t most = negative ? (uint32_t)INT32_MAX + 1 : UINT32_MAX;

	s->at += negative;
	if (!scan_number32(s, most, n, expected))
		return false;
	*n = negative ? 0 - *n : *n;
	return true;
}

bool printed_seconds(struct scan *s, struct printed *p)
{
	return take_word32(s, &p->seconds, a_time);
}

bool printed_ns(struct scan *s, struct printed *p)
{
	return scan_number32(s, 999999999, &p->ns, a_time);
}

bool printed_cgroup(struct scan *s, struct printed *p)
{
	static const char expected[] = "a cgroup id, such as 1a,0";

	p->has_cgroup = true;
	return scan_hex32(s, &p->cgroup[0], expected) &&
	       scan_char(s, ',', expected) &&
	       scan_hex32(s, &p->cgroup[1], expected);
}

static bool gap(struct scan *s, const char *expected)
{
	if (!scan_char(s, ' ', expected))
		return false;
	scan_blanks(s, SIZE_MAX);
	return true;
}

/* What is next up to a blank. */
static struct field word(const struct scan *s)
{
	const char *p = s->at;

	while (p < s->end && *p != ' ')
		p++;
	return (struct field){ s->at, (size_t)(p - s->at) };
}

/* --- the header ----------------------------------------------------------- */

static bool take_time(struct scan *s, struct printed *p)
{
	const char *at;

	if (!printed_seconds(s, p) || !scan_char(s, '.', a_time))
		return false;
	at = s->at;
	if (!printed_ns(s, p))
		return false;
	if (s->at - at != 9) {
		s->at = at;
		return scan_fail(s, "nine digits of a time");
	}
	return gap(s, blank);
}

static bool take_start(struct scan *s, struct printed *p)
{
	scan_blanks(s, SIZE_MAX);
	if (!printed_device(s, p) || !gap(s, blank) ||
	    !scan_number32(s, BLK_CPU_MAX - 1, &p->ev.cpu, "a CPU") ||
	    !gap(s, blank) || !take_word32(s, &p->sequence, a_number) ||
	    !gap(s, blank))
		return false;
	p->has_sequence = true;
	return true;
}

/* Before a message's m there may be a cgroup id. */
static bool take_action(struct scan *s, struct printed *p)
{
	struct field f = word(s);
	bool id = memchr(f.text, ',', f.len) != NULL;

	if (id && (!printed_cgroup(s, p) || !gap(s, blank)))
		return false;
	f = word(s);
	p->action = id ? 0 : printed_action(f.text, f.len);
	if (!p->action && (f.len != 1 || *f.text != 'm'))
		return scan_fail(s, an_action);
	s->at += f.len;
	return gap(s, blank);
}

static bool take_rwbs(struct scan *s, struct printed *p)
{
	struct field f = word(s);

	if (!printed_rwbs(p, f.text, f.len))
		return scan_fail(s, an_rwbs);
	s->at += f.len;
	return true;
}

static bool header(struct scan *s, struct printed *p)
{
	return take_start(s, p) && take_time(s, p) &&
	       scan_number32(s, UINT32_MAX, &p->ev.pid, "a pid") &&
	       gap(s, blank) && take_action(s, p) && take_rwbs(s, p);
}

bool printed_line_is(const char *line, size_t len)
{
	struct scan s = { .at = line, .end = line + len };
	struct printed p = { .has_sequence = false };

	return header(&s, &p);
}

/* --- the rest ------------------------------------------------------------- */

/* [NAME] up to end */
static bool take_name(struct scan *s, struct printed *p, const char *end)
{
	if (!scan_sees(s, '[') || end - s->at < 2 || end[-1] != ']')
		return scan_fail(s, a_name);
	printed_name(p, s->at + 1, (size_t)(end - s->at) - 2);
	s->at = end;
	return true;
}

static bool take_error(struct scan *s, struct printed *p)
{
	uint64_t error;

	if (!scan_char(s, '[', an_error) ||
	    !scan_number(s, ERROR_MAX, &error, an_error) ||
	    !scan_char(s, ']', an_error))
		return false;
	p->ev.error = (uint16_t)error;
	return scan_end(s);
}

/* "+ SECTORS ", after the sector */
static bool take_size(struct scan *s, struct printed *p)
{
	uint64_t sectors;
	const char *at;

	if (!scan_text(s, "+ ", 2, a_size))
		return false;
	at = s->at;
	if (!scan_number(s, UINT32_MAX, &sectors, a_size))
		return false;
	if (!printed_sectors(p, sectors)) {
		s->at = at;
		return scan_fail(s, a_size);
	}
	return scan_char(s, ' ', blank);
}

static bool take_sector(struct scan *s, struct printed *p)
{
	return scan_number(s, UINT64_MAX, &p->ev.sector, a_sector) &&
	       scan_char(s, ' ', blank);
}

/* "(   12345) ", which an event does not carry */
static bool take_latency(struct scan *s)
{
	uint64_t ns;

	if (!scan_sees(s, '('))
		return true;
	s->at++;
	scan_blanks(s, SIZE_MAX);
	return scan_number(s, UINT64_MAX, &ns, a_latency) &&
	       scan_text(s, ") ", 2, a_latency);
}

/* "(12 00 ..) " */
static bool take_command(struct scan *s, struct printed *p)
{
	size_t used;

	s->at++;
	if (!printed_command(s->at, (size_t)(s->end - s->at), NULL, &used))
		return scan_fail(s, a_command);
	p->command = (struct field){ s->at, used };
	s->at += used;
	return scan_text(s, ") ", 2, "the end of a packet command");
}

/* "BYTES [(COMMAND)] [NAME]", after the number that is at a place */
static bool rest_packet(struct scan *s, struct printed *p, const char *at)
{
	if (p->ev.sector > UINT32_MAX) {
		s->at = at;
		return scan_fail(s, "a number of bytes");
	}
	p->is_pc = true;
	p->has_size = true;
	p->ev.bytes = (uint32_t)p->ev.sector;
	p->ev.sector = 0;
	if (scan_sees(s, '(') && !take_command(s, p))
		return false;
	return take_name(s, p, s->end);
}

/* "[SECTOR + SECTORS] [(LATENCY)] [NAME]" */
static bool rest_request(struct scan *s, struct printed *p)
{
	const char *at = s->at;

	if (scan_sees(s, '[') || scan_sees(s, '('))
		return take_latency(s) && take_name(s, p, s->end);
	if (!take_sector(s, p))
		return false;
	if (!scan_sees(s, '+') && action_text_pc(p->action))
		return rest_packet(s, p, at);
	return take_size(s, p) && take_latency(s) && take_name(s, p, s->end);
}

/* the same without latency, and not of packet commands */
static bool rest_generic(struct scan *s, struct printed *p)
{
	if (!scan_sees(s, '[') && (!take_sector(s, p) || !take_size(s, p)))
		return false;
	return take_name(s, p, s->end);
}

/* "SECTOR [+ SECTORS] [(LATENCY)] [ERROR]"; "[(COMMAND)] [ERROR]" of a packet
 * command */
static bool rest_complete(struct scan *s, struct printed *p)
{
	p->is_pc = scan_sees(s, '(') || scan_sees(s, '[');
	if (p->is_pc)
		return (!scan_sees(s, '(') || take_command(s, p)) &&
		       take_error(s, p);
	return take_sector(s, p) &&
	       (!scan_sees(s, '+') || take_size(s, p)) &&
	       take_latency(s) && take_error(s, p);
}

static bool rest_plug(struct scan *s, struct printed *p)
{
	return take_name(s, p, s->end);
}

/* "[NAME] REQUESTS"; of a zone maybe without that */
static bool rest_unplug(struct scan *s, struct printed *p)
{
	const char *end = s->end, *digits = end;
	struct scan number;

	while (digits > s->at && digits[-1] >= '0' && digits[-1] <= '9')
		digits--;
	if (digits == end || digits - s->at < 2 || digits[-1] != ' ')
		return take_name(s, p, end);
	number = (struct scan){ .at = digits, .end = end };
	p->has_value = scan_number(&number, UINT32_MAX, &p->value, "");
	if (!take_name(s, p, digits - 1))
		return false;
	s->at = digits;
	return p->has_value || scan_fail(s, "a number of requests");
}

/* "SECTOR / NEW [NAME]" */
static bool rest_split(struct scan *s, struct printed *p)
{
	p->has_value = true;
	return take_sector(s, p) && scan_text(s, "/ ", 2, "the new sector") &&
	       scan_number(s, UINT32_MAX, &p->value, "the new sector") &&
	       scan_char(s, ' ', blank) && take_name(s, p, s->end);
}

/* "SECTOR + SECTORS <- (MAJOR,MINOR) SECTOR" */
static bool rest_remap(struct scan *s, struct printed *p)
{
	p->has_remap = true;
	return take_sector(s, p) && take_size(s, p) &&
	       scan_text(s, "<- (", 4, "<- and a device") &&
	       device_number(s, &p->remap_device) &&
	       scan_text(s, ") ", 2, "a closing parenthesis") &&
	       scan_number(s, UINT64_MAX, &p->remap_sector, a_sector) &&
	       scan_end(s);
}

static bool rest_message(struct scan *s, struct printed *p)
{
	s->at += scan_sees(s, ' ');
	p->text = (struct field){ s->at, (size_t)(s->end - s->at) };
	s->at = s->end;
	return true;
}

typedef bool rest(struct scan *s, struct printed *p);

#define rest_nothing NULL
#define REST(name, letters, pc, rest, ...) [BLK_TA_##name] = rest_##rest,

static rest *const rests[BLK_TA_COUNT] = {
	[0] = rest_message,
	BLK_ACTIONS(REST)
};

bool printed_line(struct scan *s, struct printed *p)
{
	if (!header(s, p))
		return false;
	return (!p->action || scan_char(s, ' ', blank)) &&
	       rests[p->action](s, p);
}
