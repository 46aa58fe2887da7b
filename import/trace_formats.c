/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracing data; see trace_formats.h.  It has in this order
 *
 *	17 08 44 "tracing"
 *	the version as text and NUL: 0.5, 0.6
 *	a byte: 1 if numbers are big-endian; a byte: the size of a long
 *	the size of a page, 4 bytes
 *	"header_page" and NUL, its size, 8 bytes, and itself; so "header_event"
 *	the number of ftrace's own formats, 4 bytes; of each its size and itself
 *	the number of systems, 4 bytes; of each its name and NUL, the number of
 *		its formats, 4 bytes, and of each its size, 8 bytes, and itself
 *
 * and then symbols, texts and names of processes, which are not read.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "import/binary.h"
#include "import/trace_event.h"
#include "import/trace_formats.h"

enum { WORD_MAX = 256 };	/* bytes of a name, with its NUL */

struct walk {
	struct binary *b;
	uint64_t left;
	struct trace_events *events;
};

/* --- parts ---------------------------------------------------------------- */

static int spend(struct walk *w, uint64_t len)
{
	if (len > w->left)
		return -EBADMSG;
	w->left -= len;
	return 0;
}

static int take(struct walk *w, size_t len, const uint8_t **p)
{
	int err = spend(w, len);

	return err ? err : binary_take(w->b, len, p);
}

static int take_u32(struct walk *w, uint32_t *n)
{
	const uint8_t *p;
	int err = take(w, sizeof(*n), &p);

	*n = err ? 0 : binary_u32(w->b, p);
	return err;
}

static int take_u64(struct walk *w, uint64_t *n)
{
	const uint8_t *p;
	int err = take(w, sizeof(*n), &p);

	*n = err ? 0 : binary_u64(w->b, p);
	return err;
}

/* up to a NUL */
static int take_word(struct walk *w, char word[WORD_MAX])
{
	const uint8_t *p;
	int err;

	for (size_t i = 0; i < WORD_MAX; i++) {
		err = take(w, 1, &p);
		if (err)
			return err;
		word[i] = (char)*p;
		if (!*p)
			return 0;
	}
	return -EBADMSG;
}

/* size and bytes */
static int skip_part(struct walk *w)
{
	uint64_t len;
	int err = take_u64(w, &len);

	if (!err)
		err = spend(w, len);
	return err ? err : binary_skip(w->b, len);
}

/* --- in order ------------------------------------------------------------- */

static int read_head(struct walk *w)
{
	static const char magic[] = "\x17\x08\x44tracing";
	bool is_little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
	char word[WORD_MAX];
	const uint8_t *p;
	int err = take(w, sizeof(magic) - 1, &p);

	if (!err && memcmp(p, magic, sizeof(magic) - 1))
		return -EBADMSG;
	if (!err)
		err = take_word(w, word);
	if (!err)
		err = take(w, 1 + 1 + 4, &p);
	if (err)
		return err;
	w->b->swapped = *p == is_little;
	w->events = trace_events_new(*p);
	return w->events ? 0 : -ENOMEM;
}

/* a part after its name */
static int skip_named(struct walk *w, const char *name)
{
	char word[WORD_MAX];
	int err = take_word(w, word);

	if (!err && strcmp(word, name))
		return -EBADMSG;
	return err ? err : skip_part(w);
}

static int skip_ftrace(struct walk *w)
{
	uint32_t count;
	int err = take_u32(w, &count);

	while (!err && count--)
		err = skip_part(w);
	return err;
}

/* One that cannot be parsed is as one that is missing. */
static int read_format(struct walk *w)
{
	const uint8_t *p;
	uint64_t len;
	int err = take_u64(w, &len);

	if (!err)
		err = spend(w, len);
	if (err)
		return err;
	if (len > BINARY_MAX)
		return binary_skip(w->b, len);
	err = binary_take(w->b, (size_t)len, &p);
	if (!err)
		err = trace_events_add(w->events, (const char *)p, (size_t)len);
	return err == -EBADMSG ? 0 : err;
}

static int read_system(struct walk *w)
{
	char name[WORD_MAX];
	uint32_t count;
	int err = take_word(w, name);
	bool block = !err && !strcmp(name, "block");

	if (!err)
		err = take_u32(w, &count);
	while (!err && count--)
		err = block ? read_format(w) : skip_part(w);
	return err;
}

static int read_systems(struct walk *w)
{
	uint32_t count;
	int err = take_u32(w, &count);

	while (!err && count--)
		err = read_system(w);
	return err;
}

int trace_formats_read(struct binary *b, uint64_t len,
		       struct trace_events **events, const char **why)
{
	struct walk w = { .b = b, .left = len };
	bool swapped = b->swapped;
	int err;

	*events = NULL;
	if (!trace_event_built())
		return -EOPNOTSUPP;
	err = read_head(&w);
	if (!err)
		err = skip_named(&w, "header_page");
	if (!err)
		err = skip_named(&w, "header_event");
	if (!err)
		err = skip_ftrace(&w);
	if (!err)
		err = read_systems(&w);
	b->swapped = swapped;
	if (!err) {
		*events = w.events;
		return 0;
	}
	trace_events_free(w.events);
	*why = err == -ENODATA ? "the formats of events are cut short" :
				 "the formats of events are damaged";
	return err == -ENODATA ? -EBADMSG : err;
}
