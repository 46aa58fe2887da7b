/* SPDX-License-Identifier: GPL-2.0-only */
/* Writing cards again; see recard.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "tools/btpack/recard.h"

enum {
	DEPTH = 64,
	AROUND = 8 * CARD_KEY,	/* bytes of a value without its text, at most */
};

struct writer {
	struct buf buf;
	struct json json;
	char open[CARD_KEY];	/* the path of the containers that are open */
	bool lists[DEPTH];	/* by depth: whether it is a list */
	unsigned int depth;
};

/* --- containers ----------------------------------------------------------- */

static bool is_list(const char *path)
{
	const struct card_field *f = card_field_of(path);

	return f && f->kind == CARD_LIST;
}

/* The name of a value in the innermost container: none in a list. */
static const char *name_in(const struct writer *w, const char *name)
{
	return w->depth && w->lists[w->depth - 1] ? NULL : name;
}

static void close_one(struct writer *w)
{
	char *dot = strrchr(w->open, '.');

	*(dot ? dot : w->open) = '\0';
	if (w->lists[--w->depth])
		json_put_array_end(&w->json);
	else
		json_put_object_end(&w->json);
}

/* whether a path is in a container, by its parts */
static bool is_below(const char *path, const char *container)
{
	size_t len = strlen(container);

	return !len || (!strncmp(path, container, len) && path[len] == '.');
}

/* Opens the container of the next part of a path. */
static void open_one(struct writer *w, const char *path, size_t len)
{
	size_t from = strlen(w->open);
	char name[CARD_KEY];

	from += from != 0;
	snprintf(name, sizeof(name), "%.*s", (int)(len - from), path + from);
	snprintf(w->open, sizeof(w->open), "%.*s", (int)len, path);
	if (is_list(w->open))
		json_put_array(&w->json, name_in(w, name));
	else
		json_put_object(&w->json, name_in(w, name));
	w->lists[w->depth] = is_list(w->open);
	w->depth++;
}

/* Opens all containers of a value, and closes others; returns its name. */
static const char *enter(struct writer *w, const char *path)
{
	const char *dot;

	while (w->depth && !is_below(path, w->open))
		close_one(w);
	for (;;) {
		size_t from = strlen(w->open);

		dot = strchr(path + from + (from != 0), '.');
		if (!dot || w->depth == DEPTH)
			break;
		open_one(w, path, (size_t)(dot - path));
	}
	dot = strrchr(path, '.');
	return name_in(w, dot ? dot + 1 : path);
}

/* --- values --------------------------------------------------------------- */

/* Makes room for a value, as the buffer has no file. */
static bool reserve(struct writer *w, size_t text)
{
	size_t size = w->buf.len + AROUND + JSON_GROWS * text;
	char *data = size > w->buf.size ? realloc(w->buf.data, 2 * size) :
					  w->buf.data;

	if (!data)
		return false;
	w->buf.size = size > w->buf.size ? 2 * size : w->buf.size;
	w->buf.data = data;
	return true;
}

static bool put(struct writer *w, const struct recard_value *v)
{
	const char *name;

	if (!reserve(w, strlen(v->text)))
		return false;
	name = enter(w, v->key);
	if (v->kind == CARD_TEXT)
		json_put_string(&w->json, name, v->text);
	else if (v->kind == CARD_FLAG)
		json_put_bool(&w->json, name, !strcmp(v->text, "true"));
	else if (*v->text == '-')
		json_put_signed(&w->json, name, strtoll(v->text, NULL, 10));
	else
		json_put_number(&w->json, name, strtoull(v->text, NULL, 10));
	return true;
}

static bool put_all(struct writer *w, const struct card *c,
		    recard_change *change, void *ctx)
{
	struct recard_value *now = malloc(sizeof(*now));
	const struct card_value *v;
	bool good = now;

	for (size_t i = 0; good && (v = card_value(c, i)); i++) {
		snprintf(now->key, sizeof(now->key), "%s", v->key);
		snprintf(now->text, sizeof(now->text), "%s", v->text);
		now->kind = v->kind;
		if (change(ctx, now))
			good = put(w, now);
	}
	free(now);
	return good;
}

char *recard(const struct card *c, const char *const *flags, size_t count,
	     recard_change *change, void *ctx)
{
	struct writer w = { .depth = 0 };

	if (buf_init(&w.buf, -1, 2 * AROUND))
		return NULL;
	w.json.b = &w.buf;
	json_put_object(&w.json, NULL);
	if (!put_all(&w, c, change, ctx) || !reserve(&w, 0)) {
		buf_free(&w.buf);
		return NULL;
	}
	while (w.depth)
		close_one(&w);
	for (size_t i = 0; i < count; i++)
		json_put_bool(&w.json, flags[i], true);
	json_put_object_end(&w.json);
	buf_append(&w.buf, "\n", 2);
	return w.buf.data;
}
