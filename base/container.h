/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The container of a cgroup, by its path, which has the 64 hexadecimal digits
 * of the container's id in a form that depends on the runtime.
 */
#ifndef BASE_CONTAINER_H
#define BASE_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>

enum {
	CONTAINER_ID = 64,	/* digits */
	CONTAINER_ID_SHORT = 12,	/* as the runtimes' tools show them */
	CONTAINER_WIDE = 40,	/* bytes of a path that is not shortened */
};

struct container {
	const char *runtime;	/* "docker"; "container": unknown */
	const char *id;		/* CONTAINER_ID digits, in the path */
	const char *below;	/* the rest of the path, "" or "/init" */
};

/* The innermost container of a path; false: none. */
bool container_find(const char *path, struct container *c);

/*
 * A path for people, up to size - 1 bytes: "docker:0123456789ab" and the rest;
 * else the path, or ".." and the last parts of a long one.  Returns to.
 */
char *container_short(char *to, size_t size, const char *path);

#endif
