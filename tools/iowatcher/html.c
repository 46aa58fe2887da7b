/* SPDX-License-Identifier: GPL-2.0-only */
/* --html; see html.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hint.h"
#include "base/msg.h"
#include "cli/outfile.h"
#include "cli/traces.h"
#include "cli/version.h"
#include "report/gathering.h"
#include "report/html.h"
#include "report/making.h"
#include "run/host.h"
#include "tools/iowatcher/html.h"
#include "tools/iowatcher/named.h"
#include "tools/iowatcher/options.h"

enum { OUT_SIZE = 65536, HOST_MAX = 256 };

struct reading_all {
	const struct watch_options *o;
	char **names;		/* ours, as many as there are traces */
	struct gathering_options of;
	struct gathering gathering;
	struct traces in;
	bool failed;		/* not all could be read */
};

static void check(int err)
{
	if (err)
		msg_die("out of memory");
}

static void find_names(struct reading_all *r)
{
	size_t count = r->o->traces.count;

	r->names = calloc(count ? count : 1, sizeof(*r->names));
	check(!r->names);
	for (size_t i = 0; i < count; i++)
		r->names[i] = named_find(r->o->traces.list[i].path);
}

static void on_damage(void *reading, const struct damage *d)
{
	gathering_add_damage(&((struct reading_all *)reading)->gathering, d);
}

static void open_all(struct reading_all *r)
{
	const struct traces_options reading = {
		.names = (const char *const *)r->names,
		.count = r->o->traces.count,
		.window = r->of.window,
		.progress = !r->o->no_progress,
		.damage = on_damage,
		.ctx = r,
	};

	if (!traces_open(&r->in, &reading))
		exit(1);
	check(gathering_init(&r->gathering, &r->of, r->in.ios));
}

static void read_all(struct reading_all *r)
{
	const struct io *io;
	int got;

	while ((got = traces_next_io(&r->in, &io)) && !*r->o->stop) {
		if (LIKELY(got == 1)) {
			check(gathering_add(&r->gathering, io));
		} else if (got != -EAGAIN && got != -EINTR) {
			r->failed = true;
			break;
		}
	}
	reading_end(&r->in.reading);
	check(gathering_end(&r->gathering));
}

/* whether it has been written */
static bool write_page(const struct watch_options *o,
		       const struct report_page *page)
{
	struct outfile f;

	if (!strcmp(o->html, "-"))
		outfile_open(&f, NULL, OUT_SIZE);
	else if (!outfile_open_whole(&f, &o->opener, o->html, OUT_SIZE))
		return false;
	report_html_write(page, &f.buf);
	outfile_flush(&f, ", it is not written");
	if (!*o->stop)
		return outfile_close(&f);
	outfile_discard(&f);
	return false;
}

static bool make_page(struct reading_all *r)
{
	char host[HOST_MAX] = "";
	const struct making_options o = {
		.title = *r->o->title ? r->o->title : NULL, .host = host,
		.program = "iowatcher " SUITE_VERSION,
		.command = r->o->command,
	};
	struct making m;
	bool good;
	int err;

	check(host_of_collector(host, sizeof(host), r->names[0]));
	err = making_init(&m, &r->gathering, &o);
	if (err == -ENOSPC)
		msg_die("--size: there is not room enough for the devices and"
			" processes of this trace");
	check(err);
	good = write_page(r->o, &m.page);
	making_free(&m);
	return good;
}

int html_write(const struct watch_options *o)
{
	struct reading_all r = {
		.o = o,
		.of = { .window = { o->time.low, o->time.high },
			.size = o->size },
	};
	bool good;

	find_names(&r);
	open_all(&r);
	read_all(&r);
	good = !*o->stop && make_page(&r);
	gathering_free(&r.gathering);
	traces_close(&r.in);
	for (size_t i = 0; i < o->traces.count; i++)
		free(r.names[i]);
	free(r.names);
	return !good || r.failed || r.in.damaged;
}
