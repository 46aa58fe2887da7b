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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/binary.h"
#include "import/trace_event.h"
#include "import/trace_formats.h"

enum { WORD_MAX = 256 };	/* bytes of a name, with its NUL */

struct walk {
	struct binary *b;
	uint64_t left;
	struct trace_formats *f;
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
	w->f->version = (unsigned int)strtoul(word, NULL, 10);
	w->f->big_endian = *p;
	w->f->page = binary_u32(w->b, p + 2);
	w->f->events = trace_events_new(*p);
	return w->f->events ? 0 : -ENOMEM;
}

/* NULL: no memory */
static FILE *open_copy(const uint8_t *text, size_t len)
{
	FILE *copy = fmemopen(NULL, len, "w+");

	if (copy) {
		fwrite(text, len, 1, copy);
		rewind(copy);
	}
	return copy;
}

/* a text of the kernel's, as a file that the caller closes */
static int take_text(struct walk *w, const char *name, FILE **text)
{
	char word[WORD_MAX];
	const uint8_t *p;
	uint64_t len;
	int err = take_word(w, word);

	if (!err && strcmp(word, name))
		return -EBADMSG;
	if (!err)
		err = take_u64(w, &len);
	if (!err && (!len || len > BINARY_MAX))
		return -EBADMSG;
	if (!err)
		err = take(w, (size_t)len, &p);
	if (err)
		return err;
	*text = open_copy(p, (size_t)len);
	return *text ? 0 : -ENOMEM;
}

static int read_pages(struct walk *w)
{
	FILE *page = NULL, *event = NULL;
	int err = take_text(w, "header_page", &page);

	if (!err)
		err = take_text(w, "header_event", &event);
	if (!err && ftrace_layout_parse(&w->f->pages, page, event,
					w->f->big_endian))
		w->f->pages.page = 0;
	if (page)
		fclose(page);
	if (event)
		fclose(event);
	return err;
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
		err = trace_events_add(w->f->events, (const char *)p, (size_t)len);
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

/* --- from outside --------------------------------------------------------- */

int trace_formats_head(struct binary *b, uint64_t len, struct trace_formats *f)
{
	struct walk w = { b, len, f };

	return trace_event_built() ? read_head(&w) : -EOPNOTSUPP;
}

int trace_formats_pages(struct binary *b, uint64_t len,
			struct trace_formats *f)
{
	struct walk w = { b, len, f };

	return read_pages(&w);
}

int trace_formats_skip(struct binary *b, uint64_t len)
{
	struct walk w = { b, len, NULL };

	return skip_ftrace(&w);
}

int trace_formats_events(struct binary *b, uint64_t len,
			 struct trace_formats *f)
{
	struct walk w = { b, len, f };

	return read_systems(&w);
}

static int read_all(struct walk *w)
{
	int err = trace_event_built() ? read_head(w) : -EOPNOTSUPP;

	if (!err)
		err = read_pages(w);
	if (!err)
		err = skip_ftrace(w);
	return err ? err : read_systems(w);
}

int trace_formats_read(struct binary *b, uint64_t len,
		       struct trace_events **events, const char **why)
{
	struct trace_formats f = { .version = 0 };
	struct walk w = { b, len, &f };
	bool swapped = b->swapped;
	int err = read_all(&w);

	b->swapped = swapped;
	*events = err ? NULL : f.events;
	if (!err)
		return 0;
	trace_events_free(f.events);
	*why = err == -ENODATA ? "the formats of events are cut short" :
				 "the formats of events are damaged";
	return err == -ENODATA ? -EBADMSG : err;
}
