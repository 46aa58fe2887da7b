/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * iotracer: every read and write of some files, at the VFS and at the block
 * layer.  Takes the command line apart and hands it on.  Manual:
 * doc/iotracer.8.
 */
#include <signal.h>
#include <stddef.h>

#include "base/msg.h"
#include "tools/iotracer/commands.h"
#include "tools/iotracer/oneshot.h"
#include "tools/iotracer/options.h"

static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	if (sig != SIGCHLD)
		stop = sig;
}

/* A command's end is a signal, too: it ends whatever we sleep in. */
static void catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD };
	struct sigaction sa = { .sa_handler = on_signal };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &sa, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static const struct command commands[] = {
	{ "add", 1, 2, command_add },
	{ "remove", 1, 1, command_remove },
	{ "list", 0, 0, command_list },
	{ "status", 1, 1, command_status },
	{ "log", 1, 1, command_log },
	{ "stop", 1, 1, command_stop },
	{ "start", 1, 1, command_start },
	{ "reset", 1, 1, command_reset },
	{ "timereset", 1, 1, command_timereset },
	{ "stat", 0, 1, command_stat },
	{ "extents", 1, -1, command_extents },
};

int main(int argc, char **argv)
{
	struct options o;

	msg_guard_fds();
	iotracer_options_parse(&o, argc, argv, commands,
			       sizeof(commands) / sizeof(*commands));
	catch_signals();
	return o.command ? o.command->run(&o) : oneshot_run(&o, &stop);
}
