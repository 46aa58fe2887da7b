/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The container that a cgroup is of, by its path: runtimes name cgroups after
 * the 64 hexadecimal digits of a container's id, each in a way of its own.
 */
#ifndef BASE_CONTAINER_H
#define BASE_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>

enum {
	CONTAINER_ID = 64,	/* digits */
	CONTAINER_ID_SHORT = 12,	/* as people have them from their tools */
	CONTAINER_WIDE = 40,	/* bytes of a path that people read whole */
};

struct container {
	const char *runtime;	/* "docker"; "container": of an unknown one */
	const char *id;		/* CONTAINER_ID digits, in the path */
	const char *below;	/* what follows in the path, "" or "/init" */
};

/* The innermost container of a path; false: it is of none. */
bool container_find(const char *path, struct container *c);

/*
 * A path as people want it, up to size - 1 bytes: "docker:0123456789ab" with
 * what is below; else the path, of a long one its last parts behind "..".
 * Returns to.
 */
char *container_short(char *to, size_t size, const char *path);

#endif
