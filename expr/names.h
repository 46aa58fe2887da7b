/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where names come from.  Each returns the name, good until the next call, or
 * NULL while it is not known; a function may be NULL, too.  The name must
 * depend only on the origin of the io and on what the function has above it, and
 * not change once known.
 */
#ifndef EXPR_NAMES_H
#define EXPR_NAMES_H

struct io;			/* request/io.h */

struct expr_names {
	void *ctx;
	/* disk; where that is NULL, device */
	const char *(*device)(void *ctx, const struct io *io);
	/* pid */
	const char *(*process)(void *ctx, const struct io *io);
	/* cgroup */
	const char *(*cgroup)(void *ctx, const struct io *io);
	/* nothing else */
	const char *(*host)(void *ctx, const struct io *io);
};

#endif
