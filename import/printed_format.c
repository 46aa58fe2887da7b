/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Formats of blkparse -f; see printed_format.h, and doc/blkparse.1, FORMATS.
 *
 * A process's name and a packet command end where the rest of the line fits, as
 * they may have in them what follows them.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "import/printed_event.h"
#include "import/printed_format.h"
#include "import/scan.h"

/* bytes of a loose field, at most, without padding */
enum { NAME_LONGEST = 64, COMMAND_LONGEST = 1024 };

/* the bit of a letter */
static uint64_t bit(char c)
{
	return UINT64_C(1) << (c & 63);
}

bool printed_format_has(const struct printed_format *f, char letter)
{
	return f->has & bit(letter);
}

bool printed_format_has_device(const struct printed_format *f)
{
	return printed_format_has(f, 'D') ||
	       (printed_format_has(f, 'm') && printed_format_has(f, 'M'));
}

/* --- parsing -------------------------------------------------------------- */

static int refuse(char *why, size_t size, const char *phrase)
{
	snprintf(why, size, "%s", phrase);
	return -EINVAL;
}

/* Text is added to the last field. */
static bool add_char(struct printed_format *f, size_t *used, char c)
{
	struct printed_field *last = &f->fields[f->count - 1];

	if (*used == PRINTED_FORMAT_MAX)
		return false;
	if (!last->len)
		last->at = (uint16_t)*used;
	f->text[(*used)++] = c;
	last->len++;
	return true;
}

/* \n and others; NULL: none that blkparse has */
static const char *parse_escape(struct printed_format *f, size_t *used,
				const char *text)
{
	static const char from[] = "bnrt", to[] = "\b\n\r\t";
	const char *at = *text ? strchr(from, *text) : NULL;

	return at && add_char(f, used, to[at - from]) ? text + 1 : NULL;
}

static const char *parse_width(struct printed_field *field, const char *text)
{
	const char *p = text + (*text == '-'), *digits = p;
	uint64_t width = 0;

	for (; *p >= '0' && *p <= '9'; p++)
		width = width < INT32_MAX ?
				width * 10 + (uint64_t)(*p - '0') : width;
	field->width = width < INT32_MAX ? (uint32_t)width : INT32_MAX;
	field->left = p > digits && *text == '-';
	if (*p == 't' && p == digits)
		field->width = PRINTED_NS_DIGITS;
	return p;
}

/* A letter that is no field is printed in its width. */
static bool add_letter(struct printed_format *f, size_t *used,
		       const struct printed_field *field, char c)
{
	uint32_t pad = field->width ? field->width - 1 : 0;
	bool good = true;

	if (field->left)
		good = add_char(f, used, c);
	while (good && pad--)
		good = add_char(f, used, ' ');
	return good && (field->left || add_char(f, used, c));
}

/* After a '%'; NULL: too many. */
static const char *parse_field(struct printed_format *f, size_t *used,
			       const char *text)
{
	struct printed_field field = { .letter = '\0' };

	if (!*text || *text == '%')
		return !add_char(f, used, '%') ? NULL :
		       *text ? text + 1 : text;
	text = parse_width(&field, text);
	if (!*text)
		return text;
	field.of = printed_letter(*text);
	if (!field.of)
		return add_letter(f, used, &field, *text) ? text + 1 : NULL;
	if (f->count == PRINTED_FIELDS)
		return NULL;
	field.letter = *text;
	f->fields[f->count++] = field;
	f->has |= bit(*text);
	return text + 1;
}

static int parse(struct printed_format *f, const char *text, char *why,
		 size_t size)
{
	size_t used = 0;

	f->count = 1;		/* text before the first field */
	while (text && *text) {
		if (*text == '\\') {
			text = parse_escape(f, &used, text + 1);
			if (!text)
				return refuse(why, size, "after a backslash"
					      " there must be b, n, r or t");
		} else if (*text == '%') {
			text = parse_field(f, &used, text + 1);
		} else {
			text = add_char(f, &used, *text) ? text + 1 : NULL;
		}
	}
	return text ? 0 : refuse(why, size, "it is too long");
}

/* A line is cut before its end, which may be CR LF. */
static int cut_newline(struct printed_format *f, char *why, size_t size)
{
	struct printed_field *last = &f->fields[f->count - 1];
	const char *text = f->text + last->at;

	if (!last->len || text[last->len - 1] != '\n')
		return refuse(why, size, "it does not end in \\n, so that its"
			      " lines cannot be told apart");
	last->len--;
	if (last->len && text[last->len - 1] == '\r')
		last->len--;
	for (unsigned int i = 0; i < f->count; i++)
		if (memchr(f->text + f->fields[i].at, '\n', f->fields[i].len))
			return refuse(why, size, "it has more than one line");
	return 0;
}

/* --- checks --------------------------------------------------------------- */

/* whether a field of a kind could continue with c */
static bool continues(enum printed_kind kind, char c)
{
	bool digit = c >= '0' && c <= '9';

	switch (kind) {
	case PRINTED_NUMBER:
		return digit;
	case PRINTED_WORD:
		return c >= 'A' && c <= 'Z';
	case PRINTED_HEX:
		return scan_hex_digit(c) < 16;
	default:
		return false;
	}
}

/* Whether where a field ends is clear although another follows at once: where
 * their characters differ, or all have one length. */
static bool may_touch(const struct printed_field *a,
		      const struct printed_field *b)
{
	if (b->of->kind == PRINTED_LOOSE || a->of->kind == PRINTED_LOOSE)
		return false;
	if (a->of->kind == PRINTED_FIXED ||
	    (a->letter == 't' && a->width >= PRINTED_NS_DIGITS))
		return true;
	return (a->of->kind == PRINTED_WORD) != (b->of->kind == PRINTED_WORD);
}

static bool is_clear(const struct printed_format *f, unsigned int i)
{
	const struct printed_field *field = &f->fields[i];

	if (field->len)
		return !continues(field->of->kind, f->text[field->at]);
	return i + 1 == f->count || may_touch(field, field + 1);
}

static int check_ends(const struct printed_format *f, char *why, size_t size)
{
	for (unsigned int i = 1; i < f->count; i++) {
		if (is_clear(f, i))
			continue;
		snprintf(why, size, "where %%%c ends is not clear: put a"
			 " character after it", f->fields[i].letter);
		return -EINVAL;
	}
	return 0;
}

static int check_loose(const struct printed_format *f, char *why, size_t size)
{
	uint64_t seen = 0;

	for (unsigned int i = 1; i < f->count; i++) {
		char c = f->fields[i].letter;

		if (f->fields[i].of->kind != PRINTED_LOOSE)
			continue;
		if (seen & bit(c)) {
			snprintf(why, size, "it has %%%c twice", c);
			return -EINVAL;
		}
		seen |= bit(c);
	}
	return 0;
}

static int check_needed(const struct printed_format *f, char *why, size_t size)
{
	bool since = printed_format_has(f, 'T') && printed_format_has(f, 't');

	if (!printed_format_has(f, 'a'))
		return refuse(why, size, "it has no action, %a");
	if (!since && !printed_format_has(f, 'z'))
		return refuse(why, size, "it has no time: %T and %t, or %z");
	if (printed_format_has(f, 'z') &&
	    (printed_format_has(f, 'T') || printed_format_has(f, 't')))
		return refuse(why, size, "it has two times: %z, and %T or %t");
	return 0;
}

int printed_format_parse(struct printed_format *f, const char *text, char *why,
			 size_t size)
{
	int err;

	memset(f, 0, sizeof(*f));
	err = parse(f, text, why, size);
	if (!err)
		err = cut_newline(f, why, size);
	if (!err)
		err = check_needed(f, why, size);
	if (!err)
		err = check_ends(f, why, size);
	return err ? err : check_loose(f, why, size);
}

/* --- what is missing ------------------------------------------------------ */

static void add_lacking(char *lacks, size_t size, const char *what)
{
	size_t used = strlen(lacks);

	snprintf(lacks + used, size - used, "%s%s", used ? ", " : "no ", what);
}

bool printed_format_lacks(const struct printed_format *f, char *lacks,
			  size_t size)
{
	static const char order[] = "cpCdSe";

	*lacks = '\0';
	if (!printed_format_has_device(f))
		add_lacking(lacks, size, "devices");
	for (const char *c = order; *c; c++)
		if (!printed_format_has(f, *c))
			add_lacking(lacks, size, printed_letter(*c)->lacking);
	if (!printed_format_has(f, 'n') && !printed_format_has(f, 'N'))
		add_lacking(lacks, size, "sizes");
	return *lacks;
}

/* --- lines ---------------------------------------------------------------- */

/* a line, field by field; best has what went furthest */
struct match {
	const struct printed_format *format;
	struct scan best;
};

static bool fail(struct match *m, const struct scan *s)
{
	if (!m->best.expected || s->at > m->best.at)
		m->best = *s;
	return false;
}

static bool take_rest(struct match *m, unsigned int i, struct scan *s,
		      struct printed *p);

static struct field without_padding(const struct printed_field *f,
				    const char *text, size_t len)
{
	while (len && !f->left && len <= f->width && *text == ' ') {
		text++;
		len--;
	}
	while (len && f->left && len <= f->width && text[len - 1] == ' ')
		len--;
	return (struct field){ text, len };
}

/* len bytes as a loose field; false: they cannot be one */
static bool set_loose(const struct printed_field *f, struct printed *p,
		      const char *text, size_t len)
{
	struct field name = without_padding(f, text, len);
	size_t used = 0;

	if (f->letter == 'C') {
		printed_name(p, name.text, name.len);
		return true;
	}
	if (len && (!printed_command(text, len, NULL, &used) || used != len))
		return false;
	p->command = (struct field){ text, len };
	p->is_pc = len;
	return true;
}

/* bytes that a loose field may have */
static size_t loose_most(const struct printed_field *f, size_t left)
{
	size_t most = f->letter == 'C' ? NAME_LONGEST + (size_t)f->width :
					 COMMAND_LONGEST;

	return most < left ? most : left;
}

/* Tries all ends that a loose field can have. */
static bool take_loose(struct match *m, unsigned int i, struct scan *s,
		       struct printed *p)
{
	const struct printed_field *f = &m->format->fields[i];
	size_t left = (size_t)(s->end - s->at), most = loose_most(f, left);

	for (size_t len = f->len ? 0 : left; len <= most; len++) {
		struct scan rest = { .at = s->at + len, .end = s->end };
		struct printed with = *p;

		if (scan_text(&rest, m->format->text + f->at, f->len, "") &&
		    set_loose(f, &with, s->at, len) &&
		    take_rest(m, i + 1, &rest, &with)) {
			*p = with;
			return true;
		}
	}
	scan_fail(s, f->letter == 'C' ? "a process and the text after it" :
					"a packet command, or nothing");
	return fail(m, s);
}

static bool take_rest(struct match *m, unsigned int i, struct scan *s,
		      struct printed *p)
{
	for (; i < m->format->count; i++) {
		const struct printed_field *f = &m->format->fields[i];

		if (f->of && !f->of->take)
			return take_loose(m, i, s, p);
		if (f->of && !f->of->take(s, f, p))
			return fail(m, s);
		if (!scan_text(s, m->format->text + f->at, f->len,
			       "the format's text"))
			return fail(m, s);
	}
	return scan_end(s) || fail(m, s);
}

bool printed_format_line(const struct printed_format *f, struct scan *s,
			 struct printed *p)
{
	struct match m = { .format = f };

	if (take_rest(&m, 0, s, p))
		return true;
	*s = m.best;
	return false;
}
