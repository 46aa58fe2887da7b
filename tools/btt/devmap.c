/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of devices; see devmap.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blktrace.h"
#include "tools/btt/devmap.h"

enum {
	PIECE = 256,		/* with its NUL */
	NAME = 252,
};

struct entry {
	struct entry *next;
	char name[NAME];
	char number[PIECE];	/* as in the file */
};

struct devmap {
	struct entry *first, **last;
};

static bool is_piece_char(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || (c > 0 && strchr(" :.,/_-", c));
}

/* reads a piece and the white space after it; false: it is empty */
static bool read_piece(FILE *in, char piece[PIECE])
{
	size_t len = 0;
	int c;

	while (len < PIECE - 1 && is_piece_char(c = getc(in)))
		piece[len++] = (char)c;
	piece[len] = '\0';
	if (!len)
		return false;
	if (len < PIECE - 1)
		ungetc(c, in);
	do
		c = getc(in);
	while (c != EOF && strchr(" \t\n\v\f\r", c));
	ungetc(c, in);
	return true;
}

/* false: less than two words; or no memory, with errno set */
static bool add_entry(struct devmap *map, char *piece)
{
	char *rest, *name = strtok_r(piece, " ", &rest);
	char *number = strtok_r(NULL, " ", &rest);
	struct entry *e;

	if (!name || !number)
		return false;
	e = calloc(1, sizeof(*e));
	if (!e)
		return false;
	snprintf(e->name, sizeof(e->name), "%s", name);
	snprintf(e->number, sizeof(e->number), "%s", number);
	*map->last = e;
	map->last = &e->next;
	return true;
}

struct devmap *devmap_read(const char *path)
{
	struct devmap *map = calloc(1, sizeof(*map));
	FILE *in = map ? fopen(path, "re") : NULL;
	char piece[PIECE];

	if (!in) {
		free(map);
		return NULL;
	}
	map->last = &map->first;
	errno = 0;
	while (read_piece(in, piece) && !strstr(piece, "Device") &&
	       add_entry(map, piece))
		;
	fclose(in);
	if (errno == ENOMEM) {
		devmap_free(map);
		errno = ENOMEM;
		return NULL;
	}
	return map;
}

const char *devmap_name(const struct devmap *map, uint32_t device)
{
	char number[32];

	snprintf(number, sizeof(number), "%u,%u", BLK_MAJOR(device),
		 BLK_MINOR(device));
	for (const struct entry *e = map ? map->first : NULL; e; e = e->next)
		if (!strcmp(e->number, number))
			return e->name;
	return NULL;
}

void devmap_free(struct devmap *map)
{
	struct entry *next;

	for (struct entry *e = map ? map->first : NULL; e; e = next) {
		next = e->next;
		free(e);
	}
	free(map);
}
