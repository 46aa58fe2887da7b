/* SPDX-License-Identifier: GPL-2.0-only */
/* A process that outlives another; see supervise.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/escape.h"
#include "tools/blktop/screen.h"
#include "tools/blktop/supervise.h"

enum { PIECE = 4096 };

/* A piece of what was said: names in it must not act upon the terminal. */
static void print(const char *text, size_t len)
{
	char shown[PIECE * ESCAPE_MAX + 1];

	while (len) {
		const char *end = memchr(text, '\n', len);
		size_t line = end ? (size_t)(end - text) : len;
		size_t n = escape_text(shown, sizeof(shown), text, line);

		if (end)
			shown[n++] = '\n';
		/* where standard error is closed there is nobody to tell */
		if (write(STDERR_FILENO, shown, n) < 0)
			return;
		text += line + (end != NULL);
		len -= line + (end != NULL);
	}
}

static void print_all(int said)
{
	char text[PIECE];
	off_t at = 0;
	ssize_t n;

	while ((n = pread(said, text, sizeof(text), at)) > 0) {
		print(text, (size_t)n);
		at += n;
	}
}

static int wait_for(pid_t child, const volatile sig_atomic_t *stop)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno == EINTR && *stop)
			kill(child, SIGTERM);
	return status;
}

/* As the child ended: by a signal, too, but without another core. */
static void end_as(int status)
{
	if (!WIFSIGNALED(status))
		exit(WEXITSTATUS(status));
	exit(128 + WTERMSIG(status));
}

static void be_parent(pid_t child, int said, struct screen_before *before,
		      const volatile bool *taken,
		      const volatile sig_atomic_t *stop)
{
	int status = wait_for(child, stop);

	if (*taken)
		screen_restore(before);
	else
		screen_before_free(before);
	print_all(said);
	end_as(status);
}

/* what both processes see; NULL: no memory */
static volatile bool *shared_flag(void)
{
	void *page = mmap(NULL, sizeof(bool), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return page == MAP_FAILED ? NULL : page;
}

volatile bool *supervise(const volatile sig_atomic_t *stop)
{
	volatile bool *taken = shared_flag();
	struct screen_before *before = screen_before();
	int said = memfd_create("messages", MFD_CLOEXEC);
	pid_t child = said < 0 || !taken ? -1 : fork();

	if (child > 0)
		be_parent(child, said, before, taken, stop);
	screen_before_free(before);
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		dup2(said, STDERR_FILENO);
	}
	if (said >= 0)
		close(said);
	return taken;
}
