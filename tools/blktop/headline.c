/* SPDX-License-Identifier: GPL-2.0-only */
/* The last minute in a sentence; see headline.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/time.h"
#include "tools/blktop/headline.h"
#include "tools/blktop/past.h"

#define EVERY (10 * NS_PER_SECOND)
#define MINUTE (60 * NS_PER_SECOND)

/* --- the other process ---------------------------------------------------- */

__attribute__((noreturn)) static void find(const struct past *past,
					   const struct reader *reader,
					   uint64_t to, int out)
{
	char *text;

	/* it is in nobody's way, and does not outlive us */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGPIPE, SIG_DFL);
	if (nice(10) == -1)
		errno = 0;
	text = remarks_headline(past, reader, to > MINUTE ? to - MINUTE : 0,
				to);
	if (text && write(out, text, strlen(text)) < 0)
		_exit(1);
	_exit(!text);
}

static void start(struct headline *h, const struct past *past,
		  const struct reader *reader, uint64_t to)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
		return;
	h->child = fork();
	if (!h->child)
		find(past, reader, to, ends[1]);
	close(ends[1]);
	h->from_child = ends[0];
	h->len = 0;
	if (h->child < 0) {
		close(ends[0]);
		h->child = 0;
	}
}

/* --- here ----------------------------------------------------------------- */

/* its status; it has ended, or is ended */
static int reap(struct headline *h)
{
	int status = 1;

	close(h->from_child);
	while (waitpid(h->child, &status, 0) < 0 && errno == EINTR)
		;
	h->child = 0;
	return status;
}

/* whether all has come */
static bool take(struct headline *h)
{
	size_t room = sizeof(h->coming) - 1 - h->len;
	ssize_t n = read(h->from_child, h->coming + h->len, room);

	if (n > 0)
		h->len += (size_t)n;
	return !n || (n < 0 && errno != EAGAIN && errno != EINTR);
}

bool headline_look(struct headline *h, const struct past *past,
		   const struct reader *reader, uint64_t to)
{
	bool changed;

	if (!h->child && time_now() >= h->due) {
		h->due = time_now() + EVERY;
		start(h, past, reader, to);
		return false;
	}
	if (!h->child || !take(h))
		return false;
	h->coming[h->len] = '\0';
	if (reap(h))
		return false;
	changed = strcmp(h->text, h->coming);
	memcpy(h->text, h->coming, h->len + 1);
	return changed;
}

void headline_end(struct headline *h)
{
	if (!h->child)
		return;
	kill(h->child, SIGKILL);
	reap(h);
}
