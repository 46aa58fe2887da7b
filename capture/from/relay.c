/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A tap on a CPU's relay files; see relay.h.
 *
 * A read may start and end inside a record, so each file keeps the start of its
 * last record.  One buffer serves all files of a CPU.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "blktrace.h"
#include "capture/from/relay.h"
#include "capture/span.h"
#include "capture/tap.h"

enum {
	TAIL_MAX = BLK_HEADER_MAX + BLK_PAYLOAD_MAX,
	READ_SIZE = 524288,
};

struct relay_file {
	int fd;
	uint8_t *tail;		/* TAIL_MAX bytes, or NULL */
	size_t tail_len;
};

struct relay {
	struct tap tap;
	unsigned int count;
	struct relay_shared *shared;	/* or NULL */
	uint8_t *buf;		/* a tail and a read */
	struct relay_file files[];
};

static unsigned int relay_fds(struct tap *t, struct pollfd *fds,
			      unsigned int max)
{
	struct relay *r = (struct relay *)t;
	unsigned int n;

	for (n = 0; n < r->count && n < max; n++)
		fds[n] = (struct pollfd){ .fd = r->files[n].fd,
					  .events = POLLIN };
	return n;
}

/* --- what the CPUs have in common ---------------------------------------- */

void relay_shared_init(struct relay_shared *s)
{
	pthread_rwlock_init(&s->gate, NULL);
	pthread_mutex_init(&s->entrance, NULL);
	atomic_init(&s->foreign, 0);
}

void relay_shared_free(struct relay_shared *s)
{
	pthread_rwlock_destroy(&s->gate);
	pthread_mutex_destroy(&s->entrance);
}

void relay_shared_shut(struct relay_shared *s)
{
	pthread_mutex_lock(&s->entrance);
	pthread_rwlock_wrlock(&s->gate);
}

void relay_shared_reopen(struct relay_shared *s)
{
	pthread_rwlock_unlock(&s->gate);
	pthread_mutex_unlock(&s->entrance);
}

static void enter(struct relay_shared *s)
{
	pthread_mutex_lock(&s->entrance);
	pthread_rwlock_rdlock(&s->gate);
	pthread_mutex_unlock(&s->entrance);
}

static ssize_t read_some(struct relay *r, const struct relay_file *f)
{
	ssize_t n;

	if (r->shared)
		enter(r->shared);
	n = read(f->fd, r->buf + f->tail_len, READ_SIZE);
	if (r->shared)
		pthread_rwlock_unlock(&r->shared->gate);
	return n;
}

/* --- from a file to the sink --------------------------------------------- */

/* bytes read, not delivered yet */
struct rest {
	const uint8_t *p;
	size_t len;
};

static void advance(struct rest *rest, size_t len)
{
	rest->p += len;
	rest->len -= len;
}

static void pass_over(struct relay *r, struct rest *rest)
{
	size_t len = span_search(rest->p, rest->len);

	if (r->shared)
		atomic_fetch_add(&r->shared->foreign, len);
	advance(rest, len);
}

/* Delivers whole records, and leaves the start of a record in rest. */
static int deliver_whole(struct relay *r, unsigned int i, struct rest *rest,
			 tap_deliver *deliver, void *ctx)
{
	struct span s;

	do {
		int err = 0;

		s = span_of(rest->p, rest->len);
		if (s.len)
			err = deliver(ctx, i, rest->p, s.len, &s.sums);
		if (err)
			return err;
		advance(rest, s.len);
		if (s.bad)
			pass_over(r, rest);
	} while (s.bad);
	return 0;
}

static int keep_tail(struct relay_file *f, const struct rest *rest)
{
	if (rest->len && !f->tail)
		f->tail = malloc(TAIL_MAX);
	if (rest->len && !f->tail)
		return -ENOMEM;
	if (rest->len)
		memcpy(f->tail, rest->p, rest->len);
	f->tail_len = rest->len;
	return 0;
}

/* One read of one file: 1; 0: nothing; or -errno. */
static int drain_file(struct relay *r, unsigned int i, tap_deliver *deliver,
		      void *ctx)
{
	struct relay_file *f = &r->files[i];
	struct rest rest = { r->buf, f->tail_len };
	ssize_t n;
	int err;

	if (f->tail_len)
		memcpy(r->buf, f->tail, f->tail_len);
	n = read_some(r, f);
	if (n <= 0)
		return n == 0 || errno == EAGAIN || errno == EINTR ? 0 : -errno;
	rest.len += (size_t)n;
	err = deliver_whole(r, i, &rest, deliver, ctx);
	if (!err)
		err = keep_tail(f, &rest);
	return err ? err : 1;
}

static int relay_drain(struct tap *t, tap_deliver *deliver, void *ctx)
{
	struct relay *r = (struct relay *)t;
	int any = 0;

	for (unsigned int i = 0; i < r->count; i++) {
		int got;

		while ((got = drain_file(r, i, deliver, ctx)) > 0)
			any = 1;
		if (got < 0) {
			t->device = i;
			return got;
		}
	}
	return any;
}

static void relay_close(struct tap *t)
{
	struct relay *r = (struct relay *)t;

	for (unsigned int i = 0; i < r->count; i++) {
		close(r->files[i].fd);
		free(r->files[i].tail);
	}
	free(r->buf);
	free(r);
}

static const struct tap_ops relay_ops = { relay_fds, relay_drain,
					  relay_close };

static int open_file(const struct relay_place *w, unsigned int i, uint32_t cpu)
{
	char path[512];
	int fd;

	snprintf(path, sizeof(path), "%s/block/%s/trace%u", w->debugfs,
		 w->names[i], cpu);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int relay_open(struct tap **t, const struct relay_place *where, uint32_t cpu,
	       unsigned int *which)
{
	struct relay *r = calloc(1, sizeof(*r) +
					    where->count * sizeof(*r->files));

	*which = 0;
	if (!r)
		return -ENOMEM;
	r->tap.ops = &relay_ops;
	r->shared = where->shared;
	r->buf = malloc(TAIL_MAX + READ_SIZE);
	if (!r->buf) {
		relay_close(&r->tap);
		return -ENOMEM;
	}
	for (; r->count < where->count; r->count++) {
		int fd = open_file(where, r->count, cpu);

		if (fd < 0) {
			*which = r->count;
			relay_close(&r->tap);
			return fd;
		}
		r->files[r->count].fd = fd;
	}
	*t = &r->tap;
	return 0;
}
