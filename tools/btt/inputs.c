/* SPDX-License-Identifier: GPL-2.0-only */
/* btt's input; see inputs.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/folder.h"
#include "base/hint.h"
#include "base/msg.h"
#include "base/time.h"
#include "cli/inputs.h"
#include "file/files.h"
#include "file/location.h"
#include "file/shelf.h"
#include "record/record.h"
#include "run/input.h"
#include "tools/btt/inputs.h"
#include "tools/btt/options.h"

/* --- progress ------------------------------------------------------------- */

enum {
	LOOK = 1024,		/* events between two looks at the clock */
	WIDTH = 80,		/* of the empty line */
};

void progress_begin(struct progress *p, struct buf *out, const char *path)
{
	struct stat st;

	*p = (struct progress){ .out = out, .start = time_now() };
	p->shown = out && isatty(STDERR_FILENO);
	p->last = p->start;
	if (path && !stat(path, &st) && S_ISREG(st.st_mode))
		p->size = (uint64_t)st.st_size;
}

void progress_show(struct progress *p, const struct event *ev, uint64_t count)
{
	uint64_t at;

	p->seen += ev->pdu_len + (ev->version == BLK_VERSION_8 ?
				  (unsigned int)BLK_HEADER_8 : BLK_HEADER_7);
	if (++p->events % LOOK)
		return;
	at = time_now();
	if (at - p->last < NS_PER_SECOND)
		return;
	p->last = at;
	p->begun = true;
	fprintf(stderr, "%10" PRIu64 " t", count);
	if (p->size)
		fprintf(stderr, " (%6.2f%%)",
			100.0 * (double)p->seen / (double)p->size);
	fputc('\r', stderr);
}

void progress_end(struct progress *p, uint64_t count)
{
	double seconds = (double)(time_now() - p->start) / NS_PER_SECOND;

	if (p->begun)
		fprintf(stderr, "\r%*s\r", WIDTH, "");
	if (!p->out)
		return;
	buf_printf(p->out, "\r%*s\r", WIDTH, "");
	buf_printf(p->out, "%10" PRIu64 " traces @ %.1f Ktps in %.6f seconds\n",
		   count, (double)count / 1000 / seconds, seconds);
	buf_flush(p->out);
}

/* --- inputs --------------------------------------------------------------- */

bool inputs_are_dump(const struct options *o)
{
	struct stat st, null;

	if (!o->input || stat(o->input, &st))
		return false;
	return S_ISREG(st.st_mode) ||
	       (S_ISCHR(st.st_mode) && !stat("/dev/null", &null) &&
		st.st_rdev == null.st_rdev);
}

static void check(int err, const char *name)
{
	char why[INPUTS_WHY];

	if (err)
		msg_die("cannot read %s: %s", name,
			inputs_why_file(err, NULL, name, why));
}

static void add_names(struct inputs *i, const char *const *names, int count)
{
	int bad, err = input_add(i->in, names, count, &bad);

	if (err == -ENOENT)
		err = locations_why_none(NULL, names[bad]);
	if (err)
		check(err, names[bad]);
}

bool inputs_have_pipe(const struct options *o)
{
	for (int n = 0; n < o->name_count; n++)
		if (location_is_pipe(o->names[n]))
			return true;
	return o->input && location_is_pipe(o->input);
}

void inputs_init(struct inputs *i, const struct hooks *hooks)
{
	struct input_options io = { .batch = 0 };

	*i = (struct inputs){ .in = input_new(&io, hooks) };
	if (!i->in)
		msg_die("out of memory");
}

/* whether a packed file has devices, and not just a dump */
static bool has_devices(const char *path)
{
	char **names = NULL;
	int count = shelf_is_packed(path) ? files_devices(path, &names) : 0;

	folder_free(names, count > 0 ? count : 0);
	return count > 0;
}

/* 1.3.0: reads a file named by -i as a dump, whatever its name. */
void inputs_open(struct inputs *i, const struct options *o)
{
	if (inputs_are_dump(o) && !has_devices(o->input))
		check(input_add_as_written(i->in, o->input, &i->dump),
		      o->input);
	else if (o->input)
		add_names(i, &o->input, 1);
	else
		add_names(i, (const char *const *)o->names, o->name_count);
}

void inputs_close(struct inputs *i)
{
	input_free(i->in);
}

/* As in a dump: times start at the first event.  false: an event without a
 * category, which dumps do not have. */
static bool as_dumped(struct inputs *i, struct event *ev)
{
	if (UNLIKELY(!i->begun))
		i->genesis = ev->time;
	i->begun = true;
	ev->time -= i->genesis;
	return event_categories(ev);
}

int inputs_next_dumped(struct inputs *i, struct event **ev)
{
	int got;

	do {
		got = input_next(i->in, ev);
		if (UNLIKELY(got == -ENOMEM))
			msg_die("out of memory");
		if (UNLIKELY(got == -EINTR || got == -EAGAIN))
			return -EINTR;
	} while (got == 1 && !i->as_written && !as_dumped(i, *ev));
	return got;
}

void inputs_read_ahead(struct inputs *i)
{
	if (input_read_ahead(i->in, NULL))
		return;
	i->as_written = i->dump;
	i->dump = NULL;
}
