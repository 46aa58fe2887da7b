/* SPDX-License-Identifier: GPL-2.0-only */
/* The lines of a source; see lines.h. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <strings.h>

#include "file/source.h"
#include "import/lines.h"

enum { BUFFER = 4 * LINES_MAX };

int lines_open(struct lines *l, struct source *s)
{
	*l = (struct lines){ .source = s, .bytes = malloc(BUFFER + 1) };
	return l->bytes ? 0 : -ENOMEM;
}

void lines_close(struct lines *l)
{
	free(l->bytes);
	l->bytes = NULL;
}

/* Reads more behind what is left. */
static int fill(struct lines *l)
{
	ssize_t n;

	memmove(l->bytes, l->bytes + l->at, l->end - l->at);
	l->end -= l->at;
	l->at = 0;
	do {
		n = source_read(l->source, l->bytes + l->end, BUFFER - l->end);
		if (n == -EAGAIN)
			source_wait(l->source, -1);
	} while (n == -EAGAIN);
	if (n < 0)
		return (int)n;
	l->over = !n;
	l->end += (size_t)n;
	return 0;
}

/* The end of a line in what has been read; NULL: more must be. */
static char *find_end(const struct lines *l, size_t from)
{
	return memchr(l->bytes + l->at + from, '\n', l->end - l->at - from);
}

static void trim(char *line, size_t *len)
{
	if (*len && line[*len - 1] == '\r')
		--*len;
	if (*len > LINES_MAX)
		*len = LINES_MAX;
	line[*len] = '\0';
}

/* Passes over the rest of a line that is longer than the buffer. */
static int skip_rest(struct lines *l)
{
	char *end = NULL;
	int err = 0;

	while (!err && !l->over && !end) {
		l->at = l->end = 0;
		err = fill(l);
		end = err ? NULL : find_end(l, 0);
	}
	if (end)
		l->at = (size_t)(end + 1 - l->bytes);
	l->cut = false;
	return err;
}

/* Has a whole line, or a full buffer, or the end; *end is the line's. */
static int fill_line(struct lines *l, char **end)
{
	size_t seen = 0;
	int err = l->cut ? skip_rest(l) : 0;

	while (!err && !(*end = find_end(l, seen)) && !l->over &&
	       l->end - l->at < BUFFER) {
		seen = l->end - l->at;
		err = fill(l);
	}
	return err;
}

int lines_next(struct lines *l, char **line, size_t *len)
{
	char *end = NULL;
	int err = fill_line(l, &end);

	if (err || (!end && l->at == l->end))
		return err;
	l->number++;
	l->cut = !end && !l->over;
	*line = l->bytes + l->at;
	*len = end ? (size_t)(end - *line) : l->end - l->at;
	l->at = end ? (size_t)(end + 1 - l->bytes) : l->end;
	trim(*line, len);
	return 1;
}

/* --- numbers -------------------------------------------------------------- */

static bool add_digit(uint64_t *n, unsigned int base, unsigned int digit)
{
	return !__builtin_mul_overflow(*n, base, n) &&
	       !__builtin_add_overflow(*n, digit, n);
}

static bool hexadecimal(const char *p, const char *end, uint64_t *n)
{
	bool good = p < end;

	for (*n = 0; good && p < end; p++) {
		unsigned char c = (unsigned char)*p;

		good = isxdigit(c) &&
		       add_digit(n, 16, isdigit(c) ? c - (unsigned int)'0' :
					(unsigned int)tolower(c) - 'a' + 10);
	}
	return good;
}

/* The digits at *p: none is 0. */
static bool digits(const char **p, const char *end, uint64_t *n)
{
	bool good = true;

	for (*n = 0; good && *p < end && isdigit((unsigned char)**p); ++*p)
		good = add_digit(n, 10, (unsigned int)(**p - '0'));
	return good;
}

bool field_number(const struct field *f, uint64_t *n)
{
	const char *p = f->text, *end = p + f->len;

	if (f->len > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
		return hexadecimal(p + 2, end, n);
	return f->len && digits(&p, end, n) && p == end;
}

/* What follows the point, times scale; digits after the ninth are no matter. */
static bool fraction(const char *p, const char *end, uint64_t scale,
		     uint64_t *n)
{
	uint64_t value = 0, power = 1;

	for (; p < end && isdigit((unsigned char)*p); p++) {
		if (power == 1000000000)
			continue;
		value = value * 10 + (uint64_t)(*p - '0');
		power *= 10;
	}
	*n = value * scale / power;
	return p == end;
}

bool field_scaled(const struct field *f, uint64_t scale, uint64_t *n)
{
	const char *p = f->text, *end = p + f->len;
	uint64_t part = 0;

	if (!f->len || !digits(&p, end, n) ||
	    __builtin_mul_overflow(*n, scale, n))
		return false;
	if (p == end)
		return true;
	return *p == '.' && f->len > 1 && fraction(p + 1, end, scale, &part) &&
	       !__builtin_add_overflow(*n, part, n);
}

bool field_is(const struct field *f, const char *word)
{
	return strlen(word) == f->len && !strncasecmp(f->text, word, f->len);
}
