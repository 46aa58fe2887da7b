/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes in small pieces; see trickle.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "file/source.h"
#include "file/source_layer.h"
#include "tests/fuzz/trickle.h"

struct trickle {
	struct source base;
	const unsigned char *bytes;
	size_t left, piece;
	bool ready;		/* the pause before the next piece is over */
	unsigned int waits;
	int signal;		/* what a signal makes of a wait */
};

static ssize_t trickle_read(struct source *s, void *buf, size_t len)
{
	struct trickle *t = (struct trickle *)s;
	size_t n = t->left < t->piece ? t->left : t->piece;

	if (!t->ready) {
		t->ready = true;
		return -EAGAIN;
	}
	t->ready = false;
	if (n > len)
		n = len;
	if (n)
		memcpy(buf, t->bytes, n);
	t->bytes += n;
	t->left -= n;
	return (ssize_t)n;
}

/* Now a signal, now silence, mostly something to read. */
static int trickle_wait(struct source *s, int ms)
{
	struct trickle *t = (struct trickle *)s;

	(void)ms;
	switch (t->waits++ % 8) {
	case 3:
		return t->signal;
	case 6:
		return 0;
	default:
		return 1;
	}
}

static void trickle_progress(const struct source *s, uint64_t *done,
			     uint64_t *total)
{
	(void)s, (void)done, (void)total;
}

static void trickle_close(struct source *s)
{
	free(s);
}

static const struct source_ops trickle_ops = { trickle_read, trickle_wait, NULL,
					       trickle_progress,
					       trickle_close };

static int open_with(struct source **s, const void *bytes, size_t len,
		     size_t piece, int signal)
{
	struct trickle *t = calloc(1, sizeof(*t));

	if (!t)
		return -ENOMEM;
	t->base = (struct source){ .ops = &trickle_ops, .live = true };
	t->bytes = bytes;
	t->left = len;
	t->piece = piece;
	t->signal = signal;
	return source_gzip(s, &t->base);
}

int trickle_open(struct source **s, const void *bytes, size_t len,
		 size_t piece)
{
	return open_with(s, bytes, len, piece, -EINTR);
}

int trickle_open_steady(struct source **s, const void *bytes, size_t len,
			size_t piece)
{
	return open_with(s, bytes, len, piece, 1);
}
