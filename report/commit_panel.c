/* SPDX-License-Identifier: GPL-2.0-only */
/* What calls waited for; see commit_panel.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/hint.h"
#include "commit/commit_sums.h"
#include "commit/commits.h"
#include "emit/commit_text.h"
#include "report/commit_panel.h"
#include "report/markup.h"
#include "run/reader.h"
#include "run/window.h"

enum { ROWS = 20, TEXT = 4096 };

/* --- gathering ------------------------------------------------------------ */

static const char *name_of(const void *reader, uint16_t origin, uint32_t pid)
{
	return reader_process(reader, origin, pid);
}

static const char *process(const struct commit_panel *p,
			   const struct commit *c, uint32_t pid)
{
	const char *name = name_of(ios_reader(p->ios), c->origin, pid);

	return name ? name : "-";
}

static int take(void *ctx, const struct commit *c)
{
	struct commit_panel *p = ctx;
	uint64_t end = c->time + c->duration;
	const char *path = commits_path(p->commits, c->origin, c->file);
	const struct commit_names names = {
		.file = path ? path : "-", .process = process(p, c, c->thread),
		.other = c->other ? process(p, c, c->other) : NULL,
	};

	if (c->kind != COMMIT_CALL || end > p->window->end ||
	    (end <= p->window->start && end))
		return 0;
	if (!p->sums)
		p->sums = calloc(1, sizeof(*p->sums));
	return p->sums ? commit_sums_add(p->sums, c, &names) : -ENOMEM;
}

static void take_message(void *ctx, const struct event *ev)
{
	struct commit_panel *p = ctx;

	p->failed |= commits_message(p->commits, ev);
}

static void take_gap(void *ctx, uint16_t origin, uint32_t device, bool begins)
{
	struct commit_panel *p = ctx;

	(void)origin;
	(void)device;
	commits_gap(p->commits, begins);
}

int commit_panel_init(struct commit_panel *p, struct ios *ios,
		      const struct window *window)
{
	const struct commits_options o = { name_of, ios_reader(ios), take, p };

	*p = (struct commit_panel){
		.window = window, .ios = ios,
		.watcher = { take_message, take_gap, p },
	};
	ios_watch_messages(ios, &p->watcher);
	return commits_new(&p->commits, &o);
}

int commit_panel_add(struct commit_panel *p, const struct io *io)
{
	if (LIKELY(!commits_has_calls(p->commits)))
		return p->failed;
	return commits_io(p->commits, io) | p->failed ? -ENOMEM : 0;
}

int commit_panel_end(struct commit_panel *p)
{
	int err = commits_end(p->commits);

	if (p->sums)
		commit_sums_sort(p->sums);
	return err ? err : p->failed;
}

void commit_panel_free(struct commit_panel *p)
{
	commits_free(p->commits);
	if (p->sums)
		commit_sums_free(p->sums);
	free(p->sums);
}

/* --- the section ---------------------------------------------------------- */

static void put_head(struct buf *b, const char *first)
{
	static const char *const heads[] = {
		"calls", "p50", "p99", "max", "time", "own data", "journal",
		"flush", "another commit", "writeback", "no I/O", "unsure",
	};

	markup(b, "<thead><tr><th>%s</th>", first);
	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
		markup(b, "<th class=\"num\">%s</th>", heads[i]);
	markup(b, "</tr></thead>");
}

static struct figure percentile(const struct commit_sum *s, uint32_t p)
{
	return figure_time((double)histogram_kth(&s->durations,
		histogram_rank(s->count, p)));
}

static void put_row(struct buf *b, const struct commit_sum *s,
		    const char *name)
{
	markup(b, "<tr><th>");
	markup_text(b, name);
	markup(b, "</th>");
	markup_cell(b, figure_count(s->count));
	markup_cell(b, percentile(s, 50000));
	markup_cell(b, percentile(s, 99000));
	markup_cell(b, figure_time((double)s->durations.max));
	markup_cell(b, figure_time((double)s->time));
	for (int i = 0; i < COMMIT_PARTS; i++)
		markup_cell(b, figure_share((double)s->parts[i],
					    (double)s->time));
	markup_cell(b, figure_share((double)s->unsure, (double)s->count));
	markup(b, "</tr>\n");
}

static void put_list(struct buf *b, const struct commit_sums *s,
		     const struct commit_list *l, const char *first)
{
	markup(b, "<div class=\"wide\"><table>");
	put_head(b, first);
	markup(b, "<tbody>\n");
	for (unsigned int i = 0; i < l->count && i < ROWS; i++)
		put_row(b, &l->rows[i], l->rows[i].name);
	if (l->count > 1)
		put_row(b, &s->all, "all");
	markup(b, "</tbody></table></div>\n");
	if (l->count > ROWS)
		markup(b, "<p class=\"more\">%u more</p>\n", l->count - ROWS);
}

/* the lines of text that btstat has */
static void put_slowest(struct buf *b, const struct commit_sums *s)
{
	struct buf line;

	if (buf_init(&line, -1, TEXT)) {
		b->error = ENOMEM;
		return;
	}
	markup(b, "<p>The slowest:</p>\n<ol>\n");
	for (unsigned int i = 0; i < s->slow_count; i++) {
		const struct slow_commit *c = &s->slowest[i];

		line.len = 0;
		commit_text_line(&line, &c->is, &(struct commit_names){
			c->file, c->process, c->other });
		line.data[line.len ? line.len - 1 : 0] = '\0';
		markup(b, "<li>");
		markup_text(b, line.data);
		markup(b, "</li>\n");
	}
	markup(b, "</ol>\n");
	buf_free(&line);
}

void commit_panel_write(const struct commit_panel *p, struct buf *b)
{
	if (!p->sums || !p->sums->all.count)
		return;
	markup(b, "<section id=\"commits\" aria-label=\"Calls that wait for the"
	       " disk\"><h2>What fsync and its kind waited for</h2>\n");
	put_list(b, p->sums, &p->sums->files, "File");
	put_list(b, p->sums, &p->sums->processes, "Process");
	put_slowest(b, p->sums);
	markup(b, "</section>\n");
}
