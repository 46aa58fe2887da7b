/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads a file of saved histograms; see saved_reader.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "stat/saved.h"
#include "stat/saved_reader.h"

/* A histogram with all cells and the largest counts takes 193 KiB. */
enum { LINE_FIRST = 512, LINE_MAX_BYTES = 256 << 10 };

/* values in a line, which need not have all */
struct words {
	char host[SAVED_NAME_MAX + 1], device[SAVED_NAME_MAX + 1];
	char op[SAVED_NAME_MAX + 1], phase[SAVED_NAME_MAX + 1];
	uint64_t from, to, records, lost, missing, unsure;
	uint64_t at, n, min, max;
	struct wide sum;
};

struct saved_reader {
	struct saved *into;
	char *line;		/* the part of it read so far */
	size_t len, size;
	uint64_t number;	/* lines before it */
	bool expects_cells;	/* the next line has the cells for words */
	const char *what;	/* the fault */
	int error;
	struct words words;
};

static int fail(struct saved_reader *r, const char *what)
{
	r->what = what;
	return -EBADMSG;
}

/* --- words ---------------------------------------------------------------- */

struct cursor {
	const char *at, *end;
};

static bool take(struct cursor *c, const char *text)
{
	size_t len = strlen(text);

	if ((size_t)(c->end - c->at) < len || memcmp(c->at, text, len))
		return false;
	c->at += len;
	return true;
}

static bool take_name(struct cursor *c, char to[SAVED_NAME_MAX + 1])
{
	const char *from = c->at;

	while (c->at < c->end && *c->at != ' ')
		c->at++;
	return percent_decode(to, SAVED_NAME_MAX + 1, from,
			      (size_t)(c->at - from)) >= 0;
}

static bool take_sum(struct cursor *c, struct wide *sum)
{
	const char *from = c->at;

	*sum = wide_of(0);
	for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
		struct wide digit = wide_of((uint64_t)(*c->at - '0'));

		if (wide_less(wide_over(wide_minus(WIDE_MOST, digit), 10),
			      *sum))
			return false;
		*sum = wide_plus(wide_times(*sum, 10), digit);
	}
	return c->at > from;
}

static bool take_number(struct cursor *c, uint64_t *number)
{
	struct wide sum;

	if (!take_sum(c, &sum) || sum.high)
		return false;
	*number = sum.low;
	return true;
}

/* --- fields --------------------------------------------------------------- */

enum kind { NAME, NUMBER, SUM };

/* " word=value" in a line, and its place in struct words */
struct field {
	const char *word;
	enum kind kind;
	size_t offset;
};

#define FIELD(word, kind) { " " #word "=", kind, offsetof(struct words, word) }

static const struct field trace_fields[] = {
	FIELD(host, NAME), FIELD(device, NAME), FIELD(from, NUMBER),
	FIELD(to, NUMBER), FIELD(records, NUMBER), FIELD(lost, NUMBER),
	FIELD(missing, NUMBER), { NULL, NAME, 0 },
};

static const struct field key_fields[] = {
	FIELD(host, NAME), FIELD(device, NAME), FIELD(op, NAME),
	FIELD(phase, NAME), { NULL, NAME, 0 },
};

static const struct field hist_fields[] = {
	FIELD(n, NUMBER), FIELD(sum, SUM), FIELD(min, NUMBER),
	FIELD(max, NUMBER), { NULL, NAME, 0 },
};

static bool take_field(struct cursor *c, const struct field *f,
		       struct words *words)
{
	void *to = (char *)words + f->offset;

	if (!take(c, f->word))
		return false;
	return f->kind == NAME	 ? take_name(c, to) :
	       f->kind == NUMBER ? take_number(c, to) :
				   take_sum(c, to);
}

static bool take_fields(struct cursor *c, const struct field *f,
			struct words *words)
{
	for (; f->word; f++)
		if (!take_field(c, f, words))
			return false;
	return true;
}

/* --- lines ---------------------------------------------------------------- */

/* Turns errors of adding into faults of the file. */
static int added(struct saved_reader *r, int err)
{
	return err == -ENOSPC	 ? fail(r, "too many histograms") :
	       err == -EOVERFLOW ? fail(r, "the counts are too large") :
				   err;
}

static int read_trace(struct saved_reader *r, struct cursor *c)
{
	const struct words *w = &r->words;
	bool right = take_fields(c, trace_fields, &r->words);
	struct saved_trace t;

	r->words.unsure = 0;
	if (right && take(c, " unsure="))
		right = take_number(c, &r->words.unsure);
	if (!right || c->at < c->end)
		return fail(r, "not a line about a trace");
	if (w->from > w->to)
		return fail(r, "the trace ends before its start");
	t = (struct saved_trace){
		w->host, w->device, w->from, w->to, w->records, w->lost,
		w->missing, w->unsure,
	};
	return added(r, saved_add_trace(r->into, &t));
}

static int read_hist(struct saved_reader *r, struct cursor *c)
{
	struct words *w = &r->words;
	bool right = take_fields(c, key_fields, w);

	w->at = SAVED_ALWAYS;
	if (right && take(c, " at="))
		right = take_number(c, &w->at) && w->at != SAVED_ALWAYS;
	if (!right || !take_fields(c, hist_fields, w) || c->at < c->end)
		return fail(r, "not a line about a histogram");
	r->expects_cells = true;
	return 0;
}

/* --- cells ---------------------------------------------------------------- */

/* a line of cells, as far as it was read */
struct cells {
	struct histogram h;
	uint64_t cell;		/* the last */
	uint64_t first;
	struct wide least, most;	/* bounds of the sum */
};

/* A cell's values are also within min and max. */
static uint64_t low_of(const struct words *w, uint64_t cell)
{
	uint64_t low = histogram_cell_low((unsigned int)cell);

	return low < w->min ? w->min : low;
}

static uint64_t high_of(const struct words *w, uint64_t cell)
{
	uint64_t high = histogram_cell_high((unsigned int)cell);

	return high > w->max ? w->max : high;
}

static int add_cell(struct saved_reader *r, struct cells *s, uint64_t cell,
		    uint64_t count)
{
	const struct words *w = &r->words;
	bool first = !s->h.count;

	if (cell >= HISTOGRAM_CELLS || (!first && cell <= s->cell))
		return fail(r, "the cells do not ascend");
	if (!count)
		return fail(r, "a cell counts nothing");
	if (first)
		s->first = cell;
	s->cell = cell;
	wide_join(&s->least, wide_product(low_of(w, cell), count));
	wide_join(&s->most, wide_product(high_of(w, cell), count));
	return added(r, histogram_add_times(
		&s->h, histogram_cell_low((unsigned int)cell), count));
}

static int read_cells(struct saved_reader *r, struct cursor *c, struct cells *s)
{
	uint64_t cell, count;
	int err = 0;

	do {
		if (!take_number(c, &cell) || !take(c, ":") ||
		    !take_number(c, &count))
			return fail(r, "not a line of cells");
		err = add_cell(r, s, cell, count);
	} while (!err && take(c, " "));
	if (!err && c->at < c->end)
		return fail(r, "not a line of cells");
	return err;
}

/* One value is the minimum and one the maximum; a single one is both. */
static int check_cells(struct saved_reader *r, const struct cells *s)
{
	const struct words *w = &r->words;
	struct wide least = wide_plus(s->least, wide_of(
				      w->max - low_of(w, s->cell)));
	struct wide most = wide_minus(s->most, wide_of(
				      high_of(w, s->first) - w->min));

	if (s->h.count != w->n)
		return fail(r, "the counts do not add up to n");
	if (w->min > w->max || histogram_cell(w->min) != s->first ||
	    histogram_cell(w->max) != s->cell)
		return fail(r, "min or max is not in the outer cells");
	if (wide_less(w->sum, least) || wide_less(most, w->sum))
		return fail(r, "the sum does not fit these numbers");
	return 0;
}

static int read_histogram(struct saved_reader *r, struct cursor *c)
{
	const struct words *w = &r->words;
	const struct saved_key key = { w->host, w->device, w->op, w->phase,
				       w->at };
	struct cells s = { .cell = 0 };
	int err = read_cells(r, c, &s);

	if (!err)
		err = check_cells(r, &s);
	if (!err) {
		s.h.min = w->min;
		s.h.max = w->max;
		s.h.sum = w->sum;
		err = added(r, saved_add(r->into, &key, &s.h));
	}
	histogram_free(&s.h);
	r->expects_cells = false;
	return err;
}

/* --- the file ------------------------------------------------------------- */

static int read_line(struct saved_reader *r)
{
	struct cursor c = { r->line, r->line + r->len };

	if (!r->number)
		return take(&c, SAVED_MAGIC) && c.at == c.end ?
		       0 : fail(r, "not a file that btstat has saved");
	if (r->expects_cells)
		return read_histogram(r, &c);
	if (take(&c, "trace"))
		return read_trace(r, &c);
	if (take(&c, "hist"))
		return read_hist(r, &c);
	return fail(r, "not a line of a save file");
}

static int make_room(struct saved_reader *r, size_t need)
{
	size_t size = r->size;
	char *line;

	while (size < need)
		size *= 2;
	if (size == r->size)
		return 0;
	line = array_resize(r->line, size, 1);
	if (!line)
		return -ENOMEM;
	r->line = line;
	r->size = size;
	return 0;
}

static int append(struct saved_reader *r, const char *bytes, size_t len)
{
	int err;

	if (r->len + len > LINE_MAX_BYTES)
		return fail(r, "the line is too long");
	err = make_room(r, r->len + len);
	if (err)
		return err;
	memcpy(r->line + r->len, bytes, len);
	r->len += len;
	return 0;
}

static int end_line(struct saved_reader *r)
{
	int err = read_line(r);

	if (!err) {
		r->number++;
		r->len = 0;
	}
	return err;
}

static int add_bytes(struct saved_reader *r, const char *p, size_t len)
{
	while (len) {
		const char *end = memchr(p, '\n', len);
		size_t part = end ? (size_t)(end - p) : len;
		int err = append(r, p, part);

		if (!err && end)
			err = end_line(r);
		if (err)
			return err;
		part += !!end;
		p += part;
		len -= part;
	}
	return 0;
}

int saved_reader_add(struct saved_reader *r, const void *bytes, size_t len)
{
	if (!r->error)
		r->error = add_bytes(r, bytes, len);
	return r->error;
}

int saved_reader_end(struct saved_reader *r)
{
	if (r->error)
		return r->error;
	if (r->len)
		r->error = fail(r, "the last line is cut short");
	else if (!r->number)
		r->error = fail(r, "the file is empty");
	else if (r->expects_cells)
		r->error = fail(r, "the cells of the last line are missing");
	return r->error;
}

struct saved_fault saved_reader_fault(const struct saved_reader *r)
{
	return (struct saved_fault){ r->number + 1, r->what };
}

int saved_reader_new(struct saved_reader **r, struct saved *s)
{
	struct saved_reader *new = calloc(1, sizeof(*new));
	char *line = malloc(LINE_FIRST);

	if (!new || !line) {
		free(new);
		free(line);
		return -ENOMEM;
	}
	new->into = s;
	new->line = line;
	new->size = LINE_FIRST;
	*r = new;
	return 0;
}

void saved_reader_free(struct saved_reader *r)
{
	if (!r)
		return;
	free(r->line);
	free(r);
}
