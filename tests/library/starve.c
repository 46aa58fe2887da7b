/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory that runs out, at each allocation in turn: reading a trace by the
 * library then fails with -ENOMEM, and leaves nothing behind.
 *
 *	starve [--ios] NAME...
 *
 * All of the process allocates here, the C library and others among it.  First
 * the trace is read without a failure, then with the first allocation failing,
 * the second, and so on until one is not reached any more; then the same with
 * all that follow failing, too.  Prints how many there were; the first mistake
 * ends it with a status of 1.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/blktrace-reader.h"

/* the C library's own, beneath those that are put in their places here */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *p);

static struct {
	uint64_t made;		/* allocations since the last start */
	uint64_t fail;		/* the number of the one that fails; 0: none */
	bool rest;		/* and all behind it */
	int64_t alive;		/* allocations that have not been freed */
} heap;

static bool fails(void)
{
	heap.made++;
	if (!heap.fail || (heap.rest ? heap.made < heap.fail :
				       heap.made != heap.fail))
		return false;
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	void *p = fails() ? NULL : __libc_malloc(size);

	heap.alive += p != NULL;
	return p;
}

void *calloc(size_t count, size_t size)
{
	void *p = fails() ? NULL : __libc_calloc(count, size);

	heap.alive += p != NULL;
	return p;
}

void *realloc(void *old, size_t size)
{
	void *p = fails() ? NULL : __libc_realloc(old, size);

	heap.alive += p != NULL && !old;
	return p;
}

void *aligned_alloc(size_t alignment, size_t size)
{
	void *p = fails() ? NULL : __libc_memalign(alignment, size);

	heap.alive += p != NULL;
	return p;
}

void free(void *p)
{
	heap.alive -= p != NULL;
	__libc_free(p);
}

/* Adds up what is handed out, so that two runs can be compared. */
static int read_events(struct blkt_reader *r, uint64_t *sum)
{
	const struct blkt_event *e;
	int got;

	while ((got = blkt_next_event(r, &e)) == 1 || got == -EINTR) {
		const char *name = e ? blkt_process(r, e->host, e->pid) : NULL;

		*sum = *sum * 31 + (e ? e->time ^ e->sector : 0) +
		       (name ? (uint8_t)*name : 0);
	}
	return got;
}

static int read_ios(struct blkt_reader *r, uint64_t *sum)
{
	const struct blkt_io *io;
	int got;

	while ((got = blkt_next_io(r, &io)) == 1 || got == -EINTR)
		*sum = *sum * 31 + (io ? io->time ^ io->total ^ io->rq : 0);
	return got;
}

/* All of a trace: 0 and what it comes to, or the first error. */
static int read_trace(bool ios, char **names, uint64_t *sum)
{
	const struct blkt_options o = { .size = sizeof(o), .ios = ios,
					.directory = "." };
	struct blkt_reader *r;
	int err = blkt_open(&r, &o);

	*sum = 0;
	while (!err && *names)
		err = blkt_add(r, *names++);
	if (!err)
		err = ios ? read_ios(r, sum) : read_events(r, sum);
	blkt_close(r);
	return err;
}

/* One run with a failure: false when there was none any more. */
static bool starve(bool ios, char **names, uint64_t expected)
{
	int64_t alive = heap.alive;
	uint64_t sum;
	int err;

	heap.made = 0;
	err = read_trace(ios, names, &sum);
	if (heap.made < heap.fail)
		return false;
	if (err != -ENOMEM)
		fprintf(stderr, "allocation %" PRIu64 " failed: %s%s\n",
			heap.fail, err ? blkt_strerror(err) : "success",
			sum == expected ? "" : ", with less");
	if (heap.alive != alive)
		fprintf(stderr, "allocation %" PRIu64 " failed: %" PRId64
			" are left\n", heap.fail, heap.alive - alive);
	if (err != -ENOMEM || heap.alive != alive)
		exit(1);
	return true;
}

static uint64_t starve_all(bool ios, char **names, bool rest)
{
	uint64_t expected;
	int err;

	/* what libraries keep for ever is there then */
	heap.fail = 0;
	err = read_trace(ios, names, &expected);
	if (err) {
		fprintf(stderr, "%s: %s\n", *names, blkt_strerror(err));
		exit(1);
	}
	heap.rest = rest;
	for (heap.fail = 1; starve(ios, names, expected);)
		heap.fail++;
	return heap.fail - 1;
}

int main(int argc, char **argv)
{
	bool ios = argc > 1 && !strcmp(argv[1], "--ios");
	char **names = argv + 1 + ios;
	uint64_t one = starve_all(ios, names, false);
	uint64_t rest = starve_all(ios, names, true);

	heap.fail = 0;
	printf("%" PRIu64 " %" PRIu64 "\n", one, rest);
	return 0;
}
