/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a cached read costs: pread_cost FILE COUNT reads the file's pages
 * one after the other, COUNT in all, and prints the nanoseconds of the
 * thread's own time that one has taken.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PAGE_BYTES = 4096 };

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void read_pages(int fd, long count, long pages)
{
	static char page[PAGE_BYTES];

	for (long i = 0; i < count; i++)
		if (pread(fd, page, sizeof(page), i % pages * PAGE_BYTES) < 0)
			exit(1);
}

int main(int argc, char **argv)
{
	int fd = argc == 3 ? open(argv[1], O_RDONLY) : -1;
	struct stat st;
	long count;
	double start;

	if (fd < 0 || fstat(fd, &st) || st.st_size < PAGE_BYTES)
		return 1;
	count = atol(argv[2]);
	read_pages(fd, st.st_size / PAGE_BYTES, st.st_size / PAGE_BYTES);
	start = now_ns();
	read_pages(fd, count, st.st_size / PAGE_BYTES);
	printf("%.1f\n", (now_ns() - start) / (double)count);
	return 0;
}
