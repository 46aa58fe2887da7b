/* SPDX-License-Identifier: GPL-2.0-only */
/* The card of a trace; see card.h. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "machine/card.h"
#include "machine/card_field.h"
#include "machine/card_impl.h"

enum { PART_MAX = 64 };		/* characters of a plain name */

struct card {
	struct card_value *list;	/* own their key and text */
	size_t count, size;
};

void card_free(struct card *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->count; i++) {
		free((char *)c->list[i].key);
		free((char *)c->list[i].text);
	}
	free(c->list);
	free(c);
}

/* --- what comes in -------------------------------------------------------- */

/* Names of [a-z0-9_], with dots between: others are no card's. */
static bool is_plain(const char *key)
{
	size_t part = 0;

	for (; *key; key++) {
		if (*key == '.')
			part = 0;
		else if (!islower((unsigned char)*key) &&
			 !isdigit((unsigned char)*key) && *key != '_')
			return false;
		else if (++part > PART_MAX)
			return false;
	}
	return true;
}

int card_check(const char *key, enum card_kind kind, char why[CARD_WHY])
{
	static const char *const kinds[] = {
		[CARD_TEXT] = "text", [CARD_NUMBER] = "whole number",
		[CARD_FLAG] = "true or false", [CARD_OBJECT] = "object",
		[CARD_LIST] = "list",
	};
	const struct card_field *f = card_field_of(key);

	if (!f || f->kind == kind)
		return 0;
	snprintf(why, CARD_WHY, "%.60s is no %s", key, kinds[f->kind]);
	return -EBADMSG;
}

static int too_many(char why[CARD_WHY])
{
	snprintf(why, CARD_WHY, "it has more than %d values", CARD_VALUES);
	return -EBADMSG;
}

int card_add(struct card *c, const char *key, enum card_kind kind,
	     const char *text, size_t len, char why[CARD_WHY])
{
	struct card_value v = { .kind = kind }, *list;
	int err = card_check(key, kind, why);

	if (err || !is_plain(key))
		return err;
	if (c->count == CARD_VALUES)
		return too_many(why);
	list = array_reserve(c->list, c->count, &c->size, 32, sizeof(*list));
	if (!list)
		return -ENOMEM;
	c->list = list;
	v.key = strdup(key);
	v.text = strndup(text, len);
	if (!v.key || !v.text) {
		free((char *)v.key);
		free((char *)v.text);
		return -ENOMEM;
	}
	list[c->count++] = v;
	return 0;
}

static int check_schema(const struct card *c, char why[CARD_WHY])
{
	uint64_t schema;

	if (!card_number(c, "schema", &schema) || schema == CARD_SCHEMA)
		return 0;
	snprintf(why, CARD_WHY, "its schema is not %d", CARD_SCHEMA);
	return -EBADMSG;
}

int card_parse(struct card **out, const char *bytes, size_t len,
	       char why[CARD_WHY])
{
	struct card *c = calloc(1, sizeof(*c));
	int err;

	*out = NULL;
	snprintf(why, CARD_WHY, "%s", strerror(ENOMEM));
	if (!c)
		return -ENOMEM;
	err = card_fill(c, bytes, len, why);
	if (!err)
		err = check_schema(c, why);
	if (err)
		card_free(c);
	else
		*out = c;
	return err;
}

bool card_is_readable(void)
{
	return card_fills();
}

/* --- files ---------------------------------------------------------------- */

/* Its bytes, at most as many as a card may have, or -errno. */
static ssize_t read_all(int fd, char *bytes, size_t size)
{
	size_t len = 0;
	ssize_t n = 1;

	while (len < size && n > 0) {
		n = read(fd, bytes + len, size - len);
		len += n > 0 ? (size_t)n : 0;
	}
	return n < 0 ? -errno : (ssize_t)len;
}

static int check_file(int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	return st.st_size > CARD_BYTES ? -EFBIG : 0;
}

/* Takes fd over. */
static int read_file(struct card **c, int fd, char why[CARD_WHY])
{
	char *bytes = malloc(CARD_BYTES);
	int err = bytes ? check_file(fd) : -ENOMEM;
	ssize_t len = err ? err : read_all(fd, bytes, CARD_BYTES);

	close(fd);
	if (len < 0)
		snprintf(why, CARD_WHY, "%s", strerror((int)-len));
	else
		err = card_parse(c, bytes, (size_t)len, why);
	free(bytes);
	return len < 0 ? (int)len : err;
}

int card_read(struct card **c, const char *path, char why[CARD_WHY])
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), err = -errno;

	*c = NULL;
	if (fd >= 0)
		return read_file(c, fd, why);
	snprintf(why, CARD_WHY, "%s", strerror(-err));
	return err;
}

/* --- what is in it -------------------------------------------------------- */

static const struct card_value *find(const struct card *c, const char *key,
				     enum card_kind kind)
{
	for (size_t i = 0; c && i < c->count; i++)
		if (c->list[i].kind == kind && !strcmp(c->list[i].key, key))
			return &c->list[i];
	return NULL;
}

const char *card_text(const struct card *c, const char *key)
{
	const struct card_value *v = find(c, key, CARD_TEXT);

	return v ? v->text : NULL;
}

bool card_number(const struct card *c, const char *key, uint64_t *n)
{
	const struct card_value *v = find(c, key, CARD_NUMBER);

	if (v)
		*n = strtoull(v->text, NULL, 10);
	return v;
}

bool card_flag(const struct card *c, const char *key)
{
	const struct card_value *v = find(c, key, CARD_FLAG);

	return v && !strcmp(v->text, "true");
}

const struct card_value *card_value(const struct card *c, size_t index)
{
	return c && index < c->count ? &c->list[index] : NULL;
}
