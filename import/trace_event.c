/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Binary events by libtraceevent; see trace_event.h.
 *
 * The library parses what a format says of fields, and of these only lines that
 * are as kernels write them, as it loses memory over others.  The rest of the
 * text has expressions in C, and is not needed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>

#include "import/trace_event.h"
#include "import/tracepoint.h"
#include "record/record.h"

enum {
	EVENTS_MAX = 64,	/* of a recording: there are 20 to record */
	TEXT_MAX = 8192,	/* of a format that is parsed */
	FIELDS_MAX = 64,	/* of a format */
	RAW_MAX = 65536,	/* no event has more bytes */
};

/* where a field is in an event's bytes */
struct place {
	uint32_t at, size;	/* size 0: it has none */
};

struct trace_event {
	const struct tracepoint *tracepoint;
	uint64_t id;
	struct place fields[TRACE_FIELDS], pid;
	bool swapped;
};

struct trace_events {
	bool big_endian;
	size_t count;
	struct trace_event list[EVENTS_MAX];
};

bool trace_event_built(void)
{
	return true;
}

struct trace_events *trace_events_new(bool big_endian)
{
	struct trace_events *e = calloc(1, sizeof(*e));

	if (e)
		e->big_endian = big_endian;
	return e;
}

void trace_events_free(struct trace_events *e)
{
	free(e);
}

/* --- formats -------------------------------------------------------------- */

/* what is left of a line */
struct rest {
	const char *at, *end;
};

static bool skip(struct rest *r, const char *word)
{
	size_t n = strlen(word);

	if (n > (size_t)(r->end - r->at) || memcmp(r->at, word, n))
		return false;
	r->at += n;
	return true;
}

/* at least one of these characters, at most max */
static bool skip_any(struct rest *r, const char *of, size_t max)
{
	size_t n = 0;

	while (r->at < r->end && n < max && memchr(of, *r->at, strlen(of))) {
		r->at++;
		n++;
	}
	return n;
}

static bool skip_number(struct rest *r, size_t digits)
{
	return skip_any(r, "0123456789", digits);
}

static bool skip_word(struct rest *r)
{
	return skip_any(r, "abcdefghijklmnopqrstuvwxyz"
			   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", 64);
}

/* "unsigned int nr_sector" or "char rwbs[8]": at least a type and a name */
static bool skip_declaration(struct rest *r)
{
	int words = 0;

	do {
		if (!skip_word(r))
			return false;
		words++;
	} while (skip(r, " "));
	if (skip(r, "[") && !(skip_word(r) && skip(r, "]")))
		return false;
	return words > 1;
}

/* a field with a fixed place: the only ones of interest */
static bool is_field(struct rest r)
{
	return skip(&r, "\tfield:") && skip_declaration(&r) &&
	       skip(&r, ";\toffset:") && skip_number(&r, 5) &&
	       skip(&r, ";\tsize:") && skip_number(&r, 5) && skip(&r, ";") &&
	       (!skip(&r, "\tsigned:") ||
		(skip_number(&r, 1) && skip(&r, ";"))) && r.at == r.end;
}

static bool is_common(struct rest r)
{
	return is_field(r) && memmem(r.at, (size_t)(r.end - r.at), " common_",
				     8);
}

static bool is_own(struct rest r)
{
	return is_field(r) && !is_common(r);
}

static bool is_id(struct rest r)
{
	return skip(&r, "ID: ") && skip_number(&r, 9) && r.at == r.end;
}

/* The tracepoint that a format is of; NULL: of no interest. */
static const struct tracepoint *tracepoint_of(const char *text, size_t len)
{
	const char *end = memchr(text, '\n', len);
	struct rest r = { text, end };

	if (!end || !skip(&r, "name: "))
		return NULL;
	return tracepoint_named(r.at, (size_t)(end - r.at));
}

/* what is to be parsed */
struct format {
	char text[TEXT_MAX];
	size_t len;		/* above TEXT_MAX: it did not fit */
};

static void put(struct format *f, const char *text, size_t len)
{
	if (f->len <= TEXT_MAX && len < TEXT_MAX - f->len)
		memcpy(f->text + f->len, text, len);
	else
		f->len = TEXT_MAX;
	f->len += len;
}

static void put_text(struct format *f, const char *text)
{
	put(f, text, strlen(text));
}

/* Lines of a kind, at most max, with their ends; how many. */
static int put_lines(struct format *f, const char *text, size_t len,
		     bool (*is)(struct rest r), int max)
{
	const char *end = text + len, *cut;
	int count = 0;

	for (; count < max && (cut = memchr(text, '\n', (size_t)(end - text)));
	     text = cut + 1) {
		if (!is((struct rest){ text, cut }))
			continue;
		put(f, text, (size_t)(cut + 1 - text));
		count++;
	}
	return count;
}

/* false: it has no number, or is too long */
static bool rewrite(struct format *f, const struct tracepoint *t,
		    const char *text, size_t len)
{
	f->len = 0;
	put_text(f, "name: ");
	put_text(f, t->name);
	put_text(f, "\n");
	if (!put_lines(f, text, len, is_id, 1))
		return false;
	put_text(f, "format:\n");
	put_lines(f, text, len, is_common, FIELDS_MAX);
	put_text(f, "\n");
	put_lines(f, text, len, is_own, FIELDS_MAX);
	put_text(f, "\nprint fmt: \"%d\", 0\n");
	return f->len < TEXT_MAX;
}

static bool is_sound(const struct tep_format_field *f)
{
	return f->offset >= 0 && f->size > 0 && f->offset < RAW_MAX &&
	       f->size < RAW_MAX && !(f->flags & TEP_FIELD_IS_DYNAMIC);
}

static struct place place_of(const struct tep_format_field *f)
{
	if (!is_sound(f))
		return (struct place){ 0, 0 };
	return (struct place){ (uint32_t)f->offset, (uint32_t)f->size };
}

static void learn(struct trace_event *e, struct tep_event *from)
{
	const struct tep_format_field *f;

	e->id = (uint64_t)from->id;
	for (f = from->format.fields; f; f = f->next) {
		enum trace_field to = trace_field_named(f->name,
							strlen(f->name));

		if (to < TRACE_FIELDS)
			e->fields[to] = place_of(f);
	}
	f = tep_find_common_field(from, "common_pid");
	if (f)
		e->pid = place_of(f);
}

/* Its fields, from a format. */
static int parse(struct trace_event *e, const struct format *f)
{
	static const char system[] = "block";
	struct tep_handle *tep = tep_alloc();
	struct tep_event *event = NULL;

	if (!tep)
		return -ENOMEM;
	tep_set_loglevel(TEP_LOG_NONE);
	if (!tep_parse_event(tep, f->text, f->len, system))
		event = tep_find_event_by_name(tep, system,
					       e->tracepoint->name);
	if (event)
		learn(e, event);
	tep_free(tep);
	return event ? 0 : -EBADMSG;
}

int trace_events_add(struct trace_events *e, const char *text, size_t len)
{
	const struct tracepoint *t = tracepoint_of(text, len);
	struct trace_event *to = &e->list[e->count];
	struct format f;
	int err;

	if (!t)
		return 0;
	if (e->count == EVENTS_MAX || !rewrite(&f, t, text, len))
		return -EBADMSG;
	*to = (struct trace_event){
		.tracepoint = t,
		.swapped = e->big_endian != tep_is_bigendian(),
	};
	err = parse(to, &f);
	e->count += !err;
	return err;
}

const struct trace_event *trace_events_get(const struct trace_events *e,
					   uint64_t id)
{
	for (size_t i = 0; i < e->count; i++)
		if (e->list[i].id == id)
			return &e->list[i];
	return NULL;
}

uint32_t trace_events_groups(const struct trace_events *e)
{
	uint32_t groups = 0;

	for (size_t i = 0; i < e->count; i++)
		groups |= 1u << e->list[i].tracepoint->group;
	return groups;
}

const struct tracepoint *trace_event_tracepoint(const struct trace_event *e)
{
	return e->tracepoint;
}

/* --- values --------------------------------------------------------------- */

static const uint8_t *bytes_at(const struct trace_raw *raw,
			       const struct place *p)
{
	return p->size && p->at + p->size <= raw->len ? raw->bytes + p->at :
							NULL;
}

static bool get_number(const struct trace_raw *raw, const struct place *p,
		       uint64_t *n)
{
	const uint8_t *at = bytes_at(raw, p);
	bool swapped = raw->event->swapped;

	if (!at)
		return false;
	switch (p->size) {
	case 1:
		*n = *at;
		return true;
	case 2:
		*n = swapped ? __builtin_bswap16(get16(at)) : get16(at);
		return true;
	case 4:
		*n = swapped ? __builtin_bswap32(get32(at)) : get32(at);
		return true;
	case 8:
		*n = swapped ? __builtin_bswap64(get64(at)) : get64(at);
		return true;
	default:
		return false;
	}
}

static bool number(const void *ctx, enum trace_field field, uint64_t *n)
{
	const struct trace_raw *raw = ctx;

	return get_number(raw, &raw->event->fields[field], n);
}

static bool text(const void *ctx, enum trace_field field, const char **at,
		 size_t *len)
{
	const struct trace_raw *raw = ctx;
	const struct place *p = &raw->event->fields[field];

	*at = (const char *)bytes_at(raw, p);
	*len = *at ? strnlen(*at, p->size) : 0;
	return *at;
}

struct trace_values trace_raw_values(const struct trace_raw *raw)
{
	return (struct trace_values){ number, text, raw };
}

bool trace_raw_pid(const struct trace_raw *raw, uint32_t *pid)
{
	uint64_t n;

	if (!get_number(raw, &raw->event->pid, &n))
		return false;
	*pid = (uint32_t)n;
	return true;
}
