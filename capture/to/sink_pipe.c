/* SPDX-License-Identifier: GPL-2.0-only */
/* The sink to standard output; see sink_pipe.h. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/reporter.h"
#include "capture/sink.h"
#include "capture/to/sink_pipe.h"

struct sink_pipe {
	struct sink sink;
	int fd;
	const struct capture_reporter *reporter;
	pthread_mutex_t lock;	/* keeps a block together */
	int error;		/* of the first failed write, for all */
};

static int pipe_open(struct sink *s, struct sink_lane *l)
{
	(void)s, (void)l;
	return 0;
}

static int wait_writable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	return poll(&p, 1, -1) < 0 && errno != EINTR ? -errno : 0;
}

static int write_all(int fd, const char *p, size_t len)
{
	int err = 0;

	while (len && !err) {
		ssize_t n = write(fd, p, len);

		if (n >= 0) {
			p += n;
			len -= (size_t)n;
		} else if (errno == EAGAIN) {
			err = wait_writable(fd);
		} else if (errno != EINTR) {
			err = -errno;
		}
	}
	return err;
}

/* Does not report a reader that has gone. */
static int pipe_write(struct sink *base, struct sink_lane *l,
		      const void *records, size_t len)
{
	struct sink_pipe *s = (struct sink_pipe *)base;
	int err;

	(void)l;
	pthread_mutex_lock(&s->lock);
	err = s->error;
	if (!err) {
		err = s->error = write_all(s->fd, records, len);
		if (err && err != -EPIPE)
			reporter_write(s->reporter, "write(%d) failed: %d/%s",
				       s->fd, -err, strerror(-err));
	}
	pthread_mutex_unlock(&s->lock);
	return err;
}

static int pipe_flush(struct sink *s, struct sink_lane *l)
{
	(void)s, (void)l;
	return 0;
}

static int pipe_close(struct sink *s, struct sink_lane *l, uint64_t drops)
{
	(void)s, (void)l, (void)drops;
	return 0;
}

static void pipe_free(struct sink *base)
{
	struct sink_pipe *s = (struct sink_pipe *)base;

	pthread_mutex_destroy(&s->lock);
	free(s);
}

static const struct sink_ops pipe_ops = {
	.open = pipe_open,
	.write = pipe_write,
	.flush = pipe_flush,
	.close = pipe_close,
	.free = pipe_free,
};

struct sink *sink_pipe_new(int fd, const struct capture_reporter *reporter)
{
	struct sink_pipe *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->sink.ops = &pipe_ops;
	s->fd = fd;
	s->reporter = reporter;
	pthread_mutex_init(&s->lock, NULL);
	return &s->sink;
}
