/* SPDX-License-Identifier: GPL-2.0-only */
/* trace.dat; see trace_dat.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "file/source.h"
#include "import/import.h"
#include "import/trace_dat.h"
#include "import/trace_dat_parts.h"
#include "import/trace_event.h"
#include "import/tracepoint.h"
#include "import/tracing.h"
#include "record/record.h"

enum {
	NAMES_MAX = 1 << 20,	/* bytes of names; others are passed over */
	CPUS_MAX = 4096,	/* stretches of pages */
	PAGE_MAX = 65536 * 16,
	AT_ONCE = 4096,		/* events between releases of what is ordered */
	ENOUGH = 4096,		/* events to know by what is not recorded */
};

struct trace_dat {
	struct trace_dat_parts parts;
	struct tracing tracing;
	const struct import_to *to;
	uint64_t events;
	uint32_t groups;	/* of these */
};

/* --- parts ---------------------------------------------------------------- */

int trace_dat_damage(struct trace_dat_parts *t, const char *why)
{
	return import_faults_add(&t->faults, t->b.offset, why);
}

int trace_dat_seek(struct trace_dat_parts *t, uint64_t at)
{
	int err = binary_seek(&t->b, at);

	if (err != -ESPIPE)
		return err;
	return trace_dat_damage(t, "trace-cmd keeps events by CPU, which can be"
				" read neither gzip'd nor from a pipe: unpack"
				" it");
}

int trace_dat_names(struct trace_dat_parts *t, struct binary *b)
{
	const uint8_t *p;
	uint64_t len;
	int err = binary_take(b, 8, &p);

	if (err || t->names)
		return err;
	len = binary_u64(b, p);
	t->names_len = len < NAMES_MAX ? (size_t)len : NAMES_MAX;
	t->names = malloc(t->names_len + 1);
	if (!t->names)
		return -ENOMEM;
	err = binary_copy(b, t->names, t->names_len);
	return err ? err : binary_skip(b, len - t->names_len);
}

int trace_dat_stretch(struct trace_dat_parts *t, const struct trace_stretch *s)
{
	if (!s->len)
		return 0;
	if (t->pages.count == CPUS_MAX || s->page < 64 || s->page > PAGE_MAX)
		return trace_dat_damage(t, "impossible pages of events");
	return trace_pages_add(&t->pages, s);
}

/* --- what is known of it -------------------------------------------------- */

static int tell_about(struct trace_dat *d, uint32_t groups)
{
	struct import_about about = { .from = "trace.dat" };
	char lacks[TRACEPOINTS_LACK];

	trace_dat_about_fill(&d->parts.about, &about);
	if (tracepoints_lack(groups, lacks))
		about.lacks = lacks;
	return d->to->about(d->to->ctx, &about);
}

static int read_name(struct trace_dat *d, const char *line)
{
	struct trace_place at = { .time = 0 };
	char *name;

	at.pid = (uint32_t)strtoul(line, &name, 10);
	if (name == line || *name != ' ')
		return 0;
	name++;
	return tracing_process(&d->tracing, &at, name, strcspn(name, "\n"));
}

static int read_names(struct trace_dat *d)
{
	char *line = d->parts.names, *end;
	int err = 0;

	if (!line)
		return 0;
	line[d->parts.names_len] = '\0';
	for (; !err && *line; line = end) {
		end = line + strcspn(line, "\n");
		end += *end == '\n';
		err = read_name(d, line);
	}
	return err;
}

/* --- events --------------------------------------------------------------- */

static uint16_t type_of(const struct trace_dat *d, const uint8_t *p)
{
	uint16_t type = get16(p);

	return d->parts.formats.pages.swapped ? __builtin_bswap16(type) : type;
}

static int add_event(struct trace_dat *d, const struct trace_raw *raw,
		     struct trace_place *at)
{
	const struct tracepoint *tp = trace_event_tracepoint(raw->event);
	struct trace_values values = trace_raw_values(raw);
	const char *why;
	int err;

	if (!trace_raw_pid(raw, &at->pid))
		at->pid = 0;
	d->groups |= 1u << tp->group;
	d->events++;
	err = tracing_add(&d->tracing, at, tp, &values, &why);
	if (err != -EBADMSG)
		return err;
	trace_dat_damage(&d->parts, why);
	return 0;
}

static int take_event(struct trace_dat *d, const struct trace_page_event *e)
{
	const struct trace_dat_parts *t = &d->parts;
	struct trace_place at = { .cpu = e->cpu,
		.time = trace_dat_about_time(&t->about, e->entry.time) };
	struct trace_raw raw = { NULL, e->entry.data, e->entry.len };
	int err = 0;

	if (e->lossy)
		err = tracing_lost(&d->tracing, &at, e->lost ? e->lost : 1);
	if (err || raw.len < 2)
		return err;
	raw.event = trace_events_get(t->formats.events,
				     type_of(d, raw.bytes));
	if (raw.event)
		err = add_event(d, &raw, &at);
	if (!err && d->events % AT_ONCE == 0)
		err = tracing_release(&d->tracing, at.time);
	return err;
}

static int read_events(struct trace_dat *d)
{
	struct trace_page_event e;
	int n;

	while ((n = trace_pages_next(&d->parts.pages, &e)) > 0) {
		n = take_event(d, &e);
		if (n)
			return n;
	}
	return n;
}

/* --- all ------------------------------------------------------------------ */

static int read_parts(struct trace_dat_parts *t)
{
	int err = trace_formats_head(&t->b, UINT64_MAX, &t->formats);

	if (err == -EOPNOTSUPP)
		return trace_dat_damage(t, "its events are binary, and this"
					" program was built without"
					" libtraceevent");
	if (!err && t->formats.version == 6)
		err = trace_dat_6(t);
	else if (!err && t->formats.version == 7)
		err = trace_dat_7(t);
	else if (!err)
		return trace_dat_damage(t, "a version other than 6 and 7");
	if (err == -ENODATA)
		return trace_dat_damage(t, "cut short: what describes its"
					" events is not all there");
	if (err == -EBADMSG && !import_faults_any(&t->faults))
		return trace_dat_damage(t, "what describes its events is"
					" damaged");
	return err;
}

static int check(struct trace_dat_parts *t)
{
	if (!trace_dat_about_has_time(&t->about))
		return trace_dat_damage(t, "its clock counts no time: record"
					" with trace-cmd record -C mono");
	if (!t->formats.pages.page)
		return trace_dat_damage(t, "a ring buffer of an unknown kind");
	if (!t->formats.events || !trace_events_groups(t->formats.events))
		return trace_dat_damage(t, "it has no formats of the block"
					" layer's events; record them with:"
					" trace-cmd record -e block");
	return 0;
}

static int read_all(struct trace_dat *d)
{
	uint32_t has;
	int err = read_parts(&d->parts);

	if (!err)
		err = check(&d->parts);
	if (err)
		return err;
	has = trace_events_groups(d->parts.formats.events);
	err = tell_about(d, has);
	if (!err)
		err = read_names(d);
	if (!err)
		err = read_events(d);
	if (!err && d->events >= ENOUGH)
		err = tell_about(d, (d->groups | tracepoints_rare()) & has);
	return err;
}

/* Events that found no room are not where they are missing. */
static int end(struct trace_dat *d)
{
	struct trace_place anywhere = { .time = 0 };
	uint64_t dropped = d->parts.about.dropped;
	int err = tracing_end(&d->tracing);

	if (!err && dropped)
		err = tracing_lost(&d->tracing, &anywhere, dropped);
	if (!err && !d->events && !import_faults_any(&d->parts.faults))
		err = trace_dat_damage(&d->parts, "it has no events of the"
				       " block layer; record them with:"
				       " trace-cmd record -e block");
	import_faults_end(&d->parts.faults);
	return err;
}

/* What was read before damage is handed over. */
static int read_and_end(struct trace_dat *d)
{
	int err = read_all(d), ended = 0;

	if (!err || err == -EBADMSG)
		ended = end(d);
	return ended ? ended : err;
}

static int open_all(struct trace_dat *d, struct source *s)
{
	struct trace_dat_parts *t = &d->parts;
	int err = binary_open(&t->b, s);

	import_faults_init(&t->faults, d->to);
	trace_pages_init(&t->pages, s, &t->formats.pages, &t->unpacker,
			 &t->faults);
	return err ? err : tracing_init(&d->tracing, d->to);
}

static void close_all(struct trace_dat *d)
{
	tracing_free(&d->tracing);
	trace_pages_free(&d->parts.pages);
	trace_unpacker_free(&d->parts.unpacker);
	trace_events_free(d->parts.formats.events);
	free(d->parts.names);
	binary_close(&d->parts.b);
}

int trace_dat_read(const struct import_format *f, struct source *s,
		   const struct import_options *o, const struct import_to *to)
{
	struct trace_dat *d = calloc(1, sizeof(*d));
	int err;

	(void)f, (void)o;
	if (!d)
		return -ENOMEM;
	d->to = to;
	err = open_all(d, s);
	if (!err)
		err = read_and_end(d);
	close_all(d);
	free(d);
	return err;
}
