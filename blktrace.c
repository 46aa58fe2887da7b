/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * blktrace: records the block layer's events of devices; see blktrace(8).
 * Parses the command line and calls tools/blktrace/.
 */
#include <locale.h>
#include <signal.h>
#include <stdatomic.h>

#include "base/msg.h"
#include "tools/blktrace/commands.h"
#include "tools/blktrace/options.h"

static atomic_bool stop, renew;

static void on_signal(int sig)
{
	(void)sig;
	stop = true;
}

static void on_hangup(int sig)
{
	(void)sig;
	renew = true;
}

/* All of them end a capture normally; a collector reads its keys again at a
 * hangup. */
static void catch_signals(bool listen)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGALRM };
	struct sigaction sa = { .sa_handler = on_signal };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &sa, NULL);
	if (listen)
		sigaction(SIGHUP, &(struct sigaction){
				  .sa_handler = on_hangup }, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static int check(const struct options *o)
{
	const struct check c = {
		.debugfs = o->debugfs,
		.relay = o->via == VIA_RELAY || o->via == VIA_AUTO,
		.ftrace = o->via == VIA_FTRACE || o->via == VIA_AUTO,
		.bpf = o->via == VIA_BPF,
		.setup = options_setup(o),
		.paths = o->devices,
		.count = (unsigned int)o->device_count,
		.to_files = options_to_files(o),
		.directory = o->directory,
		.base = o->output,
	};

	if (o->listen)
		return check_collector(o);
	return check_run(&c) | (o->host && check_keys(o));
}

static int run(const struct options *o)
{
	if (o->card)
		return show_cards(o);
	if (o->check)
		return check(o);
	if (o->mark)
		return mark_running(o);
	if (o->listen)
		return collector_run(o, &stop, &renew);
	if (o->kill)
		return kill_leftovers(o);
	return run_capture(o, &stop);
}

int main(int argc, char **argv)
{
	struct options o;
	int status;

	msg_guard_fds();
	blktrace_options_parse(&o, argc, argv);
	setlocale(LC_NUMERIC, "en_US");
	catch_signals(o.listen);
	status = run(&o);
	blktrace_options_free(&o);
	return status;
}
