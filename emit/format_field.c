/* SPDX-License-Identifier: GPL-2.0-only */
/* The fields of custom formats; see format_impl.h. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/escape.h"
#include "base/hint.h"
#include "base/num.h"
#include "base/time.h"
#include "emit/cdb.h"
#include "emit/format.h"
#include "emit/format_impl.h"
#include "emit/line.h"
#include "record/action.h"
#include "record/clock.h"
#include "record/payload.h"
#include "record/record.h"
#include "run/device.h"
#include "run/names.h"

enum { WORD_MAX = NAME_SIZE };	/* a word may be copied with its padding */

/* Pads a rendered field on the left or right to its width. */
static inline char *pad(const struct op *op, char *from, char *to)
{
	size_t len = (size_t)(to - from), gap;

	if (len >= op->width)
		return to;
	gap = op->width - len;
	if (op->left) {
		memset(to, ' ', gap);
	} else {
		memmove(from + gap, from, len);
		memset(from, ' ', gap);
	}
	return to + gap;
}

static inline char *put_number(const struct op *op, char *p, uint64_t v)
{
	if (!op->width)
		return num_u64(p, v);
	if (op->left)
		return pad(op, p, num_u64(p, v));
	return num_u64_right(p, v, op->width);
}

static char *put_signed(const struct op *op, char *p, int64_t v)
{
	if (op->left)
		return pad(op, p, num_i64_right(p, v, 0));
	return num_i64_right(p, v, op->width);
}

/* A word in a buffer of WORD_MAX bytes. */
static inline char *put_word(const struct op *op, char *p, const char *word,
			     size_t len)
{
	size_t gap = len < op->width ? op->width - len : 0;

	if (UNLIKELY(gap > WORD_MAX || (op->left && gap))) {
		memcpy(p, word, len);
		return pad(op, p, p + len);
	}
	memcpy(p, "                ", WORD_MAX);
	memcpy(p + gap, word, WORD_MAX);
	return p + gap + len;
}

char *format_put_literal(struct job *j, const struct op *op, char *p)
{
	memcpy(p, j->f->texts + op->at, op->len);
	return p + op->len;
}

char *format_put_padded_literal(struct job *j, const struct op *op, char *p)
{
	return pad(op, p, format_put_literal(j, op, p));
}

char *format_put_bad_escape(struct job *j, const struct op *op, char *p)
{
	(void)op;
	j->result = FORMAT_BAD_ESCAPE;
	return p;
}

static char *put_action(struct job *j, const struct op *op, char *p)
{
	char word[WORD_MAX] = "";
	const char *text = line_action(j->ev);

	word[0] = text[0];
	word[1] = text[1];
	return put_word(op, p, word, text[1] ? 2 : 1);
}

static char *put_cpu(struct job *j, const struct op *op, char *p)
{
	return put_number(op, p, j->ev->lane->cpu);
}

char *format_put_name(struct job *j, const struct op *op, char *p)
{
	static const char nameless[WORD_MAX] = "(null)";
	const char *name = names_get(j->c->names, j->ev->origin, j->ev->pid);

	name = name ? name : nameless;
	return put_word(op, p, name, strlen(name));
}

/* escaped for a terminal */
COLD char *format_put_escaped_name(struct job *j, const struct op *op, char *p)
{
	const char *name = names_get(j->c->names, j->ev->origin, j->ev->pid);

	name = name ? name : "(null)";
	return pad(op, p, p + escape_text(p, FORMAT_ESCAPED_ROOM, name,
					  strlen(name)));
}

static char *put_rwbs(struct job *j, const struct op *op, char *p)
{
	char text[WORD_MAX];

	return put_word(op, p, text, rwbs_text(j->ev, text));
}

/* "%3d,%-3d", whatever width the format gives */
static char *put_device(struct job *j, const struct op *op, char *p)
{
	char *end;

	(void)op;
	p = num_u64_right(p, BLK_MAJOR(j->ev->device), 3);
	*p++ = ',';
	end = num_u64(p, BLK_MINOR(j->ev->device));
	memcpy(end, "  ", 2);
	return end < p + 3 ? p + 3 : end;
}

static char *put_error(struct job *j, const struct op *op, char *p)
{
	return put_number(op, p, j->ev->error);
}

static char *put_cgroup(struct job *j, const struct op *op, char *p)
{
	uint32_t ino, gen;
	char *from = p;

	payload_cgroup(j->ev, &ino, &gen);
	p = num_hex(p, ino);
	*p++ = ',';
	return pad(op, from, num_hex(p, gen));
}

static char *put_major(struct job *j, const struct op *op, char *p)
{
	return put_number(op, p, BLK_MAJOR(j->ev->device));
}

static char *put_minor(struct job *j, const struct op *op, char *p)
{
	return put_number(op, p, BLK_MINOR(j->ev->device));
}

static char *put_sectors(struct job *j, const struct op *op, char *p)
{
	return put_number(op, p, j->ev->bytes >> 9);
}

static char *put_bytes(struct job *j, const struct op *op, char *p)
{
	return put_number(op, p, j->ev->bytes);
}

static char *put_pid(struct job *j, const struct op *op, char *p)
{
	return put_number(op, p, j->ev->pid);
}

/* Shows commands only where the default text does. */
char *format_put_cdb(struct job *j, const struct op *op, char *p)
{
	uint32_t nr = event_number(j->ev);

	(void)op;
	if (event_is_pc(j->ev) && (nr == BLK_TA_ISSUE ||
				   nr == BLK_TA_COMPLETE ||
				   nr == BLK_TA_INSERT))
		p = cdb_text(p, j->ev);
	return p;
}

static char *put_sequence(struct job *j, const struct op *op, char *p)
{
	return put_number(op, p, j->ev->sequence);
}

static char *put_sector(struct job *j, const struct op *op, char *p)
{
	return put_number(op, p, j->ev->sector);
}

/* Always padded with zeros on the left. */
static char *put_nsec(struct job *j, const struct op *op, char *p)
{
	uint64_t second = j->keys[KEY_SECOND] * NS_PER_SECOND;
	uint32_t nsec = (uint32_t)(j->ev->time - second);
	unsigned int digits, width = op->width;

	if (width == FORMAT_NSEC_PLACES)
		return num_nine(p, nsec);
	for (digits = num_digits(nsec); digits < width; width--)
		*p++ = '0';
	return num_u64(p, nsec);
}

static char *put_seconds(struct job *j, const struct op *op, char *p)
{
	int32_t seconds = (int32_t)j->keys[KEY_SECOND];

	if (seconds >= 0)
		return put_number(op, p, (uint32_t)seconds);
	return put_signed(op, p, seconds);
}

static char *put_latency(struct job *j, const struct op *op, char *p)
{
	if (j->latency == LINE_NO_LATENCY) {
		j->result = FORMAT_NO_LATENCY;
		return p;
	}
	return put_number(op, p, j->latency / 1000);
}

static char *put_payload(struct job *j, const struct op *op, char *p)
{
	uint64_t v;

	payload_number(j->ev, &v);
	return put_number(op, p, (uint32_t)v);
}

static void set_day(struct format *f, int64_t second)
{
	time_t t = (time_t)second;
	struct tm tm;

	if (!localtime_r(&t, &tm))
		memset(&tm, 0, sizeof(tm));
	snprintf(f->day_text, sizeof(f->day_text), "%02u:%02u:%02u.",
		 (unsigned int)tm.tm_hour % 100, (unsigned int)tm.tm_min % 100,
		 (unsigned int)tm.tm_sec % 100);
	f->day_second = second;
	f->day_known = true;
}

/* "%02u:%02u:%02u.%06lu" of the local time of day */
static char *put_wall(struct job *j, const struct op *op, char *p)
{
	struct format *f = j->f;
	char nine[9 + NUM_SLACK], *from = p;
	uint32_t nsec;
	int64_t sec;

	clock_wall(j->c->clock, j->ev->time, &sec, &nsec);
	if (!f->day_known || f->day_second != sec)
		set_day(f, sec);
	p = stpcpy(p, f->day_text);
	num_nine(nine, nsec);
	memcpy(p, nine, 6);
	return pad(op, from, p + 6);
}

static const struct field fields[128] = {
	['a'] = { put_action, KEY_LETTERS },
	['c'] = { put_cpu, KEY_CPU },
	['C'] = { format_put_name, KEY_PROCESS },
	['d'] = { put_rwbs, KEY_LETTERS },
	['D'] = { put_device, KEY_DEVICE },
	['e'] = { put_error, KEY_NONE },
	['g'] = { put_cgroup, KEY_NONE },
	['m'] = { put_minor, KEY_DEVICE },
	['M'] = { put_major, KEY_DEVICE },
	['n'] = { put_sectors, KEY_NONE },
	['N'] = { put_bytes, KEY_NONE },
	['p'] = { put_pid, KEY_PROCESS },
	['P'] = { format_put_cdb, KEY_NONE },
	['s'] = { put_sequence, KEY_NONE },
	['S'] = { put_sector, KEY_NONE },
	['t'] = { put_nsec, KEY_NONE },
	['T'] = { put_seconds, KEY_SECOND },
	['u'] = { put_latency, KEY_NONE },
	['U'] = { put_payload, KEY_NONE },
	['z'] = { put_wall, KEY_NONE },
};

const struct field *format_field(char letter)
{
	unsigned char c = (unsigned char)letter;

	return c < 128 && fields[c].put ? &fields[c] : NULL;
}
