/*
 * iotracer: every read and write of some files, at the VFS and at the block
 * layer.  Takes the command line apart and hands it on.  Manual:
 * doc/iotracer.8.
 */
#include <signal.h>
#include <stddef.h>

#include "base/msg.h"
#include "watch/oneshot.h"
#include "watch/options.h"

static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	stop = sig != SIGCHLD || stop;
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

static const struct verb verbs[] = {
	{ "nothing", 1, 2, NULL },
};

int main(int argc, char **argv)
{
	struct options o;

	msg_guard_fds();
	options_parse(&o, argc, argv, verbs, sizeof(verbs) / sizeof(*verbs));
	catch_signals();
	return o.verb ? o.verb->run(&o) : oneshot_run(&o, &stop);
}
