/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages; see msg.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/msg.h"

/* One write, so that lines of two programs never mix. */
static void say(const char *fmt, va_list ap)
{
	const char *why = strerror(errno);
	size_t len = strlen(fmt);
	char line[1024];
	int n;

	n = snprintf(line, sizeof(line), "%s: ",
		     program_invocation_short_name);
	if (n < 0 || (size_t)n >= sizeof(line))
		n = 0;
	vsnprintf(line + n, sizeof(line) - n, fmt, ap);
	if (len && fmt[len - 1] == ':')
		fprintf(stderr, "%s %s\n", line, why);
	else
		fprintf(stderr, "%s\n", line);
}

void msg_warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
}

void msg_die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
	exit(1);
}

unsigned int msg_guard_fds(void)
{
	unsigned int closed = 0;
	int fd;

	while ((fd = open("/dev/null", O_RDWR)) >= 0 && fd <= STDERR_FILENO)
		closed |= 1u << fd;
	if (fd > STDERR_FILENO)
		close(fd);
	return closed;
}
