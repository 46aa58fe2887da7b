/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables of I/Os; see columns.h. */
#include <errno.h>
#include <stdio.h>

#include "base/hint.h"
#include "base/time.h"
#include "blktrace.h"
#include "import/columns.h"
#include "record/action.h"

enum unit { NO_UNIT, OF_TIME, OF_SIZE };

/* nanoseconds from 1601, where filetime starts, to 1970 */
#define FILETIME_EPOCH (UINT64_C(11644473600) * NS_PER_SECOND)
enum { FILETIME_NS = 100, SECTOR = 512 };

/* --- words ---------------------------------------------------------------- */

static const struct kind {
	const char *word;
	enum unit unit;
	const char *expected;	/* for people */
} kinds[COLUMN_KINDS] = {
	[COLUMN_NONE] = { "-", NO_UNIT, NULL },
	[COLUMN_TIME] = { "time", OF_TIME, "a time" },
	[COLUMN_END] = { "end", OF_TIME, "a time" },
	[COLUMN_RESPONSE] = { "response", OF_TIME, "a response time" },
	[COLUMN_QUEUE] = { "queue", OF_TIME, "a time in the queue" },
	[COLUMN_SERVICE] = { "service", OF_TIME, "a service time" },
	[COLUMN_OP] = { "op", NO_UNIT, "an operation such as R or write" },
	[COLUMN_OFFSET] = { "offset", OF_SIZE, "an offset" },
	[COLUMN_BYTES] = { "bytes", OF_SIZE, "a size" },
	[COLUMN_DEVICE] = { "device", NO_UNIT, "a device" },
	[COLUMN_PID] = { "pid", NO_UNIT, "a process's number" },
	[COLUMN_PROCESS] = { "process", NO_UNIT, "a process's name" },
	[COLUMN_ERROR] = { "error", NO_UNIT, "an error's number" },
	[COLUMN_CPU] = { "cpu", NO_UNIT, "a CPU's number" },
};

static const struct scale {
	const char *word;
	enum unit unit;
	uint64_t scale;
} scales[] = {
	{ "s", OF_TIME, NS_PER_SECOND },
	{ "ms", OF_TIME, NS_PER_MS },
	{ "us", OF_TIME, NS_PER_US },
	{ "ns", OF_TIME, 1 },
	{ "filetime", OF_TIME, FILETIME_NS },
	{ "bytes", OF_SIZE, 1 },
	{ "sectors", OF_SIZE, SECTOR },
	{ "KiB", OF_SIZE, 1024 },
};

static bool set_scale(struct column *c, enum unit unit, const struct field *f)
{
	uint64_t n;

	for (size_t i = 0; i < sizeof(scales) / sizeof(*scales); i++) {
		const struct scale *s = &scales[i];

		if (s->unit != unit || strlen(s->word) != f->len ||
		    memcmp(s->word, f->text, f->len))
			continue;
		c->scale = s->scale;
		c->filetime = s->scale == FILETIME_NS;
		return true;
	}
	if (unit != OF_SIZE || !field_number(f, &n) || !n || n > 1 << 20)
		return false;
	c->scale = n;
	return true;
}

/* A word up to a comma, with its unit after a colon. */
static int set_column(struct column *c, const char *word, size_t len, char *why,
		      size_t size)
{
	const char *colon = memchr(word, ':', len);
	struct field name = { word, colon ? (size_t)(colon - word) : len };
	struct field unit = { colon ? colon + 1 : word,
			      colon ? len - name.len - 1 : 0 };

	for (int k = 0; k < COLUMN_KINDS; k++) {
		if (!field_is(&name, kinds[k].word))
			continue;
		*c = (struct column){ .kind = (enum column_kind)k,
				      .scale = kinds[k].unit == OF_TIME ?
					       NS_PER_SECOND : 1 };
		if (!colon || set_scale(c, kinds[k].unit, &unit))
			return 0;
		snprintf(why, size, "\"%.*s\" is no unit of %s", (int)unit.len,
			 unit.text, kinds[k].word);
		return -EINVAL;
	}
	snprintf(why, size, "\"%.*s\" is no column", (int)len, word);
	return -EINVAL;
}

static bool has(const struct columns *c, enum column_kind kind)
{
	return c->has >> kind & 1;
}

bool columns_end(const struct columns *c)
{
	return !has(c, COLUMN_TIME);
}

unsigned int columns_times(const struct columns *c)
{
	bool parts = has(c, COLUMN_QUEUE) && has(c, COLUMN_SERVICE);
	bool response = has(c, COLUMN_RESPONSE) || parts;
	bool queued = has(c, COLUMN_TIME) || response;
	bool completed = has(c, COLUMN_END) || response;
	bool issued = (queued && has(c, COLUMN_QUEUE)) ||
		      (completed && has(c, COLUMN_SERVICE));

	if (!queued && !issued)		/* all is at the end */
		return ROW_QUEUED;
	return (queued ? ROW_QUEUED : 0) | (issued ? ROW_ISSUED : 0) |
	       (completed ? ROW_COMPLETED : 0);
}

/* What no I/O can be made without. */
static int check(const struct columns *c, char *why, size_t size)
{
	const char *missing = NULL;

	if (!has(c, COLUMN_TIME) && !has(c, COLUMN_END))
		missing = "time";
	else if (!has(c, COLUMN_OP))
		missing = "op";
	else if (!has(c, COLUMN_OFFSET))
		missing = "offset";
	else if (!has(c, COLUMN_BYTES))
		missing = "bytes";
	if (missing)
		snprintf(why, size, "there is no column \"%s\"", missing);
	return missing ? -EINVAL : 0;
}

int columns_parse(struct columns *c, const char *words, char *why, size_t size)
{
	const char *at = words;
	int err;

	*c = (struct columns){ .separator = '\0' };
	for (;;) {
		size_t len = strcspn(at, ",");

		if (c->count == COLUMNS_MAX) {
			snprintf(why, size, "more than %d columns",
				 COLUMNS_MAX);
			return -EINVAL;
		}
		err = set_column(&c->list[c->count], at, len, why, size);
		if (err)
			return err;
		c->has |= 1u << c->list[c->count++].kind;
		if (!at[len])
			return check(c, why, size);
		at += len + 1;
	}
}

/* --- fields --------------------------------------------------------------- */

/* By what its columns are separated, as far as a line shows. */
static char find_separator(const char *line, size_t len)
{
	static const char marks[] = ",;\t";

	for (const char *m = marks; *m; m++)
		if (memchr(line, *m, len))
			return *m;
	return ' ';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* what a number or letter is not: a blank, or a quote */
static bool is_odd(char c)
{
	return (unsigned char)c <= '"';
}

static void trim(struct field *f)
{
	if (LIKELY(f->len && !is_odd(*f->text) &&
		   !is_odd(f->text[f->len - 1])))
		return;
	while (f->len && is_blank(*f->text)) {
		f->text++;
		f->len--;
	}
	while (f->len && is_blank(f->text[f->len - 1]))
		f->len--;
	if (f->len > 1 && f->text[0] == '"' && f->text[f->len - 1] == '"') {
		f->text++;
		f->len -= 2;
	}
}

/* The fields of a line, at most max; their number in all. */
static size_t split_marked(char mark, const char *line, size_t len,
			   struct field *fields, size_t max)
{
	const char *at = line, *end = line + len;
	size_t n = 0;

	for (;;) {
		const char *cut = memchr(at, mark, (size_t)(end - at));
		struct field f = { at, (size_t)((cut ? cut : end) - at) };

		trim(&f);
		if (n < max)
			fields[n] = f;
		n++;
		if (!cut)
			return n;
		at = cut + 1;
	}
}

static size_t split_blanks(const char *line, size_t len, struct field *fields,
			   size_t max)
{
	const char *at = line, *end = line + len;
	size_t n = 0;

	for (;;) {
		const char *from;

		while (at < end && is_blank(*at))
			at++;
		if (at == end)
			return n;
		for (from = at; at < end && !is_blank(*at);)
			at++;
		if (n < max)
			fields[n] = (struct field){ from,
						    (size_t)(at - from) };
		n++;
	}
}

/* The index of the first column of a kind. */
static unsigned int index_of(const struct columns *c, enum column_kind kind)
{
	unsigned int i = 0;

	while (i < c->count && c->list[i].kind != kind)
		i++;
	return i;
}

/* A process's name may have blanks: it has what is too much. */
static size_t join_process(const struct columns *c, struct field *fields,
			   size_t n)
{
	unsigned int i = index_of(c, COLUMN_PROCESS);
	size_t more = n - c->count;
	struct field *last = &fields[i + more];

	fields[i].len = (size_t)(last->text + last->len - fields[i].text);
	memmove(&fields[i + 1], last + 1, (n - i - more - 1) * sizeof(*last));
	return c->count;
}

enum { FIELDS_MAX = COLUMNS_MAX + 32 };

static size_t split(struct columns *c, const char *line, size_t len,
		    struct field fields[FIELDS_MAX])
{
	size_t n;

	if (!c->separator)
		c->separator = find_separator(line, len);
	if (c->separator != ' ')
		return split_marked(c->separator, line, len, fields,
				    FIELDS_MAX);
	n = split_blanks(line, len, fields, FIELDS_MAX);
	if (n > c->count && n <= FIELDS_MAX &&
	    c->list[c->count - 1].kind != COLUMN_NONE &&
	    has(c, COLUMN_PROCESS))
		n = join_process(c, fields, n);
	return n;
}

/* --- values --------------------------------------------------------------- */

static const struct {
	const char *word;
	uint32_t categories;
} ops[] = {
	{ "r", BLK_TC_BIT(BLK_TC_READ) },
	{ "w", BLK_TC_BIT(BLK_TC_WRITE) },
	{ "0", BLK_TC_BIT(BLK_TC_READ) },
	{ "1", BLK_TC_BIT(BLK_TC_WRITE) },
	{ "read", BLK_TC_BIT(BLK_TC_READ) },
	{ "write", BLK_TC_BIT(BLK_TC_WRITE) },
	{ "rs", BLK_TC_BIT(BLK_TC_READ) | BLK_TC_BIT(BLK_TC_SYNC) },
	{ "ws", BLK_TC_BIT(BLK_TC_WRITE) | BLK_TC_BIT(BLK_TC_SYNC) },
	{ "discard", BLK_TC_BIT(BLK_TC_WRITE) | BLK_TC_BIT(BLK_TC_DISCARD) },
	{ "trim", BLK_TC_BIT(BLK_TC_WRITE) | BLK_TC_BIT(BLK_TC_DISCARD) },
	{ "unmap", BLK_TC_BIT(BLK_TC_WRITE) | BLK_TC_BIT(BLK_TC_DISCARD) },
	{ "flush", BLK_TC_BIT(BLK_TC_WRITE) | BLK_TC_BIT(BLK_TC_FLUSH) },
	{ "sync", BLK_TC_BIT(BLK_TC_WRITE) | BLK_TC_BIT(BLK_TC_FLUSH) },
};

static bool get_op(const struct field *f, uint32_t *categories)
{
	if (f->len == 1 && strchr("rRwW", *f->text)) {	/* most are */
		*categories = strchr("rR", *f->text) ? ops[0].categories :
						       ops[1].categories;
		return true;
	}
	for (size_t i = 0; i < sizeof(ops) / sizeof(*ops); i++)
		if (field_is(f, ops[i].word)) {
			*categories = ops[i].categories;
			return true;
		}
	return rwbs_parse(f->text, f->len, categories);
}

static bool get_small(const struct field *f, uint64_t most, uint64_t *n)
{
	return field_number(f, n) && *n <= most;
}

/* Times of a line, before they are put together. */
struct times {
	uint64_t of[COLUMN_OP];		/* by kind; ROW_NONE: has none */
};

static bool get_time(const struct column *c, const struct field *f,
		     uint64_t *time)
{
	if (!field_scaled(f, c->scale, time))
		return false;
	if (!c->filetime || c->kind > COLUMN_END)
		return true;
	*time -= FILETIME_EPOCH;
	return *time + FILETIME_EPOCH >= FILETIME_EPOCH;
}

/* A flush has no place: biosnoop prints -1. */
static bool get_offset(const struct column *c, const struct field *f,
		       uint64_t *offset)
{
	*offset = 0;
	return field_is(f, "-1") || field_is(f, "18446744073709551615") ||
	       field_scaled(f, c->scale, offset);
}

static bool get_part(struct row *r, const struct field *f)
{
	if (!f->len)
		return false;
	if (r->devices < sizeof(r->device) / sizeof(*r->device))
		r->device[r->devices++] = *f;
	return true;
}

static bool get(const struct column *c, const struct field *f, struct row *r,
		struct times *t)
{
	uint64_t n = 0;
	bool good;

	switch (c->kind) {
	case COLUMN_TIME:
	case COLUMN_END:
	case COLUMN_RESPONSE:
	case COLUMN_QUEUE:
	case COLUMN_SERVICE:
		return get_time(c, f, &t->of[c->kind]);
	case COLUMN_OP:
		return get_op(f, &r->categories);
	case COLUMN_OFFSET:
		return get_offset(c, f, &r->offset);
	case COLUMN_BYTES:
		return field_scaled(f, c->scale, &r->bytes);
	case COLUMN_DEVICE:
		return get_part(r, f);
	case COLUMN_PID:
		good = get_small(f, UINT32_MAX, &n);
		r->pid = (uint32_t)n;
		return good;
	case COLUMN_PROCESS:
		r->process = *f;
		return true;
	case COLUMN_ERROR:
		good = get_small(f, UINT16_MAX, &n);
		r->error = (uint16_t)n;
		return good;
	case COLUMN_CPU:
		good = get_small(f, BLK_CPU_MAX - 1, &n);
		r->cpu = (uint32_t)n;
		return good;
	default:
		return true;
	}
}

static uint64_t plus(uint64_t a, uint64_t b)
{
	return a == ROW_NONE || b == ROW_NONE ? ROW_NONE : a + b;
}

static uint64_t minus(uint64_t a, uint64_t b)
{
	if (a == ROW_NONE || b == ROW_NONE)
		return ROW_NONE;
	return a > b ? a - b : 0;
}

static uint64_t either(uint64_t a, uint64_t b)
{
	return a != ROW_NONE ? a : b;
}

/* The three times by what of them was measured. */
static void put_together(struct row *r, const struct times *t,
			 uint64_t shift)
{
	uint64_t time = plus(t->of[COLUMN_TIME], shift);
	uint64_t end = plus(t->of[COLUMN_END], shift);
	uint64_t queue = t->of[COLUMN_QUEUE];
	uint64_t service = t->of[COLUMN_SERVICE];
	uint64_t response = either(t->of[COLUMN_RESPONSE],
				   plus(queue, service));

	r->queued = either(time, minus(end, response));
	r->completed = either(end, plus(r->queued, response));
	r->issued = either(plus(r->queued, queue),
			   minus(r->completed, service));
	if (r->queued == ROW_NONE && r->issued == ROW_NONE) {
		r->queued = r->completed;
		r->completed = ROW_NONE;
	}
}

/* Column i of n, which is missing or does not fit. */
static COLD void set_misfit(struct misfit *m, const struct columns *c,
			    unsigned int i, const struct field *fields,
			    size_t n, const struct field *line)
{
	*m = (struct misfit){ line->len + 1, kinds[c->list[i].kind].expected,
			      { line->text, 0 } };
	if (i < n) {
		m->text = fields[i];
		m->column = (size_t)(fields[i].text - line->text) + 1;
	}
}

bool columns_row(struct columns *c, const char *line, size_t len, struct row *r,
		 struct misfit *m)
{
	struct field fields[FIELDS_MAX];
	size_t n = split(c, line, len, fields);
	struct times t;

	*r = (struct row){ .devices = 0 };
	for (int k = 0; k < COLUMN_OP; k++)
		t.of[k] = ROW_NONE;
	for (unsigned int i = 0; i < c->count; i++) {
		const struct column *one = &c->list[i];

		if (i < n ? get(one, &fields[i], r, &t) :
			    one->kind == COLUMN_NONE)
			continue;
		set_misfit(m, c, i, fields, n, &(struct field){ line, len });
		return false;
	}
	put_together(r, &t, c->shift);
	return true;
}
