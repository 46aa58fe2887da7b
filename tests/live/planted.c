/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file that a program has no use for, opened by it in the end: a stand-in for
 * a trace that has taken the program over.
 *
 *	LD_PRELOAD=planted.so PLANTED=FILE COMMAND
 *
 * Standard error says what has become of it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((destructor)) static void open_planted(void)
{
	const char *path = getenv("PLANTED");
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	dprintf(STDERR_FILENO, "planted: %s\n",
		fd < 0 ? strerror(errno) : "opened");
	if (fd >= 0)
		close(fd);
}
