/* SPDX-License-Identifier: GPL-2.0-only */
/* Parses a card's JSON by jansson; see card_impl.h. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "machine/card_impl.h"

enum { DEPTH_MAX = 40, DIGITS = 24 };

/* the path to the current value */
struct way {
	struct card *card;
	char *why;
	char key[CARD_KEY];
	size_t len;		/* of key */
	unsigned int depth;
};

static int walk(struct way *w, const json_t *value);

static int refuse(struct way *w, const char *what)
{
	snprintf(w->why, CARD_WHY, "%s", what);
	return -EBADMSG;
}

/* A value in the current one. */
static int step(struct way *w, const char *name, const json_t *value)
{
	size_t len = w->len;
	int n = snprintf(w->key + len, CARD_KEY - len, "%s%s", len ? "." : "",
			 name), err = 0;

	if (n < 0 || (size_t)n >= CARD_KEY - len)
		err = refuse(w, "name too long");
	if (!err) {
		w->len += (size_t)n;
		w->depth++;
		err = walk(w, value);
		w->depth--;
	}
	w->len = len;
	w->key[len] = '\0';
	return err;
}

static int walk_object(struct way *w, const json_t *object)
{
	json_t *o = (json_t *)object, *value;
	const char *name;
	int err = 0;

	json_object_foreach(o, name, value)
		if (!err)
			err = step(w, name, value);
	return err;
}

static int walk_list(struct way *w, const json_t *list)
{
	char name[DIGITS];
	int err = 0;

	for (size_t i = 0; !err && i < json_array_size(list); i++) {
		snprintf(name, sizeof(name), "%zu", i);
		err = step(w, name, json_array_get(list, i));
	}
	return err;
}

static int add_text(struct way *w, const json_t *value)
{
	const char *text = json_string_value(value);

	return card_add(w->card, w->key, CARD_TEXT, text,
			json_string_length(value), w->why);
}

/* Negative numbers and fractions are the wrong kind for known values. */
static int add_number(struct way *w, const json_t *value)
{
	json_int_t n = json_integer_value(value);
	char text[DIGITS];
	int len = snprintf(text, sizeof(text), "%" JSON_INTEGER_FORMAT, n);

	return card_add(w->card, w->key, n < 0 ? CARD_LIST : CARD_NUMBER, text,
			(size_t)len, w->why);
}

static int add_flag(struct way *w, const json_t *value)
{
	const char *text = json_is_true(value) ? "true" : "false";

	return card_add(w->card, w->key, CARD_FLAG, text, strlen(text),
			w->why);
}

static int go_down(struct way *w, const json_t *value, enum card_kind kind)
{
	int err = *w->key ? card_check(w->key, kind, w->why) : 0;

	if (err)
		return err;
	if (w->depth == DEPTH_MAX)
		return refuse(w, "nested too deeply");
	return kind == CARD_OBJECT ? walk_object(w, value) :
				     walk_list(w, value);
}

/* null is as no value */
static int walk(struct way *w, const json_t *value)
{
	switch (json_typeof(value)) {
	case JSON_OBJECT:
		return go_down(w, value, CARD_OBJECT);
	case JSON_ARRAY:
		return go_down(w, value, CARD_LIST);
	case JSON_STRING:
		return add_text(w, value);
	case JSON_INTEGER:
		return add_number(w, value);
	case JSON_REAL:
		return card_check(w->key, CARD_LIST, w->why);
	case JSON_TRUE:
	case JSON_FALSE:
		return add_flag(w, value);
	default:
		return 0;
	}
}

/* The library's texts quote the file: these do not. */
static int explain(const json_error_t *e, char why[CARD_WHY])
{
	static const struct {
		enum json_error_code code;
		const char *what;
	} words[] = {
		{ json_error_duplicate_key, "duplicate name" },
		{ json_error_premature_end_of_input, "cut short" },
		{ json_error_stack_overflow, "nested too deeply" },
		{ json_error_invalid_utf8, "not UTF-8" },
		{ json_error_null_byte_in_key, "NUL in a name" },
		{ json_error_null_character, "NUL in a text" },
	};
	const char *what = "not JSON";

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (json_error_code(e) == words[i].code)
			what = words[i].what;
	snprintf(why, CARD_WHY, "%s (line %d)", what, e->line);
	return json_error_code(e) == json_error_out_of_memory ? -ENOMEM :
								-EBADMSG;
}

int card_fill(struct card *c, const char *bytes, size_t len,
	      char why[CARD_WHY])
{
	struct way w = { .card = c, .why = why };
	json_error_t e;
	json_t *root;
	int err;

	errno = 0;
	root = json_loadb(bytes, len, JSON_REJECT_DUPLICATES, &e);
	/* the library does not report all failed allocations */
	if (!root && errno == ENOMEM)
		return -ENOMEM;
	if (!root)
		return explain(&e, why);
	err = json_is_object(root) ? walk(&w, root) :
				     refuse(&w, "not an object");
	json_decref(root);
	return err;
}

bool card_is_readable(void)
{
	return true;
}
