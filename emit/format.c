/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Custom formats; see format.h.
 *
 * A format is a list of operations: a field with its width, the function that
 * renders it, and the literal text after it, if short.  Longer text is a
 * separate operation.  Texts of fields with few values are cached, with the
 * literal text.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/hint.h"
#include "base/time.h"
#include "emit/format.h"
#include "emit/format_impl.h"
#include "emit/line.h"
#include "record/record.h"
#include "run/device.h"
#include "run/names.h"

/* --- texts ---------------------------------------------------------------- */

#define NO_KEY UINT64_MAX

struct texts *texts_new(void)
{
	struct texts *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	for (int i = 0; i < TEXTS; i++)
		t->list[i].key = NO_KEY;
	return t;
}

void texts_set(struct texts *t, uint64_t key, const char *chars, size_t len)
{
	struct text *text = &t->list[hash_spread(key, TEXTS_BITS)];

	if (len > TEXT_MAX)
		return;
	text->key = key;
	text->len = (uint8_t)len;
	memcpy(text->chars, chars, len);
}

/* --- format --------------------------------------------------------------- */

enum {
	WIDTH_MAX = INT32_MAX,	/* of a field of printf(3) */
	FIELD_MAX = 48,		/* room for a field without width, and slack */
	KEPT_MAX = 16,		/* fields of a format with a cache */
};

/* --- cached texts --------------------------------------------------------- */

static inline void set_keys(struct job *j)
{
	const struct event *ev = j->ev;

	j->keys[KEY_DEVICE] = ev->device;
	j->keys[KEY_CPU] = ev->lane->cpu;
	j->keys[KEY_PROCESS] = origin_key(ev->origin, ev->pid);
	j->keys[KEY_LETTERS] = event_kind(ev);
	j->keys[KEY_SECOND] = ev->time / NS_PER_SECOND;
}

/* A process without a name may still get one. */
static bool is_final(const struct job *j, const struct op *op)
{
	return op->put != format_put_name ||
	       names_get(j->c->names, j->ev->origin, j->ev->pid);
}

static inline char *put_tail(const struct op *op, char *p)
{
	memcpy(p, op->tail, FORMAT_TAIL_MAX);
	return p + op->tail_len;
}

static COLD char *put_new(struct job *j, const struct op *op, char *p)
{
	char *end = put_tail(op, op->put(j, op, p));

	if (is_final(j, op))
		texts_set(op->kept, j->keys[op->key], p, (size_t)(end - p));
	return end;
}

/* the field and its tail */
static inline char *put_kept(struct job *j, const struct op *op, char *p)
{
	const struct text *t = texts_get(op->kept, j->keys[op->key]);

	if (UNLIKELY(!t))
		return put_new(j, op, p);
	memcpy(p, t->chars, TEXT_MAX);
	return p + t->len;
}

/* Gives the first fields that can use one a cache; false: out of memory. */
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
	f->room += op.width;
	f->room += op.len + FIELD_MAX + FORMAT_TAIL_MAX;
	f->cdbs += op.put == format_put_cdb;
	f->ops[f->count++] = op;
}

/* A tail that has grown too long becomes a separate literal. */
static void cut_tail(struct format *f, size_t *used, struct op *last)
{
	struct op literal = { .put = format_put_literal, .at = (uint32_t)*used,
			      .len = last->tail_len };

	memcpy(f->texts + *used, last->tail, last->tail_len);
	*used += last->tail_len;
	last->tail_len = 0;
	add_op(f, literal);
}

/* Appends a character to the literal text before it. */
static void add_literal(struct format *f, size_t *used, char c)
{
	struct op *last;

	if (!f->count)
		add_op(f, (struct op){ .put = format_put_literal });
	last = &f->ops[f->count - 1];
	if (last->put != format_put_literal &&
	    last->tail_len < FORMAT_TAIL_MAX) {
		last->tail[last->tail_len++] = c;
		return;
	}
	if (last->put != format_put_literal) {
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
	add_op(f, (struct op){ .put = format_put_bad_escape });
	return NULL;
}

/* Parses "5" or "-5"; 0 is a width, too.  Returns its end; *given: there was
 * one. */
static const char *compile_width(struct op *op, const char *text, bool *given)
{
	const char *p = text + (*text == '-'), *digits = p;
	uint64_t width = 0;

	for (; *p >= '0' && *p <= '9'; p++) {
		width = width * 10 + (uint64_t)(*p - '0');
		width = width < WIDTH_MAX ? width : WIDTH_MAX;
	}
	*given = p > digits;
	op->left = *given && *text == '-';
	op->width = (uint32_t)width;
	return p;
}

/* A letter without a field is literal. */
static void compile_letter(struct format *f, size_t *used, struct op op,
			   char letter)
{
	const struct field *field = format_field(letter);

	if (field) {
		op.put = field->put;
		op.key = field->key;
	} else {
		op.put = format_put_padded_literal;
		op.at = (uint32_t)*used;
		op.len = 1;
		f->texts[(*used)++] = letter;
	}
	add_op(f, op);
}

/* text follows the '%'; returns the end of the specifier */
static const char *compile_field(struct format *f, size_t *used,
				 const char *text)
{
	struct op op = { .put = NULL };
	bool given;

	if (!*text || *text == '%') {
		add_literal(f, used, '%');
		return *text ? text + 1 : text;
	}
	text = compile_width(&op, text, &given);
	if (!*text)
		return text;
	if (*text == 't' && !given)
		op.width = FORMAT_NSEC_PLACES;
	compile_letter(f, used, op, *text);
	return text + 1;
}

/* Up to the end, or to the first error. */
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
		if (f->ops[i].put == format_put_name) {
			f->ops[i].put = format_put_escaped_name;
			free(f->ops[i].kept);
			f->ops[i].kept = NULL;
			f->room += FORMAT_ESCAPED_ROOM;
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
	uint64_t need = f->room + f->cdbs * (3 * (uint64_t)ev->pdu_len + 3);
	char *p = need < PTRDIFF_MAX ? buf_room(c->out, (size_t)need) : NULL;

	if (UNLIKELY(!p))
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
	return (enum format_result)j.result;
}

/* --- formats -------------------------------------------------------------- */

/* 1.3.0: T and W are accepted and never used; Z came with zones */
static const char letters[] = "ABCDFGIMPQRSTUWXZ";

enum formats_error formats_set_all(struct formats *f, const char *text)
{
	f->any = true;
	for (const char *l = letters; *l; l++) {
		struct format **slot = &f->by_letter[*l - 'A'];

		if (!*slot)
			*slot = format_new(text);
		if (!*slot)
			return FORMATS_NO_MEMORY;
	}
	return FORMATS_OK;
}

enum formats_error formats_set_one(struct formats *f, const char *spec)
{
	struct format **slot;

	if (!*spec || !strchr(letters, *spec))
		return FORMATS_BAD_LETTER;
	if (spec[1] != ',')
		return FORMATS_NO_COMMA;
	f->any = true;
	slot = &f->by_letter[*spec - 'A'];
	format_free(*slot);
	*slot = format_new(spec + 2);
	return *slot ? FORMATS_OK : FORMATS_NO_MEMORY;
}

void formats_set_terminal(const struct formats *f)
{
	for (size_t i = 0; i < 26; i++)
		if (f->by_letter[i])
			format_set_terminal(f->by_letter[i]);
}

struct format *formats_for(const struct formats *f, const struct event *ev)
{
	const char *action = line_action(ev);

	return action ? f->by_letter[*action - 'A'] : NULL;
}

void formats_free(struct formats *f)
{
	for (size_t i = 0; i < 26; i++)
		format_free(f->by_letter[i]);
	*f = (struct formats){ .any = false };
}
