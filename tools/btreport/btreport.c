/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btreport: a page of traces, in one file that opens in any browser.
 *
 * Takes joined ios from request/ios, gathers what a page shows, and writes it.
 * Manual: doc/btreport.1.
 */
#include <signal.h>
#include <stdlib.h>

#include "base/limit.h"
#include "base/msg.h"
#include "cli/confined.h"
#include "compare/comparison.h"
#include "emit/cells.h"
#include "tools/btreport/options.h"
#include "tools/btreport/pages.h"
#include "tools/btreport/side.h"

static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	(void)sig;
	stop = stop == SIDE_GO_ON ? SIDE_STOP : SIDE_STOP_NOW;
}

/* Ends the reading, not the program: the page is still made. */
static void catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGHUP, SIGTERM };
	struct sigaction sa = { .sa_handler = on_signal };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &sa, NULL);
}

/* whether all went well */
static bool report(const struct btreport_options *o)
{
	struct side s = {
		.names = o->inputs, .count = o->input_count, .of = o->of,
		.progress = !o->no_progress, .stop = &stop,
		.hosts = &o->hosts,
	};
	bool good;

	side_read(&s);
	good = sides_know_devices(&s, 1) && pages_write(o, &s);
	side_free(&s);
	return good && !s.in.damaged;
}

/* --- --compare ------------------------------------------------------------ */

static void check(int err)
{
	if (err)
		msg_die("out of memory");
}

struct comparisons {
	struct comparison *list[SIDE_MEASURES];
	char phases[SIDE_MEASURES][16];
};

static void begin(struct comparisons *c, const struct btreport_options *o)
{
	for (unsigned int i = 0; i < SIDE_MEASURES; i++) {
		const struct comparison_options of = {
			.compare = { .runs = { 1, 1 } },
			.phase = c->phases[i],
			.name = { o->inputs[0], o->inputs[1] },
		};

		cell_measure_name(side_measures[i], c->phases[i]);
		check(comparison_new(&c->list[i], &of));
	}
}

/* The data of both has to fit where else one has. */
static struct side side_of(const struct btreport_options *o,
			   const struct comparisons *c, unsigned int nr)
{
	struct side s = {
		.names = &o->inputs[nr], .count = 1, .of = o->of,
		.progress = !o->no_progress, .stop = &stop, .nr = nr,
		.hosts = &o->hosts,
		.comparisons = c->list,
	};

	s.of.size = o->of.size / COMPARE_SIDES;
	return s;
}

static bool report_pair(const struct btreport_options *o)
{
	struct side s[COMPARE_SIDES];
	struct page_side p[COMPARE_SIDES];
	struct comparisons c;
	bool good;

	begin(&c, o);
	for (unsigned int i = 0; i < COMPARE_SIDES; i++) {
		s[i] = side_of(o, &c, i);
		side_read(&s[i]);
		pages_make_side(&p[i], o, &s[i]);
	}
	if (!sides_know_devices(s, COMPARE_SIDES))
		exit(1);
	for (unsigned int i = 0; i < SIDE_MEASURES; i++)
		check(comparison_end(c.list[i]));
	good = pages_write_pair(o, s, p, c.list);
	for (unsigned int i = 0; i < COMPARE_SIDES; i++) {
		side_free(&s[i]);
		good &= !s[i].in.damaged;
	}
	for (unsigned int i = 0; i < SIDE_MEASURES; i++)
		comparison_free(c.list[i]);
	return good;
}

static void confine(struct btreport_options *o)
{
	const struct writable outputs[] = {
		{ .name = o->output }, { .name = o->json },
		{ .name = o->csv, .kind = WRITABLE_FOLDER },
	};

	o->opener = confined_enter(&(struct confined){
		.traces = { .names = o->inputs, .count = o->input_count },
		.outputs = outputs, .output_count = 3,
	});
}

int main(int argc, char **argv)
{
	struct btreport_options o;
	bool good;

	msg_guard_fds();
	btreport_options_parse(&o, argc, argv);
	catch_signals();
	limit_open_files();
	confine(&o);
	good = o.compare ? report_pair(&o) : report(&o);
	btreport_options_free(&o);
	return !good;
}
