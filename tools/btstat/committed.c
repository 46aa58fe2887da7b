/* SPDX-License-Identifier: GPL-2.0-only */
/* --by=commit; see committed.h. */
#include <errno.h>
#include <stdlib.h>

#include "commit/commit_sums.h"
#include "commit/commits.h"
#include "run/reader.h"
#include "run/window.h"
#include "tools/btstat/committed.h"
#include "tools/btstat/notable.h"

static const char *process(const struct committed *c, const struct commit *commit,
			   uint32_t pid)
{
	const char *name = reader_process(ios_reader(c->ios), commit->origin,
					  pid);

	return name ? name : "-";
}

static int take(void *ctx, const struct commit *commit)
{
	struct committed *c = ctx;
	uint64_t end = commit->time + commit->duration;
	const char *path = commits_path(c->commits, commit->origin,
					commit->file);
	const struct commit_names names = {
		.file = path ? path : "-",
		.process = process(c, commit, commit->thread),
		.other = commit->other ? process(c, commit, commit->other) :
					 NULL,
	};

	if (end > c->window->end || (end <= c->window->start && end))
		return 0;
	return commit_sums_add(c->sums, commit, &names);
}

static void take_message(void *ctx, const struct event *ev)
{
	struct committed *c = ctx;

	c->failed |= commits_message(c->commits, ev);
}

static void take_gap(void *ctx, uint16_t origin, uint32_t device, bool begins)
{
	const struct committed *c = ctx;

	(void)origin;
	(void)device;
	commits_gap(c->commits, begins);
}

int committed_init(struct committed *c, struct ios *ios, const struct window *window)
{
	struct commits_options o = { .name = notable_name,
				     .name_ctx = ios_reader(ios),
				     .take = take, .ctx = c };

	*c = (struct committed){ .ios = ios, .window = window };
	c->watcher = (struct ios_watcher){ take_message, take_gap, c };
	ios_watch_messages(ios, &c->watcher);
	c->sums = calloc(1, sizeof(*c->sums));
	return c->sums ? commits_new(&c->commits, &o) : -ENOMEM;
}

int committed_add(struct committed *c, const struct io *io)
{
	int err = commits_io(c->commits, io);

	return err ? err : c->failed;
}

int committed_end(struct committed *c)
{
	int err = commits_end(c->commits);

	commit_sums_sort(c->sums);
	return err ? err : c->failed;
}

void committed_free(struct committed *c)
{
	commits_free(c->commits);
	if (c->sums)
		commit_sums_free(c->sums);
	free(c->sums);
}
