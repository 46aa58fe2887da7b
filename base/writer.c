/* SPDX-License-Identifier: GPL-2.0-only */
/* Writing in a thread; see writer.h. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/conveyor.h"
#include "base/past.h"
#include "base/thread.h"
#include "base/writer.h"

/* Waking the thread takes some 8 us in a virtual machine: once in 1 MiB. */
enum { PARCELS = 3, PARCEL_BYTES = 1024 * 1024 };

struct parcel {
	char bytes[PARCEL_BYTES];
	size_t used;
};

struct writer {
	struct conveyor *conveyor;
	pthread_t thread;
	int fd;
	sigset_t blocked;	/* by the caller */
	atomic_int error;	/* 0 or -errno of the first failed write */
	struct parcel *filling;
};

/* An inherited descriptor may be non-blocking. */
static int wait_writable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	return poll(&p, 1, -1) < 0 && errno != EINTR ? -errno : 0;
}

int writer_write(int fd, const char *bytes, size_t len)
{
	while (len) {
		ssize_t n = write(fd, bytes, len);

		if (n >= 0) {
			bytes += n;
			len -= (size_t)n;
		} else if (errno == EAGAIN) {
			int err = wait_writable(fd);

			if (err)
				return err;
		} else if (errno != EINTR) {
			return -errno;
		}
	}
	return 0;
}

/* --- the thread ----------------------------------------------------------- */

/* A write that ends the program by a signal in the caller's thread does here, too. */
static void unblock_signals(const struct writer *w)
{
	static const int signals[] = { SIGPIPE, SIGXFSZ };
	sigset_t set;

	sigfillset(&set);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		if (!sigismember(&w->blocked, signals[i]))
			sigdelset(&set, signals[i]);
	pthread_sigmask(SIG_SETMASK, &set, NULL);
}

static void *run(void *arg)
{
	struct writer *w = arg;
	struct parcel *p;
	int err = 0;

	unblock_signals(w);
	while ((p = conveyor_take(w->conveyor))) {
		if (err)
			continue;
		err = writer_write(w->fd, p->bytes, p->used);
		atomic_store_explicit(&w->error, err, memory_order_relaxed);
	}
	return NULL;
}

/* --- who hands on --------------------------------------------------------- */

/* The thread takes all, so there is always a parcel. */
static void begin_parcel(struct writer *w)
{
	w->filling = conveyor_fill(w->conveyor);
	w->filling->used = 0;
}

static void send_parcel(struct writer *w)
{
	past_end();
	conveyor_send(w->conveyor);
	begin_parcel(w);
}

static int error_so_far(struct writer *w)
{
	return atomic_load_explicit(&w->error, memory_order_relaxed);
}

int writer_new(struct writer **out, int fd)
{
	struct writer *w = calloc(1, sizeof(*w));
	int err;

	*out = NULL;
	if (!w)
		return -ENOMEM;
	w->fd = fd;
	pthread_sigmask(SIG_BLOCK, NULL, &w->blocked);
	err = conveyor_new(&w->conveyor, PARCELS, sizeof(struct parcel));
	if (!err)
		err = thread_start(&w->thread, run, w);
	if (err) {
		conveyor_free(w->conveyor);
		free(w);
		return err;
	}
	begin_parcel(w);
	*out = w;
	return 0;
}

int writer_put(struct writer *w, const char *bytes, size_t len)
{
	while (len) {
		struct parcel *p = w->filling;
		size_t room = PARCEL_BYTES - p->used;
		size_t n = len < room ? len : room;

		past_copy(p->bytes + p->used, bytes, n);
		p->used += n;
		bytes += n;
		len -= n;
		if (p->used == PARCEL_BYTES)
			send_parcel(w);
	}
	return error_so_far(w);
}

int writer_flush(struct writer *w, const char *bytes, size_t len)
{
	size_t rest = len % WRITER_UNIT;

	writer_put(w, bytes, len - rest);
	memcpy(w->filling->bytes + w->filling->used, bytes + len - rest, rest);
	w->filling->used += rest;
	if (w->filling->used)
		send_parcel(w);
	conveyor_settle(w->conveyor);
	return error_so_far(w);
}

void writer_free(struct writer *w)
{
	if (!w)
		return;
	if (w->filling->used)
		send_parcel(w);
	conveyor_end(w->conveyor);
	pthread_join(w->thread, NULL);
	conveyor_free(w->conveyor);
	free(w);
}
