/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * iotracer: traces reads and writes of files at the VFS and the block layer;
 * see iotracer(8).  Parses the command line and calls a command.
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

/* A child's end is a signal, too, so that it ends our sleep. */
static void catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD };
	struct sigaction sa = { .sa_handler = on_signal };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &sa, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static const struct command commands[] = {
	{ { "add", "FILE [N]", "watch FILE, keep its last N lines (10)" },
	  1, 2, command_add },
	{ { "remove", "FILE", "stop watching it" }, 1, 1, command_remove },
	{ { "list", "", "list the watched files" }, 0, 0, command_list },
	{ { "status", "FILE", "state, T0, room and lines of its log" },
	  1, 1, command_status },
	{ { "log", "FILE", "print its lines" }, 1, 1, command_log },
	{ { "stop", "FILE", "pause its log" }, 1, 1, command_stop },
	{ { "start", "FILE", "continue its log" }, 1, 1, command_start },
	{ { "reset", "FILE", "empty its log" }, 1, 1, command_reset },
	{ { "timereset", "FILE", "empty its log, T0 is now" },
	  1, 1, command_timereset },
	{ { "stat", "[LOG|FILE]", "print the profile of a log" }, 0, 1, command_stat },
	{ { "extents", "FILE...", "locations of files: byte, sector, bytes" },
	  1, -1, command_extents },
};

_Static_assert(sizeof(commands) / sizeof(*commands) <= COMMANDS_MAX,
	       "options.c has room for fewer words");

int main(int argc, char **argv)
{
	struct options o;

	msg_guard_fds();
	iotracer_options_parse(&o, argc, argv, commands,
			       sizeof(commands) / sizeof(*commands));
	catch_signals();
	return o.command ? o.command->run(&o) : oneshot_run(&o, &stop);
}
