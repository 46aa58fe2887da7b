/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads from a disk or file what a trace has read, request by request, when it
 * was issued: what a load generator has to do to take traces as jobs.  Nothing
 * is written.  One request at a time: a late one is counted, and none is early.
 *
 *	replay TARGET NAME...
 *
 *	cc -o replay replay.c $(pkg-config --cflags --libs libblktrace)
 */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include <blktrace-reader.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct job {
	uint64_t at, from, bytes;	/* ns, byte, and how many */
};

struct jobs {
	struct job *list;
	size_t count, size;
};

static int add(struct jobs *j, const struct blkt_io *io)
{
	struct job *list = j->list;

	/* a request once: by the io that leads it, if that was issued */
	if (io->op != BLKT_OP_READ || io->rq != io->id ||
	    io->issued == BLKT_NONE)
		return 0;
	if (j->count == j->size) {
		j->size = j->size ? 2 * j->size : 1024;
		list = (struct job *)realloc(list, j->size * sizeof(*list));
		if (!list)
			return -ENOMEM;
		j->list = list;
	}
	list[j->count].at = io->issued;
	list[j->count].from = io->sector * 512;
	list[j->count++].bytes = io->rq_bytes;
	return 0;
}

static int by_time(const void *a, const void *b)
{
	uint64_t one = ((const struct job *)a)->at;
	uint64_t other = ((const struct job *)b)->at;

	return (one > other) - (one < other);
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* 1: it was late; 0: it was not; -1: it cannot be read */
static int run(const struct job *j, uint64_t start, int fd, char *buf)
{
	uint64_t is = now(), wanted = start + j->at;
	struct timespec left;

	if (is < wanted) {
		left.tv_sec = (time_t)((wanted - is) / 1000000000);
		left.tv_nsec = (long)((wanted - is) % 1000000000);
		nanosleep(&left, NULL);
	}
	if (pread(fd, buf, j->bytes, (off_t)j->from) < 0)
		return -1;
	return is > wanted;
}

static int run_all(const struct jobs *j, const char *target)
{
	uint64_t start, most = 0, late = 0, failed = 0;
	int fd = open(target, O_RDONLY);
	char *buf;

	for (size_t i = 0; i < j->count; i++)
		most = j->list[i].bytes > most ? j->list[i].bytes : most;
	buf = (char *)malloc(most + 1);
	if (fd < 0 || !buf) {
		perror(target);
		free(buf);
		return 1;
	}
	start = now();
	for (size_t i = 0; i < j->count; i++) {
		int got = run(&j->list[i], start, fd, buf);

		late += got == 1;
		failed += got < 0;
	}
	printf("%zu reads, %" PRIu64 " late, %" PRIu64 " failed\n", j->count,
	       late, failed);
	free(buf);
	close(fd);
	return failed != 0;
}

int main(int argc, char **argv)
{
	struct blkt_options o;
	struct jobs jobs = { NULL, 0, 0 };
	const struct blkt_io *io;
	struct blkt_reader *r;
	int err, got;

	if (argc < 3) {
		fputs("usage: replay TARGET NAME...\n", stderr);
		return 2;
	}
	memset(&o, 0, sizeof(o));
	o.size = sizeof(o);
	o.ios = 1;
	err = blkt_open(&r, &o);
	for (int i = 2; !err && i < argc; i++)
		err = blkt_add(r, argv[i]);
	while (!err && (got = blkt_next_io(r, &io)) != 0) {
		if (got == 1)
			err = add(&jobs, io);
		else if (got != -EAGAIN && got != -EINTR)
			err = got;
	}
	if (err)
		fprintf(stderr, "replay: %s\n",
			r ? blkt_error(r) : blkt_strerror(err));
	blkt_close(r);
	if (!err)
		qsort(jobs.list, jobs.count, sizeof(*jobs.list), by_time);
	err = err ? 1 : run_all(&jobs, argv[1]);
	free(jobs.list);
	return err;
}
