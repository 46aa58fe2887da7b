/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files of shared keys; see psk.h.
 *
 * psktool's "#" before an identity in hexadecimal is refused, as it is for
 * names that are not valid here.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "transport/psk.h"

/* --- secret --------------------------------------------------------------- */

enum {
	FIRST = 4096,
	/* others must neither know nor change a key */
	SHARED = S_IRWXO | S_IWGRP,
};

static bool is_shared(int fd, mode_t *mode)
{
	struct stat st;

	if (fstat(fd, &st))
		return true;
	*mode = st.st_mode & 07777;
	return st.st_mode & SHARED;
}

/* Doubles the room, and overwrites the old bytes, unlike realloc(). */
static char *grow(char *bytes, size_t len, size_t *size)
{
	char *larger = malloc(2 * *size + 1);

	if (larger)
		memcpy(larger, bytes, len);
	secret_free(bytes, len);
	*size *= 2;
	return larger;
}

/* Reads all, also from a pipe; NULL with errno. */
static char *read_all(int fd, size_t *len)
{
	size_t size = FIRST;
	char *bytes = malloc(size + 1);

	*len = 0;
	while (bytes) {
		ssize_t n = read(fd, bytes + *len, size - *len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || *len > SECRET_MAX) {
			secret_free(bytes, *len);
			errno = n < 0 ? errno : EFBIG;
			return NULL;
		}
		if (n == 0) {
			bytes[*len] = '\0';
			return bytes;
		}
		*len += (size_t)n;
		if (*len == size)
			bytes = grow(bytes, *len, &size);
	}
	errno = ENOMEM;
	return NULL;
}

static char *read_file(const struct opener *by, const char *path, bool secret,
		       size_t *len, char why[SECRET_WHY])
{
	int fd = opener_open(by, path, O_RDONLY | O_CLOEXEC, 0);
	char *bytes = NULL;
	mode_t mode = 0;

	if (fd >= 0 && secret && is_shared(fd, &mode)) {
		snprintf(why, SECRET_WHY, "%.100s: others can read or change it"
			 " (mode %04o): chmod 600", path, mode);
		close(fd);
		return NULL;
	}
	if (fd >= 0)
		bytes = read_all(fd, len);
	if (!bytes)
		snprintf(why, SECRET_WHY, "%.100s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return bytes;
}

char *secret_read(const struct opener *by, const char *path, size_t *len,
		  char why[SECRET_WHY])
{
	return read_file(by, path, true, len, why);
}

char *public_read(const struct opener *by, const char *path, size_t *len,
		  char why[SECRET_WHY])
{
	return read_file(by, path, false, len, why);
}

void secret_guard(void)
{
	const struct rlimit none = { 0, 0 };

	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	setrlimit(RLIMIT_CORE, &none);
}

void secret_free(void *bytes, size_t len)
{
	if (bytes)
		explicit_bzero(bytes, len);
	free(bytes);
}

/* --- psk ------------------------------------------------------------------ */

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 'a' ^ 'A';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* NULL; or the fault of the key's text. */
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

/* One line, without its end; NULL, or its fault. */
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
		return "an identity for the second time";
	return parse_key(k, colon + 1, len - before - 1);
}

static size_t count_lines(const char *text)
{
	size_t n = 1;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

/* NULL; or the fault of line *number. */
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

int psk_read(struct psk_list *l, const struct opener *by, const char *path,
	     char why[PSK_WHY])
{
	size_t len, number = 0;
	char *text = secret_read(by, path, &len, why);
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
		snprintf(why, PSK_WHY, "%.100s: no key in it", path);
	secret_free(text, len);
	if (!wrong && l->count)
		return 0;
	/* to erase the faulty line's key, too */
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
