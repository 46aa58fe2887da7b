/* SPDX-License-Identifier: GPL-2.0-only */
/* The command that is traced; see workload.h. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/msg.h"
#include "capture/session.h"
#include "cli/child.h"
#include "cli/suite.h"
#include "confine/user.h"
#include "tools/blktrace/options.h"
#include "tools/blktrace/workload.h"

/* --- stat ----------------------------------------------------------------- */

/* words besides the names, with the NULL at the end */
enum { WORDS = 4 };

static void free_words(char **words)
{
	for (size_t i = 0; words && words[i]; i++)
		free(words[i]);
	free(words);
}

static bool add(char **words, size_t *n, char *word)
{
	words[*n] = word;
	return words[(*n)++];
}

static bool add_names(char **words, size_t *n, const struct options *o,
		      const struct session *s)
{
	unsigned int count = session_device_count(s);

	if (o->output)
		return add(words, n, strdup(o->output));
	for (unsigned int i = 0; i < count; i++)
		if (!add(words, n, strdup(session_device_name(s, i))))
			return false;
	return true;
}

static bool add_trace(char **words, size_t *n, const struct options *o,
		      const struct session *s)
{
	/* whose devices are only known by reading them */
	if (o->pack && options_rotates(o))
		return add(words, n, strdup(o->directory ? o->directory : "."));
	if (o->pack)
		return add(words, n, options_packed(o,
						session_device_name(s, 0)));
	if (o->directory && !(add(words, n, strdup("-D")) &&
			      add(words, n, strdup(o->directory))))
		return false;
	return add_names(words, n, o, s);
}

char **stat_words(const struct options *o, const struct session *s)
{
	char **words = calloc(session_device_count(s) + WORDS, sizeof(*words));
	size_t n = 0;

	if (words && add(words, &n, suite_program("btstat")) &&
	    add_trace(words, &n, o, s))
		return words;
	free_words(words);
	return NULL;
}

int stat_run(char **words)
{
	struct child c;
	int status = 1;

	if (words && !child_new(&c, words, NULL, STDOUT_FILENO)) {
		child_start(&c);
		status = child_wait(&c);
	}
	free_words(words);
	return status;
}

/* --- workload ------------------------------------------------------------- */

enum {
	END_TRACE = 2,		/* signals */
	END_WAITING = 3,
	BY_SIGNAL = 128,
};

struct workload {
	struct child child;
	struct user user;
	int fd;			/* signals, of the command's end too; or -1 */
	int signals;		/* that asked us to end */
	int last;		/* the last of them */
};

static int find_user(struct workload *w, const char *name)
{
	int err = name ? user_find(&w->user, name) : 0;

	if (err == -ENOENT)
		msg_warn("--user: there is no user %s", name);
	else if (err)
		msg_warn("--user: cannot look %s up: %s", name, strerror(-err));
	return err;
}

int workload_new(struct workload **made, char *const *words, const char *user,
		 int out)
{
	struct workload *w = calloc(1, sizeof(*w));
	int err;

	if (!w)
		return -ENOMEM;
	w->fd = -1;
	err = find_user(w, user);
	if (!err)
		err = child_new(&w->child, words, user ? &w->user : NULL,
				out);
	if (err)
		free(w);
	else
		*made = w;
	return err;
}

static void signals_of(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
	sigaddset(set, SIGALRM);
	sigaddset(set, SIGCHLD);
}

int workload_start(struct workload *w)
{
	sigset_t set;

	if (!w)
		return 0;
	signals_of(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	w->fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (w->fd < 0) {
		int err = -errno;

		msg_warn("cannot wait for the command:");
		return err;
	}
	child_start(&w->child);
	return 0;
}

int workload_fd(const struct workload *w)
{
	return w ? w->fd : -1;
}

bool workload_ended(struct workload *w)
{
	return w && w->fd >= 0 && child_ended(&w->child);
}

/* A terminal sends its signals also to the command, in its foreground. */
static void take_signal(struct workload *w, const struct signalfd_siginfo *s)
{
	if (s->ssi_signo == SIGCHLD)
		return;
	w->signals++;
	w->last = (int)s->ssi_signo;
	if (s->ssi_code != SI_KERNEL && !child_ended(&w->child))
		kill(w->child.pid, w->last);
}

static void take_signals(struct workload *w)
{
	struct signalfd_siginfo s;

	while (read(w->fd, &s, sizeof(s)) == sizeof(s))
		take_signal(w, &s);
}

bool workload_over(struct workload *w)
{
	if (!w || w->fd < 0)
		return false;
	take_signals(w);
	return child_ended(&w->child) || w->signals >= END_TRACE;
}

int workload_wait(struct workload *w)
{
	struct pollfd p = { .fd = workload_fd(w), .events = POLLIN };
	sigset_t set;

	if (!w || w->fd < 0)
		return 0;
	signals_of(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	while (!child_ended(&w->child) && w->signals < END_WAITING) {
		poll(&p, 1, -1);
		take_signals(w);
	}
	return w->child.ended ? w->child.status : BY_SIGNAL + w->last;
}

void workload_free(struct workload *w)
{
	if (!w)
		return;
	child_free(&w->child);
	if (w->fd >= 0)
		close(w->fd);
	free(w);
}
