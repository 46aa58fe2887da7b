/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a kind of source has to offer; for source.c and the source_*.c alone.
 */
#ifndef FILE_SOURCE_IMPL_H
#define FILE_SOURCE_IMPL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

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
	bool packed;		/* known when the first bytes have been read */
};

/*
 * A source that hands on what in has, unpacked if it is gzip'd.  The first
 * bytes are looked at by the first read, as a pipe may have none for long.
 * Takes in over, also on failure; 0 and *out, or -ENOMEM.
 */
int source_gzip(struct source **out, struct source *in);

#endif
