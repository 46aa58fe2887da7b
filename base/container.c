/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The container of a cgroup; see container.h.
 *
 * With systemd a container is a scope, docker-ID.scope, or for containerd
 * SLICE:cri-containerd:ID; without systemd it is a directory, /docker/ID, or
 * /kubepods/podUID/ID.
 */
#include <stdio.h>
#include <string.h>

#include "base/container.h"

static const struct {
	const char *prefix, *runtime;
} runtimes[] = {
	{ "docker", "docker" },
	{ "cri-containerd", "containerd" },
	{ "nerdctl", "containerd" },
	{ "crio", "cri-o" },
	{ "libpod", "podman" },
	{ "libpod-payload", "podman" },
};

/* NULL: a container's helper */
static const char *runtime_of(const char *prefix, size_t len)
{
	static const char helper[] = "conmon";
	size_t tail = sizeof(helper) - 1;

	if (len >= tail && !memcmp(prefix + len - tail, helper, tail))
		return NULL;
	for (size_t i = 0; i < sizeof(runtimes) / sizeof(*runtimes); i++)
		if (strlen(runtimes[i].prefix) == len &&
		    !memcmp(runtimes[i].prefix, prefix, len))
			return runtimes[i].runtime;
	return "container";
}

static bool is_digit(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

/* the number of digits from part that precede end */
static size_t digits_before(const char *part, const char *end)
{
	size_t n = 0;

	while (end - n > part && is_digit(end[-1 - (ptrdiff_t)n]))
		n++;
	return n;
}

/* The text before the id: "docker" of "docker-", or from the last colon on, or
 * the part above. */
static const char *prefix_of(const char *path, const char *part,
			     const char *id, size_t *len)
{
	const char *end = id - 1, *from;

	if (id == part) {		/* "/docker/ID" */
		if (part - path < 2)
			return *len = 0, "";
		end = part - 1;
		part = path;
	}
	for (from = end; from > part && from[-1] != ':' && from[-1] != '/';)
		from--;
	*len = (size_t)(end - from);
	return from;
}

/* Whether a part of a path, of len bytes, is a container's. */
static bool find_in(const char *path, const char *part, size_t len,
		    struct container *c)
{
	static const char scope[] = ".scope";
	size_t tail = sizeof(scope) - 1, n;
	const char *end = part + len, *prefix;

	if (len > tail && !memcmp(end - tail, scope, tail))
		end -= tail;
	if (digits_before(part, end) != CONTAINER_ID)
		return false;
	c->id = end - CONTAINER_ID;
	if (c->id > part && c->id[-1] != '-' && c->id[-1] != ':')
		return false;
	prefix = prefix_of(path, part, c->id, &n);
	c->runtime = runtime_of(prefix, n);
	c->below = part + len;
	return c->runtime;
}

bool container_find(const char *path, struct container *c)
{
	bool found = false;

	for (const char *part = path; *part;) {
		size_t len = strcspn(part, "/");
		struct container one;

		if (find_in(path, part, len, &one)) {
			*c = one;
			found = true;
		}
		part += len + (part[len] == '/');
	}
	return found;
}

/* The last parts of a long path, or NULL. */
static const char *last_parts(const char *path)
{
	size_t len = strlen(path);
	const char *from = len > CONTAINER_WIDE ?
			   strchr(path + len - (CONTAINER_WIDE - 2), '/') :
			   NULL;

	return from && from[1] ? from : NULL;
}

char *container_short(char *to, size_t size, const char *path)
{
	struct container c;
	const char *from;

	if (container_find(path, &c)) {
		snprintf(to, size, "%s:%.*s%s", c.runtime, CONTAINER_ID_SHORT,
			 c.id, c.below);
		return to;
	}
	from = last_parts(path);
	snprintf(to, size, "%s%s", from ? ".." : "", from ? from : path);
	return to;
}
