/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace.dat, version 7; see trace_dat_parts.h.  After the head it has
 *
 *	how it is compressed: a name and a version, each with NUL
 *	where the first section of options is, 8 bytes
 *
 * and sections:
 *
 *	a number, 2 bytes; 1 if it is compressed, 2 bytes; what it is called, 4
 *		bytes; its size, 8 bytes
 *	if compressed, sizes as it is and unpacked, 4 bytes each
 *
 * Options, in sections of number 0, have their number, 2 bytes, their size, 4
 * bytes, and that; the last has number 0 and says where more options are.  Most
 * say where a section is; of a ring buffer also where the pages are:
 *
 *	where its section is, 8 bytes
 *	its name, and its clock, with NULs
 *	bytes of a page, 4 bytes; the number of CPUs, 4 bytes
 *	for each its number, 4 bytes, offset and size, 8 bytes each
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "file/source.h"
#include "import/trace_dat_parts.h"

enum {
	WORD_MAX = 64,		/* bytes of a name, with its NUL */
	SECTION_MAX = 16 << 20,
	SECTION_HEAD = 16,
	PACKED = 1,		/* a section's flag */
	OPTION_HEAD = 6,
	OPTIONS_MAX = 64,	/* sections of options */
	CPU = 20,		/* bytes of one in a buffer's option */
};

/* options that lead to sections, which have the same numbers */
enum { OPTIONS = 0, BUFFER = 3, PAGES = 16, FTRACE, EVENTS, NAMES = 21 };

struct section {
	struct binary *b;	/* the file, or own */
	uint64_t len;
	struct binary own;	/* of memory */
	struct source *memory;
	uint8_t *bytes;
};

struct walk {
	struct trace_dat_parts *t;
	uint64_t more;		/* the next section of options; 0: none */
	uint64_t pages, events, names;	/* sections; 0: there is none */
};

/* --- sections ------------------------------------------------------------- */

static void section_close(struct section *s)
{
	if (s->memory)
		binary_close(&s->own);
	source_close(s->memory);
	free(s->bytes);
}

static int unpack(struct trace_dat_parts *t, struct section *s,
		  const uint8_t *packed, size_t packed_len)
{
	int err = trace_unpack(&t->unpacker, packed, packed_len, s->bytes,
			       (size_t)s->len);

	if (!err)
		err = source_memory(&s->memory, s->bytes, (size_t)s->len);
	if (err)
		return err;
	err = binary_open(&s->own, s->memory);
	s->own.swapped = t->b.swapped;
	s->b = &s->own;
	return err;
}

static int read_packed(struct trace_dat_parts *t, struct section *s)
{
	const uint8_t *p;
	uint8_t *packed;
	uint32_t len;
	int err = binary_take(&t->b, 8, &p);

	if (err)
		return err;
	len = binary_u32(&t->b, p);
	s->len = binary_u32(&t->b, p + 4);
	if (!len || !s->len || len > SECTION_MAX || s->len > SECTION_MAX)
		return -EBADMSG;
	packed = malloc(len);
	s->bytes = malloc((size_t)s->len);
	err = packed && s->bytes ? binary_copy(&t->b, packed, len) : -ENOMEM;
	if (!err)
		err = unpack(t, s, packed, len);
	free(packed);
	return err;
}

/* the caller closes *s, also on failure */
static int section_open(struct trace_dat_parts *t, struct section *s,
			uint64_t at, unsigned int number)
{
	const uint8_t *p;
	int err = trace_dat_seek(t, at);

	*s = (struct section){ .b = &t->b };
	if (!err)
		err = binary_take(&t->b, SECTION_HEAD, &p);
	if (err)
		return err;
	if (binary_u16(&t->b, p) != number)
		return -EBADMSG;
	s->len = binary_u64(&t->b, p + 8);
	return binary_u16(&t->b, p + 2) & PACKED ? read_packed(t, s) : 0;
}

/* whether the section there is compressed */
static int is_packed(struct trace_dat_parts *t, uint64_t at, bool *packed)
{
	const uint8_t *p;
	int err = trace_dat_seek(t, at);

	if (!err)
		err = binary_take(&t->b, SECTION_HEAD, &p);
	*packed = !err && binary_u16(&t->b, p + 2) & PACKED;
	return err;
}

/* --- a ring buffer -------------------------------------------------------- */

/* what is left of an option */
struct rest {
	const struct binary *b;
	const uint8_t *at;
	size_t len;
};

static const uint8_t *next(struct rest *r, size_t len)
{
	const uint8_t *p = r->at;

	if (len > r->len)
		return NULL;
	r->at += len;
	r->len -= len;
	return p;
}

/* up to a NUL; NULL: there is none */
static const char *next_word(struct rest *r)
{
	const uint8_t *end = memchr(r->at, '\0', r->len);

	return end ? (const char *)next(r, (size_t)(end - r->at) + 1) : NULL;
}

static bool is_first(const struct trace_dat_parts *t)
{
	return !t->pages.count;
}

/* Times of one clock cannot be compared with those of another. */
static int check_clock(struct trace_dat_parts *t, const char *clock)
{
	struct trace_dat_about *a = &t->about;

	if (!*clock || strlen(clock) >= sizeof(a->clock))
		return 0;
	if (is_first(t))
		strcpy(a->clock, clock);
	else if (strcmp(a->clock, clock))
		return trace_dat_damage(t, "a buffer of another clock is"
					" passed over");
	return 0;
}

static int read_cpus(struct trace_dat_parts *t, struct rest *r, bool packed)
{
	const uint8_t *p = next(r, 8);
	struct trace_stretch s = { .packed = packed };
	int err = p ? 0 : -EBADMSG;

	if (p)
		s.page = binary_u32(r->b, p);
	for (uint32_t n = p ? binary_u32(r->b, p + 4) : 0; !err && n; n--) {
		p = next(r, CPU);
		if (!p)
			return -EBADMSG;
		s.cpu = binary_u32(r->b, p);
		s.at = binary_u64(r->b, p + 4);
		s.len = binary_u64(r->b, p + 12);
		err = trace_dat_stretch(t, &s);
	}
	return err;
}

/* The option of a buffer, which is a copy, as its section is looked at. */
static int read_buffer(struct trace_dat_parts *t, struct rest *r)
{
	const uint8_t *at = next(r, 8);
	const char *name = at ? next_word(r) : NULL;
	const char *clock = name ? next_word(r) : NULL;
	bool packed;
	int err;

	if (!clock)
		return -EBADMSG;
	if (check_clock(t, clock))
		return 0;
	err = is_packed(t, binary_u64(r->b, at), &packed);
	return err ? err : read_cpus(t, r, packed);
}

static int take_buffer(struct trace_dat_parts *t, const uint8_t *bytes,
		       size_t len)
{
	uint8_t *copy = malloc(len + !len);
	struct rest r = { &t->b, copy, len };
	uint64_t back = t->b.offset;
	int err;

	if (!copy)
		return -ENOMEM;
	memcpy(copy, bytes, len);
	err = read_buffer(t, &r);
	free(copy);
	return err ? err : trace_dat_seek(t, back);
}

/* --- options -------------------------------------------------------------- */

static int take_option(struct walk *w, unsigned int id, const uint8_t *bytes,
		       size_t len)
{
	uint64_t at = len >= 8 ? binary_u64(&w->t->b, bytes) : 0;

	switch (id) {
	case OPTIONS:
		w->more = at;
		return 0;
	case PAGES:
		w->pages = at;
		return 0;
	case EVENTS:
		w->events = at;
		return 0;
	case NAMES:
		w->names = at;
		return 0;
	case BUFFER:
		return take_buffer(w->t, bytes, len);
	default:
		trace_dat_about_add(&w->t->about, &w->t->b, id, bytes, len);
		return 0;
	}
}

static int read_options(struct walk *w, struct section *s)
{
	uint64_t left = s->len;
	unsigned int id = BUFFER;
	int err = 0;

	while (!err && id != OPTIONS && left >= OPTION_HEAD) {
		const uint8_t *p;
		uint32_t len;

		err = binary_take(s->b, OPTION_HEAD, &p);
		if (err)
			return err;
		id = binary_u16(s->b, p);
		len = binary_u32(s->b, p + 2);
		left -= OPTION_HEAD;
		if (len > left || len > BINARY_MAX)
			return -EBADMSG;
		left -= len;
		err = binary_take(s->b, len, &p);
		if (!err)
			err = take_option(w, id, p, len);
	}
	return err;
}

static int read_all_options(struct walk *w)
{
	int err = 0;

	for (int n = 0; !err && w->more && n < OPTIONS_MAX; n++) {
		struct section s;

		err = section_open(w->t, &s, w->more, OPTIONS);
		w->more = 0;
		if (!err)
			err = read_options(w, &s);
		section_close(&s);
	}
	return err;
}

/* --- all ------------------------------------------------------------------ */

static int take_word(struct binary *b, char word[WORD_MAX])
{
	for (size_t i = 0; i < WORD_MAX; i++) {
		const uint8_t *p;
		int err = binary_take(b, 1, &p);

		if (err)
			return err;
		word[i] = (char)*p;
		if (!*p)
			return 0;
	}
	return -EBADMSG;
}

static int read_packing(struct trace_dat_parts *t)
{
	char name[WORD_MAX], version[WORD_MAX];
	int err = take_word(&t->b, name);

	if (!err)
		err = take_word(&t->b, version);
	if (err)
		return err;
	err = trace_unpacker_init(&t->unpacker, name);
	if (err == -EBADMSG)
		return trace_dat_damage(t, "compressed in an unknown way");
	if (err == -EOPNOTSUPP)
		return trace_dat_damage(t, "compressed by zstd, and this"
					" program was built without libzstd");
	return err;
}

static int read_pages(struct trace_dat_parts *t, const struct section *s)
{
	return trace_formats_pages(s->b, s->len, &t->formats);
}

static int read_events(struct trace_dat_parts *t, const struct section *s)
{
	return trace_formats_events(s->b, s->len, &t->formats);
}

static int read_names(struct trace_dat_parts *t, const struct section *s)
{
	return trace_dat_names(t, s->b);
}

/* The section there, if there is one. */
static int read_section(struct trace_dat_parts *t, uint64_t at,
			unsigned int number,
			int (*read)(struct trace_dat_parts *t,
				    const struct section *s))
{
	struct section s;
	int err;

	if (!at)
		return 0;
	err = section_open(t, &s, at, number);
	if (!err)
		err = read(t, &s);
	section_close(&s);
	return err;
}

int trace_dat_7(struct trace_dat_parts *t)
{
	struct walk w = { .t = t };
	const uint8_t *p;
	int err = read_packing(t);

	if (!err)
		err = binary_take(&t->b, 8, &p);
	if (err)
		return err;
	w.more = binary_u64(&t->b, p);
	err = read_all_options(&w);
	if (!err)
		err = read_section(t, w.pages, PAGES, read_pages);
	if (!err)
		err = read_section(t, w.events, EVENTS, read_events);
	return err ? err : read_section(t, w.names, NAMES, read_names);
}
