/* SPDX-License-Identifier: GPL-2.0-only */
/* The fields of a format of blkparse -f; see printed_field.h. */
#include <string.h>

#include "base/time.h"
#include "blktrace.h"
#include "import/printed_event.h"
#include "import/printed_field.h"
#include "import/printed_line.h"
#include "import/scan.h"

enum { WALL_DIGITS = 15 };	/* "10:00:00.000000" */

/* --- padding -------------------------------------------------------------- */

/* Padding before a field; its start. */
static const char *pad_before(struct scan *s, const struct printed_field *f)
{
	if (!f->left)
		scan_blanks(s, f->width);
	return s->at;
}

/* Padding after a field that starts at. */
static void pad_after(struct scan *s, const struct printed_field *f,
		      const char *at)
{
	size_t len = (size_t)(s->at - at);

	if (f->left && len < f->width)
		scan_blanks(s, f->width - len);
}

static bool take_padded(struct scan *s, const struct printed_field *f,
			uint64_t max, uint64_t *n, const char *expected)
{
	const char *at = pad_before(s, f);

	if (!scan_number(s, max, n, expected))
		return false;
	pad_after(s, f, at);
	return true;
}

static bool take_padded32(struct scan *s, const struct printed_field *f,
			  uint32_t max, uint32_t *n, const char *expected)
{
	uint64_t v = 0;

	if (!take_padded(s, f, max, &v, expected))
		return false;
	*n = (uint32_t)v;
	return true;
}

/* --- fields --------------------------------------------------------------- */

/* Capital letters with their padding. */
static struct field take_letters(struct scan *s, const struct printed_field *f)
{
	const char *at = pad_before(s, f);
	size_t len;

	while (s->at < s->end && *s->at >= 'A' && *s->at <= 'Z')
		s->at++;
	len = (size_t)(s->at - at);
	pad_after(s, f, at);
	return (struct field){ at, len };
}

static bool take_action(struct scan *s, const struct printed_field *f,
			struct printed *p)
{
	struct field word = take_letters(s, f);

	p->action = printed_action(word.text, word.len);
	if (!p->action)
		s->at = word.text;
	return p->action || scan_fail(s, "an action");
}

static bool take_rwbs(struct scan *s, const struct printed_field *f,
		      struct printed *p)
{
	struct field word = take_letters(s, f);

	if (printed_rwbs(p, word.text, word.len))
		return true;
	s->at = word.text;
	return scan_fail(s, "RWBS letters");
}

static bool take_cpu(struct scan *s, const struct printed_field *f,
		     struct printed *p)
{
	return take_padded32(s, f, BLK_CPU_MAX - 1, &p->ev.cpu, "a CPU");
}

/* "%3d,%-3d", whatever width there is */
static bool take_device(struct scan *s, const struct printed_field *f,
			struct printed *p)
{
	const char *comma;

	(void)f;
	scan_blanks(s, 3);
	comma = memchr(s->at, ',', (size_t)(s->end - s->at));
	if (!printed_device(s, p))
		return false;
	if (s->at - comma < 4)
		scan_blanks(s, (size_t)(4 - (s->at - comma)));
	return true;
}

static bool take_error(struct scan *s, const struct printed_field *f,
		       struct printed *p)
{
	uint64_t error = 0;
	bool good = take_padded(s, f, UINT16_MAX, &error, "an error");

	p->ev.error = (uint16_t)error;
	return good;
}

static bool take_cgroup(struct scan *s, const struct printed_field *f,
			struct printed *p)
{
	const char *at = pad_before(s, f);

	if (!printed_cgroup(s, p))
		return false;
	pad_after(s, f, at);
	p->has_cgroup = p->cgroup[0] || p->cgroup[1];
	return true;
}

static bool take_minor(struct scan *s, const struct printed_field *f,
		       struct printed *p)
{
	uint32_t minor = 0;
	bool good = take_padded32(s, f, BLK_MINOR(UINT32_MAX), &minor,
				  "a minor number");

	p->ev.device = BLK_DEVICE(BLK_MAJOR(p->ev.device), minor);
	return good;
}

static bool take_major(struct scan *s, const struct printed_field *f,
		       struct printed *p)
{
	uint32_t major = 0;
	bool good = take_padded32(s, f, BLK_MAJOR(UINT32_MAX), &major,
				  "a major number");

	p->ev.device = BLK_DEVICE(major, BLK_MINOR(p->ev.device));
	return good;
}

/* Bytes, where there are both, are exact. */
static bool take_sectors(struct scan *s, const struct printed_field *f,
			 struct printed *p)
{
	uint32_t bytes = p->ev.bytes;
	uint64_t n = 0;
	bool exact = p->has_size;
	const char *at = s->at;

	if (!take_padded(s, f, UINT32_MAX, &n, "a number of sectors"))
		return false;
	if (!printed_sectors(p, n)) {
		s->at = at;
		return scan_fail(s, "a number of sectors");
	}
	p->ev.bytes = exact ? bytes : p->ev.bytes;
	return true;
}

static bool take_bytes(struct scan *s, const struct printed_field *f,
		       struct printed *p)
{
	p->has_size = true;
	return take_padded32(s, f, UINT32_MAX, &p->ev.bytes,
			     "a number of bytes");
}

static bool take_pid(struct scan *s, const struct printed_field *f,
		     struct printed *p)
{
	return take_padded32(s, f, UINT32_MAX, &p->ev.pid, "a pid");
}

static bool take_sequence(struct scan *s, const struct printed_field *f,
			  struct printed *p)
{
	p->has_sequence = true;
	return take_padded32(s, f, UINT32_MAX, &p->sequence,
			     "a sequence number");
}

static bool take_sector(struct scan *s, const struct printed_field *f,
			struct printed *p)
{
	return take_padded(s, f, UINT64_MAX, &p->ev.sector, "a sector");
}

/* Where nothing follows, the number of digits says where it ends. */
static bool take_ns(struct scan *s, const struct printed_field *f,
		    struct printed *p)
{
	struct scan part = *s;
	bool good;

	if (!f->len && f->width >= PRINTED_NS_DIGITS &&
	    part.end - part.at > (ptrdiff_t)f->width)
		part.end = part.at + f->width;
	good = printed_ns(&part, p);
	s->at = part.at;
	s->expected = part.expected;
	return good;
}

static bool take_seconds(struct scan *s, const struct printed_field *f,
			 struct printed *p)
{
	const char *at = pad_before(s, f);

	if (!printed_seconds(s, p))
		return false;
	pad_after(s, f, at);
	return true;
}

/* which an event does not carry */
static bool take_latency(struct scan *s, const struct printed_field *f,
			 struct printed *p)
{
	uint64_t us;

	(void)p;
	return take_padded(s, f, UINT64_MAX, &us, "a latency");
}

static bool take_value(struct scan *s, const struct printed_field *f,
		       struct printed *p)
{
	p->has_value = true;
	return take_padded(s, f, UINT32_MAX, &p->value, "a number");
}

/* "HH:MM:SS.UUUUUU", as seconds of the day */
static bool take_wall(struct scan *s, const struct printed_field *f,
		      struct printed *p)
{
	static const char expected[] = "a time of day, such as 10:00:00.000000";
	uint32_t hour, minute, second, us;
	const char *at = pad_before(s, f);
	struct scan part = *s;

	if (part.end - at > WALL_DIGITS)
		part.end = at + WALL_DIGITS;
	if (!scan_number32(&part, 23, &hour, expected) ||
	    !scan_char(&part, ':', expected) ||
	    !scan_number32(&part, 59, &minute, expected) ||
	    !scan_char(&part, ':', expected) ||
	    !scan_number32(&part, 60, &second, expected) ||
	    !scan_char(&part, '.', expected) ||
	    !scan_number32(&part, 999999, &us, expected))
		return scan_fail(s, expected);
	p->seconds = (hour * 60 + minute) * 60 + second;
	p->ns = us * (uint32_t)NS_PER_US;
	s->at = part.at;
	pad_after(s, f, at);
	return true;
}

/* --- letters -------------------------------------------------------------- */

static const struct printed_letter letters[128] = {
	['D'] = { PRINTED_NUMBER, take_device, NULL },
	['c'] = { PRINTED_NUMBER, take_cpu, "CPUs" },
	['p'] = { PRINTED_NUMBER, take_pid, "pids" },
	['C'] = { PRINTED_LOOSE, NULL, "process names" },
	['d'] = { PRINTED_WORD, take_rwbs, "RWBS" },
	['S'] = { PRINTED_NUMBER, take_sector, "sectors" },
	['e'] = { PRINTED_NUMBER, take_error, "errors" },
	['a'] = { PRINTED_WORD, take_action, NULL },
	['g'] = { PRINTED_HEX, take_cgroup, NULL },
	['m'] = { PRINTED_NUMBER, take_minor, NULL },
	['M'] = { PRINTED_NUMBER, take_major, NULL },
	['n'] = { PRINTED_NUMBER, take_sectors, NULL },
	['N'] = { PRINTED_NUMBER, take_bytes, NULL },
	['P'] = { PRINTED_LOOSE, NULL, NULL },
	['s'] = { PRINTED_NUMBER, take_sequence, NULL },
	['t'] = { PRINTED_NUMBER, take_ns, NULL },
	['T'] = { PRINTED_NUMBER, take_seconds, NULL },
	['u'] = { PRINTED_NUMBER, take_latency, NULL },
	['U'] = { PRINTED_NUMBER, take_value, NULL },
	['z'] = { PRINTED_FIXED, take_wall, NULL },
};

const struct printed_letter *printed_letter(char c)
{
	unsigned char i = (unsigned char)c;

	return i < 128 && letters[i].kind ? &letters[i] : NULL;
}
