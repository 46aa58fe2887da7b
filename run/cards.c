/* SPDX-License-Identifier: GPL-2.0-only */
/* The cards of traces; see cards.h. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "file/files.h"
#include "file/location.h"
#include "file/source.h"
#include "file/source_chain.h"
#include "run/cards.h"

/* The device's last file; NULL: the files are of 2005. */
static const char *last_file(const struct files *f)
{
	const struct file_entry *e = f->list;

	if (e->old)
		return NULL;
	return e->link_count ? e->links[e->link_count - 1].path : e->path;
}

/* path: NAME.blktrace.json of NAME.blktrace.CPU, or NULL.  0 or -ENOMEM. */
static int path_beside(const char *file, char **path)
{
	const char *cut = NULL;

	*path = NULL;
	for (const char *at = file; at && (at = strstr(at, ".blktrace."));
	     at++)
		cut = at;
	if (cut && text_print(path, "%.*s" CARD_SUFFIX, (int)(cut - file),
			      file) < 0) {
		*path = NULL;
		return -ENOMEM;
	}
	return 0;
}

/* A card in a packed file. */
static int read_packed(struct card **c, const char *path, char why[CARD_WHY])
{
	char *bytes = malloc(CARD_BYTES);
	struct source *src;
	ssize_t n = bytes ? source_open(&src, path) : -ENOMEM;

	if (!n) {
		n = source_fill(src, bytes, CARD_BYTES);
		source_close(src);
	}
	if (n < 0)
		snprintf(why, CARD_WHY, "%s", strerror((int)-n));
	else
		n = card_parse(c, bytes, (size_t)n, why);
	free(bytes);
	return (int)n;
}

int cards_read(struct card **c, const char *path, char why[CARD_WHY])
{
	int err = card_read(c, path, why);

	return err == -ENOTDIR ? read_packed(c, path, why) : err;
}

int cards_find(const struct location *at, struct card **c, char **path,
	       char why[CARD_WHY])
{
	struct files files;
	const char *file;
	int err;

	*c = NULL;
	*path = NULL;
	err = at->name ? location_files(at, &files) : -ENOENT;
	if (err)
		return err;
	file = last_file(&files);
	if (file)
		err = path_beside(file, path);
	files_free(&files);
	if (!err)
		err = *path ? cards_read(c, *path, why) : -ENOENT;
	return err;
}

static bool is_same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* the same boot of a machine, so the same clock */
static bool is_same_machine(const struct card *a, const struct card *b)
{
	return is_same(card_text(a, "host"), card_text(b, "host")) &&
	       is_same(card_text(a, "boot_id"), card_text(b, "boot_id"));
}

const struct card *cards_of_host(const struct locations *l, unsigned int host)
{
	for (size_t i = 0; i < l->count; i++)
		if (l->list[i].host == host && l->list[i].card)
			return l->list[i].card;
	return NULL;
}

/* The host, from first on, of a location before i of the same machine; or
 * UINT_MAX. */
static unsigned int host_like(const struct locations *l, size_t i,
			      unsigned int first)
{
	for (size_t k = 0; k < i; k++)
		if (l->list[k].host >= first && l->list[k].card &&
		    is_same_machine(l->list[k].card, l->list[i].card))
			return l->list[k].host;
	return UINT_MAX;
}

/* Devices named by themselves are one host, unless their cards differ. */
static int split_own(struct locations *l)
{
	unsigned int own = l->own_host - 1, first = l->host_count;
	const struct card *mine = cards_of_host(l, own);
	int err = 0;

	for (size_t i = 0; !err && l->own_host && i < l->count; i++) {
		struct location *at = &l->list[i];
		unsigned int host;

		if (at->host != own || !at->card ||
		    is_same_machine(at->card, mine))
			continue;
		host = host_like(l, i, first);
		if (host == UINT_MAX) {
			host = l->host_count;
			err = locations_add_host(l, ".");
		}
		at->host = host;
	}
	return err;
}

static int name_hosts(struct locations *l)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < l->host_count; i++) {
		const char *name = card_text(cards_of_host(l, i), "host");

		if (name && *name)
			err = locations_name_host(l, i, name);
	}
	return err;
}

static int load_one(struct location *at, const struct cards_hooks *hooks)
{
	char *path, why[CARD_WHY] = "";
	int err = cards_find(at, &at->card, &path, why);

	/* -EOPNOTSUPP: built without cards */
	if (err && err != -ENOENT && err != -EOPNOTSUPP && path)
		hooks->unread(hooks->ctx, path, why);
	free(path);
	return err == -ENOMEM ? err : 0;
}

int cards_load(struct locations *l, const struct cards_hooks *hooks)
{
	int err = 0;

	for (size_t i = 0; !err && i < l->count; i++)
		err = load_one(&l->list[i], hooks);
	if (!err)
		err = split_own(l);
	return err ? err : name_hosts(l);
}
