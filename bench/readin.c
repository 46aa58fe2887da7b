/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * readin reads files, one after the other, 100 KiB at a time, and does nothing
 * with their bytes: the least that a program can spend on them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 100 * 1024 };

/* 0, or -errno */
static int read_in(const char *path)
{
	char bytes[SIZE];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -errno;
	do
		n = read(fd, bytes, sizeof(bytes));
	while (n > 0);
	n = n < 0 ? -errno : 0;
	close(fd);
	return (int)n;
}

int main(int argc, char **argv)
{
	int failed = 0;

	for (int i = 1; i < argc; i++) {
		int err = read_in(argv[i]);

		if (!err)
			continue;
		fprintf(stderr, "readin: %s: %s\n", argv[i], strerror(-err));
		failed = 1;
	}
	return failed;
}
