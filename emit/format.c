/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Custom formats; see format.h.
 *
 * A format becomes a list of operations: a field, with its width and the
 * function that renders it, and the literal text behind it, if short; longer
 * text is an operation of its own.  Texts of fields that have few values are
 * kept, with what is behind them.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/hint.h"
#include "base/num.h"
#include "base/time.h"
#include "emit/cdb.h"
#include "emit/format.h"
#include "emit/line.h"
#include "emit/texts.h"
#include "trace/clock.h"
#include "trace/device.h"
#include "trace/names.h"
#include "trace/payload.h"
#include "trace/record.h"
#include "trace/rwbs.h"

enum {
	WIDTH_MAX = 65535,
	NSEC_PLACES = 9,	/* of nanoseconds, unless a width is given */
	FIELD_MAX = 48,		/* room for a field without width, and slack */
	TAIL_MAX = 8,
	WORD_MAX = NAME_SIZE,	/* a word's buffer can be copied whole */
	ESCAPED_ROOM = ESCAPE_MAX * NAME_SIZE,
	KEPT_MAX = 16,		/* fields of a format whose texts are kept */
};

/* what a field's text depends on, where that has few values */
enum key {
	KEY_NONE,		/* rendered each time */
	KEY_DEVICE,
	KEY_CPU,
	KEY_PROCESS,
	KEY_LETTERS,		/* of the action, of RWBS */
	KEY_SECOND,
	KEYS
};

struct op;

/* one event on its way through a format */
struct job {
	const struct format_context *c;
	const struct event *ev;
	uint64_t latency;
	struct format *f;
	enum format_result result;
	uint64_t keys[KEYS];
};

typedef char *put_field(struct job *j, const struct op *op, char *p);

struct op {
	put_field *put;
	enum key key;
	struct texts *kept;	/* with tail, by key; NULL: none are */
	uint16_t width;
	bool left;
	uint8_t tail_len;
	char tail[TAIL_MAX];	/* literal text behind it */
	uint32_t at, len;	/* of a long literal in the format's texts */
};

struct format {
	struct op *ops;
	size_t count;
	char *texts;		/* of all literals */
	size_t room;		/* bytes an event needs at most, less %P's */
	size_t cdbs;		/* how many %P there are */
	char bad;		/* after a backslash */
	int64_t day_second;	/* what day_text shows */
	bool day_known;
	char day_text[16];	/* "22:13:20." */
};

/* --- fields ------------------------------------------------------------- */

/* Moves a rendered field right, or fills it up, to its width. */
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

/* A short word, whose buffer is WORD_MAX bytes. */
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

static char *put_literal(struct job *j, const struct op *op, char *p)
{
	memcpy(p, j->f->texts + op->at, op->len);
	return p + op->len;
}

static char *put_padded_literal(struct job *j, const struct op *op, char *p)
{
	return pad(op, p, put_literal(j, op, p));
}

static char *put_bad_escape(struct job *j, const struct op *op, char *p)
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

static char *put_name(struct job *j, const struct op *op, char *p)
{
	static const char nameless[WORD_MAX] = "(null)";
	const char *name = names_get(j->c->names, j->ev->origin, j->ev->pid);

	name = name ? name : nameless;
	return put_word(op, p, name, strlen(name));
}

/* the same for a terminal */
static COLD char *put_escaped_name(struct job *j, const struct op *op, char *p)
{
	const char *name = names_get(j->c->names, j->ev->origin, j->ev->pid);

	name = name ? name : "(null)";
	return pad(op, p, p + escape_text(p, ESCAPED_ROOM, name,
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

/* Commands are only ever shown where the default text shows them. */
static char *put_cdb(struct job *j, const struct op *op, char *p)
{
	uint32_t nr = event_number(j->ev);

	(void)op;
	if (event_is_pc(j->ev) &&
	    (nr == BLK_TA_ISSUE || nr == BLK_TA_COMPLETE || nr == BLK_TA_INSERT))
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

	if (width == NSEC_PLACES)
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

static const struct field {
	put_field *put;
	enum key key;
} fields[128] = {
	['a'] = { put_action, KEY_LETTERS },
	['c'] = { put_cpu, KEY_CPU },
	['C'] = { put_name, KEY_PROCESS },
	['d'] = { put_rwbs, KEY_LETTERS },
	['D'] = { put_device, KEY_DEVICE },
	['e'] = { put_error, KEY_NONE },
	['g'] = { put_cgroup, KEY_NONE },
	['m'] = { put_minor, KEY_DEVICE },
	['M'] = { put_major, KEY_DEVICE },
	['n'] = { put_sectors, KEY_NONE },
	['N'] = { put_bytes, KEY_NONE },
	['p'] = { put_pid, KEY_PROCESS },
	['P'] = { put_cdb, KEY_NONE },
	['s'] = { put_sequence, KEY_NONE },
	['S'] = { put_sector, KEY_NONE },
	['t'] = { put_nsec, KEY_NONE },
	['T'] = { put_seconds, KEY_SECOND },
	['u'] = { put_latency, KEY_NONE },
	['U'] = { put_payload, KEY_NONE },
	['z'] = { put_wall, KEY_NONE },
};

/* --- texts that are kept ------------------------------------------------- */

static inline void set_keys(struct job *j)
{
	const struct event *ev = j->ev;

	j->keys[KEY_DEVICE] = ev->device;
	j->keys[KEY_CPU] = ev->lane->cpu;
	j->keys[KEY_PROCESS] = origin_key(ev->origin, ev->pid);
	j->keys[KEY_LETTERS] = event_kind(ev);
	j->keys[KEY_SECOND] = ev->time / NS_PER_SECOND;
}

/* Whether a field's text is for good: a process may still get its name. */
static bool is_final(const struct job *j, const struct op *op)
{
	return op->put != put_name ||
	       names_get(j->c->names, j->ev->origin, j->ev->pid);
}

static inline char *put_tail(const struct op *op, char *p)
{
	memcpy(p, op->tail, TAIL_MAX);
	return p + op->tail_len;
}

static COLD char *put_new(struct job *j, const struct op *op, char *p)
{
	char *end = put_tail(op, op->put(j, op, p));

	if (is_final(j, op))
		texts_set(op->kept, j->keys[op->key], p, (size_t)(end - p));
	return end;
}

/* the field and what is behind it */
static inline char *put_kept(struct job *j, const struct op *op, char *p)
{
	const struct text *t = texts_get(op->kept, j->keys[op->key]);

	if (UNLIKELY(!t))
		return put_new(j, op, p);
	memcpy(p, t->chars, TEXT_MAX);
	return p + t->len;
}

/* Room for the texts of the first fields that can have them; false: none. */
static bool keep_texts(struct format *f)
{
	int left = KEPT_MAX;

	for (size_t i = 0; left && i < f->count; i++) {
		struct op *op = &f->ops[i];

		if (op->key == KEY_NONE)
			continue;
		op->kept = texts_new();
		if (!op->kept)
			return false;
		left--;
	}
	return true;
}

/* --- compiling ----------------------------------------------------------- */

static void add_op(struct format *f, struct op op)
{
	f->room += op.len + op.width + FIELD_MAX + TAIL_MAX;
	f->cdbs += op.put == put_cdb;
	f->ops[f->count++] = op;
}

/* A tail that has grown too long becomes a literal of its own. */
static void cut_tail(struct format *f, size_t *used, struct op *last)
{
	struct op literal = { .put = put_literal, .at = (uint32_t)*used,
			      .len = last->tail_len };

	memcpy(f->texts + *used, last->tail, last->tail_len);
	*used += last->tail_len;
	last->tail_len = 0;
	add_op(f, literal);
}

/* One more character of literal text, joined to what stands before it. */
static void add_literal(struct format *f, size_t *used, char c)
{
	struct op *last;

	if (!f->count)
		add_op(f, (struct op){ .put = put_literal });
	last = &f->ops[f->count - 1];
	if (last->put != put_literal && last->tail_len < TAIL_MAX) {
		last->tail[last->tail_len++] = c;
		return;
	}
	if (last->put != put_literal) {
		cut_tail(f, used, last);
		last++;
	}
	if (!last->len)
		last->at = (uint32_t)*used;
	f->texts[(*used)++] = c;
	last->len++;
	f->room++;
}

static const char *compile_escape(struct format *f, size_t *used,
				  const char *text)
{
	static const char from[] = "bnrt", to[] = "\b\n\r\t";
	const char *at = *text ? strchr(from, *text) : NULL;

	if (at) {
		add_literal(f, used, to[at - from]);
		return text + 1;
	}
	f->bad = *text;
	add_op(f, (struct op){ .put = put_bad_escape });
	return NULL;
}

/* text is behind the '%'; returns what is behind the specifier */
static const char *compile_field(struct format *f, size_t *used,
				 const char *text)
{
	struct op op = { .put = NULL };
	const char *p = text;
	unsigned int width = 0;
	bool digits = false;	/* 0 is a width, too */

	if (!*p || *p == '%') {
		add_literal(f, used, '%');
		return *p ? p + 1 : p;
	}
	if (*p == '-')
		p++;
	for (; *p >= '0' && *p <= '9'; p++) {
		width = width * 10 + (unsigned int)(*p - '0');
		width = width < WIDTH_MAX ? width : WIDTH_MAX;
		digits = true;
	}
	if (!*p)
		return p;
	op.left = digits && *text == '-';
	op.width = (uint16_t)(*p == 't' && !digits ? NSEC_PLACES : width);
	if ((unsigned char)*p < 128) {
		op.put = fields[(unsigned char)*p].put;
		op.key = fields[(unsigned char)*p].key;
	}
	if (!op.put) {
		op.put = put_padded_literal;
		op.at = (uint32_t)*used;
		op.len = 1;
		f->texts[(*used)++] = *p;
	}
	add_op(f, op);
	return p + 1;
}

/* Up to the end, or to the first thing that cannot be. */
static void compile(struct format *f, const char *text)
{
	size_t used = 0;

	while (text && *text) {
		if (*text == '\\') {
			text = compile_escape(f, &used, text + 1);
		} else if (*text == '%') {
			text = compile_field(f, &used, text + 1);
		} else {
			add_literal(f, &used, *text++);
		}
	}
}

struct format *format_new(const char *text)
{
	size_t len = strlen(text) + 1;
	struct format *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->ops = calloc(len + 1, sizeof(*f->ops));
	f->texts = malloc(len);
	if (!f->ops || !f->texts) {
		format_free(f);
		return NULL;
	}
	compile(f, text);
	if (!keep_texts(f)) {
		format_free(f);
		return NULL;
	}
	return f;
}

void format_set_terminal(struct format *f)
{
	for (size_t i = 0; i < f->count; i++)
		if (f->ops[i].put == put_name) {
			f->ops[i].put = put_escaped_name;
			free(f->ops[i].kept);
			f->ops[i].kept = NULL;
			f->room += ESCAPED_ROOM;
		}
}

void format_free(struct format *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->count; i++)
		free(f->ops[i].kept);
	free(f->ops);
	free(f->texts);
	free(f);
}

char format_bad_escape(const struct format *f)
{
	return f->bad;
}

enum format_result format_event(struct format *f,
				const struct format_context *c,
				const struct event *ev, uint64_t latency)
{
	struct job j = { .c = c, .ev = ev, .latency = latency, .f = f };
	size_t need = f->room + f->cdbs * (3 * (size_t)ev->pdu_len + 3);
	char *p = buf_room(c->out, need);

	if (!p)
		return FORMAT_NO_ROOM;
	set_keys(&j);
	for (const struct op *op = f->ops, *end = op + f->count; op < end;
	     op++) {
		if (op->kept) {
			p = put_kept(&j, op, p);
			continue;
		}
		p = op->put(&j, op, p);
		if (UNLIKELY(j.result))
			break;
		p = put_tail(op, p);
	}
	buf_commit(c->out, p);
	return j.result;
}
