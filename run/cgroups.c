/* SPDX-License-Identifier: GPL-2.0-only */
/* Paths of cgroups; see cgroups.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/container.h"
#include "machine/card.h"
#include "run/cgroups.h"

void cgroups_free(struct cgroups *c)
{
	for (size_t i = 0; i < c->count; i++)
		free(c->paths[i]);
	free(c->paths);
	free(c->containers);
	hash_free(&c->by_id);
	hash_free(&c->by_path);
	*c = (struct cgroups){ .paths = NULL };
}

/* Origin and id hashed into 64 bits, by a seed that inputs cannot know. */
static uint64_t key_of(const struct cgroups *c, uint16_t origin, uint64_t id)
{
	char bytes[sizeof(origin) + sizeof(id)];

	memcpy(bytes, &origin, sizeof(origin));
	memcpy(bytes + sizeof(origin), &id, sizeof(id));
	return hash_text(&c->by_id, bytes, sizeof(bytes));
}

static int add_path(struct cgroups *c, const char *path)
{
	size_t size = c->size;
	char **paths = array_reserve(c->paths, c->count, &c->size, 64,
				     sizeof(*paths));
	int64_t *containers;

	if (!paths)
		return -ENOMEM;
	c->paths = paths;
	containers = array_reserve(c->containers, c->count, &size, 64,
				   sizeof(*containers));
	if (!containers)
		return -ENOMEM;
	c->containers = containers;
	paths[c->count] = strdup(path);
	if (!paths[c->count])
		return -ENOMEM;
	containers[c->count++] = -1;
	return 0;
}

static int64_t number_of(struct cgroups *c, const char *path);

/* Paths below a container belong to it. */
static int find_container(struct cgroups *c, const char *path, int64_t number)
{
	struct container in;
	int64_t whole = number;
	char *above;

	if (!container_find(path, &in))
		return 0;
	if (*in.below) {
		above = strndup(path, (size_t)(in.below - path));
		whole = above ? number_of(c, above) : -1;
		free(above);
	}
	if (whole < 0)
		return -ENOMEM;
	c->containers[number] = whole;
	return 0;
}

/* The number of a path, added if it is new; -1: no memory. */
static int64_t number_of(struct cgroups *c, const char *path)
{
	uint64_t key = hash_text(&c->by_path, path, strlen(path));
	int64_t number = hash_get_number(&c->by_path, key);

	if (number >= 0)
		return number;
	if (add_path(c, path))
		return -1;
	number = (int64_t)c->count - 1;
	if (hash_put_number(&c->by_path, key, (uint32_t)number) ||
	    find_container(c, path, number))
		return -1;
	return number;
}

int cgroups_learn(struct cgroups *c, uint16_t origin, uint64_t id,
		  const char *path)
{
	int64_t number;
	int err;

	if (*path != '/' || strlen(path) >= CGROUP_PATH ||
	    c->ids == CGROUPS_MAX || cgroups_find(c, origin, id) >= 0)
		return 0;
	number = number_of(c, path);
	if (number < 0)
		return -ENOMEM;
	err = hash_put_number(&c->by_id, key_of(c, origin, id),
			      (uint32_t)number);
	c->ids += !err;
	return err;
}

/* Decimal digits of a number of 64 bits, and nothing else. */
static bool read_id(const char *text, uint64_t *id)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*id = strtoull(text, &end, 10);
	return !*end && !errno;
}

int cgroups_learn_card(struct cgroups *c, uint16_t origin,
		       const struct card *card)
{
	static const char group[] = "cgroups.";
	const struct card_value *v;
	uint64_t id;
	int err = 0;

	for (size_t i = 0; !err && (v = card_value(card, i)); i++)
		if (v->kind == CARD_TEXT &&
		    !strncmp(v->key, group, sizeof(group) - 1) &&
		    read_id(v->key + sizeof(group) - 1, &id))
			err = cgroups_learn(c, origin, id, v->text);
	return err;
}

int64_t cgroups_find(const struct cgroups *c, uint16_t origin, uint64_t id)
{
	return c->ids ? hash_get_number(&c->by_id, key_of(c, origin, id)) : -1;
}

int64_t cgroups_find_path(const struct cgroups *c, const char *path)
{
	return hash_get_number(&c->by_path, hash_text(&c->by_path, path,
						      strlen(path)));
}

const char *cgroups_path(const struct cgroups *c, uint64_t number)
{
	return number < c->count ? c->paths[number] : NULL;
}

int64_t cgroups_container(const struct cgroups *c, uint64_t number)
{
	return number < c->count ? c->containers[number] : -1;
}
