/* SPDX-License-Identifier: GPL-2.0-only */
/* The lines of a source; see lines.h. */
#include <ctype.h>
#include <endian.h>
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
	n = source_await(l->source, l->bytes + l->end, BUFFER - l->end);
	if (n == -EBADMSG || n == -EUCLEAN)
		return -EILSEQ;
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

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

enum { SURE_DIGITS = 19 };	/* 10^19 is below 2^64 */

/*
 * Eight digits at once; false: they are not all digits.  In a word with the
 * first lowest, pairs become numbers below 100 in 16 bits, these below 10^4 in
 * 32.
 */
static inline bool eight_digits(const char *text, uint64_t *n)
{
	const uint64_t ones = 0x0101010101010101u;
	uint64_t w;

	memcpy(&w, text, sizeof(w));
	w = le64toh(w);
	if (((w & (0xf0 * ones)) | ((w + 6 * ones) & (0xf0 * ones)) >> 4) !=
	    0x33 * ones)
		return false;
	w = (w & (0x0f * ones)) * 2561 >> 8;
	w = (w & 0x00ff00ff00ff00ffu) * 6553601 >> 16;
	*n = (w & 0x0000ffff0000ffffu) * 42949672960001u >> 32;
	return true;
}

/* The digits at *p: none is 0. */
static bool digits(const char **p, const char *end, uint64_t *n)
{
	const char *at = *p;
	const char *sure = end - at > SURE_DIGITS ? at + SURE_DIGITS : end;
	uint64_t value = 0, part;
	bool good = true;

	for (; sure - at >= 8 && eight_digits(at, &part); at += 8)
		value = value * 100000000 + part;
	for (; at < sure && is_digit(*at); at++)
		value = value * 10 + (uint64_t)(*at - '0');
	for (; good && at < end && is_digit(*at); at++)
		good = add_digit(&value, 10, (unsigned int)(*at - '0'));
	*p = at;
	*n = value;
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

	for (; p < end && is_digit(*p); p++) {
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
