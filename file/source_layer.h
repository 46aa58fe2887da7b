/* SPDX-License-Identifier: GPL-2.0-only */
/* What a kind of source implements; for source.c and source_*.c only. */
#ifndef FILE_SOURCE_LAYER_H
#define FILE_SOURCE_LAYER_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "file/hooks.h"

struct source;

struct source_ops {
	ssize_t (*read)(struct source *s, void *buf, size_t len);
	int (*wait)(struct source *s, int ms);
	int (*seek)(struct source *s, uint64_t at);	/* NULL: cannot */
	void (*progress)(const struct source *s, uint64_t *done,
			 uint64_t *total);
	void (*close)(struct source *s);	/* frees s itself, too */
};

struct source {
	const struct source_ops *ops;
	int live;
	bool packed;		/* known after the first read */
	struct damage damage;	/* of the last -EUCLEAN */
	uint64_t span;		/* see source_span() */
};

/* what a layer returns: n of the source beneath, whose damage and span it has,
 * too */
static inline ssize_t source_pass(struct source *s, const struct source *in,
				  ssize_t n)
{
	s->span = in->span;
	if (n == -EUCLEAN)
		s->damage = in->damage;
	return n;
}

#endif
