/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines and complaints; see report.h. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/time.h"
#include "server/report.h"

/* --- spool ---------------------------------------------------------------- */

enum { SIZE = 8192 };

/*
 * A second descriptor for the same pipe or terminal, as O_NONBLOCK on the first
 * would affect all programs that share it.  Without it, small writes after a
 * poll do nearly as well.
 */
static int open_again(int fd)
{
	char path[32];
	struct stat st;

	if (fstat(fd, &st) || !(S_ISFIFO(st.st_mode) || S_ISCHR(st.st_mode)))
		return -1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

int spool_open(struct spool *s, int fd)
{
	int again = open_again(fd);

	*s = (struct spool){ .fd = again < 0 ? fd : again,
			     .own_fd = again >= 0 };
	return buf_init(&s->text, -1, SIZE);
}

/* --- adding --------------------------------------------------------------- */

/* Whether text has room for need more bytes, so that it is not flushed. */
static bool make_room(struct spool *s, size_t need)
{
	struct buf *b = &s->text;
	size_t size = b->size;
	char *data;

	if (need > SPOOL_MAX - (b->len - s->written))
		return false;
	memmove(b->data, b->data + s->written, b->len - s->written);
	b->len -= s->written;
	s->written = 0;
	while (size - b->len < need)
		size *= 2;
	data = realloc(b->data, size);
	if (!data)
		return false;
	b->data = data;
	b->size = size;
	return true;
}

struct buf *spool_add(struct spool *s, unsigned int lines)
{
	size_t need = (size_t)lines * SPOOL_LINE;

	if (s->error)
		return NULL;
	if (s->text.size - s->text.len >= need || make_room(s, need))
		return &s->text;
	s->dropped += lines;
	return NULL;
}

/* --- writing -------------------------------------------------------------- */

/* A ready pipe has room for PIPE_BUF bytes.  False: not now. */
static bool write_some(struct spool *s, int timeout)
{
	struct pollfd p = { .fd = s->fd, .events = POLLOUT };
	size_t left = s->text.len - s->written;
	ssize_t n;

	if (poll(&p, 1, timeout) <= 0)
		return false;
	n = write(s->fd, s->text.data + s->written,
		  left < PIPE_BUF ? left : PIPE_BUF);
	if (n >= 0)
		s->written += (size_t)n;
	else if (errno == EAGAIN)
		return false;
	else if (errno != EINTR)
		s->error = errno;
	return true;
}

int spool_fd(const struct spool *s)
{
	return s->written < s->text.len && !s->error ? s->fd : -1;
}

static void empty(struct spool *s)
{
	s->text.len = s->written = 0;
}

void spool_write(struct spool *s)
{
	while (spool_fd(s) >= 0)
		if (!write_some(s, 0))
			return;
	empty(s);
}

/* --- the end -------------------------------------------------------------- */

static void drop_rest(struct spool *s)
{
	for (size_t i = s->written; i < s->text.len; i++)
		s->dropped += s->text.data[i] == '\n';
	empty(s);
}

int spool_close(struct spool *s)
{
	int64_t now = time_now_ms(), end = now + SPOOL_LAST_MS;

	for (; spool_fd(s) >= 0 && now < end; now = time_now_ms())
		write_some(s, (int)(end - now));
	if (!s->error)
		drop_rest(s);
	buf_free(&s->text);
	if (s->own_fd)
		close(s->fd);
	s->fd = -1;
	return -s->error;
}

/* --- report --------------------------------------------------------------- */

enum { LINE = 1000 };

int report_open(struct report *r, int fd, const struct server_reporter *to,
		bool verbose)
{
	*r = (struct report){ .to = to, .verbose = verbose };
	return spool_open(&r->out, fd);
}

void report_flush(struct report *r)
{
	char line[LINE];

	if (!r->left_out)
		return;
	snprintf(line, sizeof(line), "%u more complaint%s not shown",
		 r->left_out, r->left_out == 1 ? "" : "s");
	if (r->to->line(r->to->ctx, line))
		r->left_out = 0;
}

/* Whether this second has room for one more line. */
static bool has_room(struct report *r)
{
	time_t now = time(NULL);

	if (now != r->second) {
		report_flush(r);
		r->second = now;
		r->printed = 0;
	}
	if (r->printed < REPORT_RATE) {
		r->printed++;
		return true;
	}
	r->left_out++;
	return false;
}

static void add_line(struct report *r, const char *fmt, va_list ap)
{
	char line[LINE];

	if (!has_room(r))
		return;
	vsnprintf(line, sizeof(line), fmt, ap);
	if (!r->to->line(r->to->ctx, line))
		r->left_out++;
}

void report_warn(struct report *r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_line(r, fmt, ap);
	va_end(ap);
}

void report_note(struct report *r, const char *fmt, ...)
{
	va_list ap;

	if (!r->verbose)
		return;
	va_start(ap, fmt);
	add_line(r, fmt, ap);
	va_end(ap);
}

void report_drops(struct report *r, uint64_t events, uint64_t drops)
{
	if (drops && !r->to->drops(r->to->ctx, events, drops))
		r->left_out++;
}

struct buf *report_lines(struct report *r, unsigned int lines)
{
	struct buf *out = spool_add(&r->out, lines);

	if (!out && r->out.dropped && !r->full) {
		r->full = true;
		report_warn(r, "server: standard output is not read: lines for"
			    " it are dropped");
	}
	return out;
}

int report_close(struct report *r)
{
	int err = spool_close(&r->out);

	if (err)
		report_warn(r, "server: cannot write to standard output: %s",
			    strerror(-err));
	else if (r->out.dropped)
		report_warn(r, "server: standard output was not read: %" PRIu64
			    " line%s dropped", r->out.dropped,
			    r->out.dropped == 1 ? "" : "s");
	report_flush(r);
	return !err && r->out.dropped ? -ENOBUFS : err;
}
