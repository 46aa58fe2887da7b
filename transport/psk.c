/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files of shared keys; see psk.h.
 *
 * psktool's own escape, "#" before an identity in hexadecimal, is for names
 * which cannot be ours, and is refused with them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transport/psk.h"
#include "transport/secret.h"

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 'a' ^ 'A';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* NULL; or what is wrong with the key's text. */
static const char *parse_key(struct psk_key *k, const char *hex, size_t len)
{
	if (len < 2 * PSK_KEY_MIN)
		return "a key below 16 bytes (32 digits)";
	if (len > 2 * PSK_KEY_MAX)
		return "a key above 64 bytes (128 digits)";
	if (len % 2)
		return "half a byte at the end of the key";
	for (size_t i = 0; i < len; i += 2) {
		int high = digit(hex[i]), low = digit(hex[i + 1]);

		if (high < 0 || low < 0)
			return "a key that is not hexadecimal";
		k->key[i / 2] = (uint8_t)(high << 4 | low);
	}
	k->len = len / 2;
	return NULL;
}

/* One line, without its end; the same. */
static const char *parse_line(const struct psk_list *l, struct psk_key *k,
			      const char *line, size_t len)
{
	const char *colon = memchr(line, ':', len);
	size_t before;

	/* an identity may have colons, a key has none */
	for (const char *p = colon; p; p = memchr(p + 1, ':', len -
						  (size_t)(p + 1 - line)))
		colon = p;
	if (!colon)
		return "no identity:key";
	before = (size_t)(colon - line);
	if (!identity_set(k->identity, line, before))
		return "a bad identity";
	if (l->count && psk_find(l, k->identity))
		return "an identity that is there already";
	return parse_key(k, colon + 1, len - before - 1);
}

static size_t count_lines(const char *text)
{
	size_t n = 1;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

/* NULL; or what is wrong in which line. */
static const char *parse(struct psk_list *l, const char *text, size_t *number)
{
	for (*number = 1; *text; ++*number) {
		size_t len = strcspn(text, "\n");
		const char *line = text, *why;

		text += len + (text[len] == '\n');
		len -= len && line[len - 1] == '\r';
		if (!len)
			continue;
		why = parse_line(l, &l->keys[l->count], line, len);
		if (why)
			return why;
		l->count++;
	}
	return NULL;
}

int psk_read(struct psk_list *l, const char *path, char why[PSK_WHY])
{
	size_t len, number = 0;
	char *text = secret_read(path, &len, why);
	const char *wrong;

	*l = (struct psk_list){ 0 };
	if (!text)
		return -EACCES;
	l->keys = calloc(count_lines(text), sizeof(*l->keys));
	wrong = l->keys ? parse(l, text, &number) : "out of memory";
	if (wrong)
		snprintf(why, PSK_WHY, "%.100s: line %zu: %s", path, number,
			 wrong);
	else if (!l->count)
		snprintf(why, PSK_WHY, "%.100s: there is no key in it", path);
	secret_free(text, len);
	if (!wrong && l->count)
		return 0;
	/* the line that is wrong may have left a part of its key */
	l->count += l->keys && wrong;
	psk_free(l);
	return -EINVAL;
}

const struct psk_key *psk_find(const struct psk_list *l, const char *identity)
{
	for (size_t i = 0; i < l->count; i++)
		if (!identity || !strcmp(l->keys[i].identity, identity))
			return &l->keys[i];
	return NULL;
}

void psk_free(struct psk_list *l)
{
	secret_free(l->keys, l->count * sizeof(*l->keys));
	*l = (struct psk_list){ 0 };
}
