/*
 * Relay files; see relay.h.
 *
 * A read may begin and end inside a record, so each file keeps the beginning
 * of a record that has not come whole.  One buffer serves all files of a CPU.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "blktrace.h"
#include "capture/relay.h"
#include "capture/span.h"
#include "capture/tap.h"

enum {
	TAIL_MAX = BLK_HEADER_MAX + BLK_PAYLOAD_MAX,
	READ_SIZE = 524288,
};

struct relay_file {
	int fd;
	uint8_t *tail;		/* TAIL_MAX bytes, once there was one */
	size_t tail_len;
};

struct relay {
	struct tap tap;
	unsigned int count;
	pthread_rwlock_t *gate;	/* of struct relay_place */
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

static int keep_tail(struct relay_file *f, const uint8_t *bytes, size_t len)
{
	if (len > TAIL_MAX)
		return -EBADMSG;
	if (len && !f->tail)
		f->tail = malloc(TAIL_MAX);
	if (len && !f->tail)
		return -ENOMEM;
	if (len)
		memcpy(f->tail, bytes, len);
	f->tail_len = len;
	return 0;
}

static ssize_t read_some(struct relay *r, const struct relay_file *f)
{
	ssize_t n;

	if (r->gate)
		pthread_rwlock_rdlock(r->gate);
	n = read(f->fd, r->buf + f->tail_len, READ_SIZE);
	if (r->gate)
		pthread_rwlock_unlock(r->gate);
	return n;
}

/* One read of one file: 1, 0: nothing, or -errno. */
static int drain_file(struct relay *r, unsigned int i, tap_deliver *deliver,
		      void *ctx)
{
	struct relay_file *f = &r->files[i];
	struct span s;
	ssize_t n;
	int err = 0;

	if (f->tail_len)
		memcpy(r->buf, f->tail, f->tail_len);
	n = read_some(r, f);
	if (n <= 0)
		return n == 0 || errno == EAGAIN || errno == EINTR ? 0 : -errno;
	s = span_of(r->buf, f->tail_len + (size_t)n);
	if (s.events)
		err = deliver(ctx, i, r->buf, s.len, s.events);
	if (!err && s.bad)
		err = -EBADMSG;
	if (!err)
		err = keep_tail(f, r->buf + s.len,
				f->tail_len + (size_t)n - s.len);
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
	r->gate = where->gate;
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
