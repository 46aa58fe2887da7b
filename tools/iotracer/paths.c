/* SPDX-License-Identifier: GPL-2.0-only */
/* The paths of pinned watches; see paths.h. */
#include <errno.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "bpf/layout.h"
#include "bpf/syscall.h"
#include "tools/iotracer/paths.h"

/* --- below ---------------------------------------------------------------- */

#define MISSING ".../"

int below_init(struct below *n)
{
	*n = (struct below){ 0 };
	n->texts = calloc(BPF_NAMES_MAX + 1, sizeof(*n->texts));
	return n->texts ? 0 : -ENOMEM;
}

void below_free(struct below *n)
{
	for (size_t i = 0; n->texts && i <= BPF_NAMES_MAX; i++)
		free(n->texts[i]);
	free(n->texts);
	n->texts = NULL;
}

static bool is_whole(const struct bpf_name *name)
{
	uint32_t number = BPF_NAME_OF(name->file);

	return number && number <= BPF_NAMES_MAX && name->bytes <= BPF_NAME &&
		(!name->bytes || !name->text[name->bytes - 1]);
}

/* Joins the parts in reverse order with slashes; the length. */
static size_t put_parts(char *to, const struct bpf_name *name)
{
	const char *end = name->text + name->bytes, *part;
	char *p = to;

	while (end > name->text) {
		part = end - 1;
		while (part > name->text && part[-1])
			part--;
		memcpy(p, part, (size_t)(end - part));
		p += end - part;
		p[-1] = '/';
		end = part;
	}
	return p > to ? (size_t)(p - to) - 1 : 0;
}

char *below_path(const struct bpf_name *name, const char *directory)
{
	char parts[BPF_NAME], shown[BPF_NAME * ESCAPE_MAX + 1], *text;
	size_t len = strlen(directory);
	const char *slash = len && directory[len - 1] == '/' ? "" : "/";

	if (!name->bytes || !is_whole(name))
		return strdup(directory);
	escape_text(shown, sizeof(shown), parts, put_parts(parts, name));
	if (asprintf(&text, "%s%s%s%s", directory, slash,
		     name->cut ? MISSING : "", shown) < 0)
		return NULL;
	return text;
}

int below_add(struct below *n, const struct bpf_name *name,
	      const char *directory)
{
	char **place, *text;

	if (!is_whole(name))
		return 0;
	place = &n->texts[BPF_NAME_OF(name->file)];
	if (*place)
		n->bytes -= strlen(*place) + 1;
	free(*place);
	*place = NULL;
	text = below_path(name, directory);
	if (!text)
		return -ENOMEM;
	if (n->bytes + strlen(text) + 1 > BELOW_BYTES) {
		n->untold++;
		free(text);
		return 0;
	}
	n->bytes += strlen(text) + 1;
	*place = text;
	return 0;
}

const char *below_get(const struct below *n, uint32_t number)
{
	uint32_t i = BPF_NAME_OF(number);

	return n->texts && i <= BPF_NAMES_MAX ? n->texts[i] : NULL;
}

/* --- paths ---------------------------------------------------------------- */

enum { PATHS_MAX = 4096 };

/* Keyed by `added`. */
int paths_new(void)
{
	return bpf_map_new(BPF_MAP_TYPE_HASH, sizeof(uint64_t),
			   sizeof(struct path_entry), PATHS_MAX,
			   BPF_F_NO_PREALLOC);
}

static int newer_first(const void *a, const void *b)
{
	const struct path_entry *x = a, *y = b;

	return (x->added < y->added) - (x->added > y->added);
}

int paths_read(int map, struct path_entry **list)
{
	struct path_entry *all = malloc(sizeof(*all)), *more;
	const uint64_t *at = NULL;
	uint64_t key;
	int count = 0;

	while (all && !bpf_map_next(map, at, &key)) {
		at = &key;
		if (bpf_map_get(map, &key, &all[count]))
			continue;
		all[count].text[PATH_MAX - 1] = '\0';
		count++;
		more = realloc(all, (size_t)(count + 1) * sizeof(*all));
		if (!more)
			free(all);
		all = more;
	}
	if (!all)
		return -ENOMEM;
	qsort(all, (size_t)count, sizeof(*all), newer_first);
	*list = all;
	return count;
}

int paths_find(int map, const char *text, struct path_entry *e)
{
	struct path_entry *list;
	int n = paths_read(map, &list), err = -ENOENT;

	if (n < 0)
		return n;
	for (int i = 0; err && i < n; i++)
		if (!strcmp(list[i].text, text)) {
			*e = list[i];
			err = 0;
		}
	free(list);
	return err;
}

/* The newest number plus one. */
static int next_number(int map, uint64_t *number)
{
	struct path_entry *list;
	int n = paths_read(map, &list);

	if (n < 0)
		return n;
	*number = n ? list[0].added + 1 : 1;
	free(list);
	return 0;
}

int paths_add(int map, uint32_t file, const char *text, struct path_entry *e)
{
	int err = paths_find(map, text, e);

	if (err != -ENOENT)
		return err ? err : -EEXIST;
	*e = (struct path_entry){ .file = file };
	if (strlen(text) >= sizeof(e->text))
		return -ENAMETOOLONG;
	strcpy(e->text, text);
	err = next_number(map, &e->added);
	return err ? err : bpf_map_set(map, &e->added, e);
}

/* The number of a file's paths. */
static int count_of(int map, uint32_t file, unsigned int *count)
{
	struct path_entry *list;
	int n = paths_read(map, &list);

	if (n < 0)
		return n;
	*count = 0;
	for (int i = 0; i < n; i++)
		*count += list[i].file == file;
	free(list);
	return 0;
}

int paths_remove(int map, const char *text, unsigned int *left)
{
	struct path_entry e;
	int err = paths_find(map, text, &e);

	if (!err)
		err = bpf_map_remove(map, &e.added);
	return err ? err : count_of(map, e.file, left);
}

int paths_remove_file(int map, uint32_t file)
{
	struct path_entry *list;
	int n = paths_read(map, &list), err = 0;

	if (n < 0)
		return n;
	for (int i = 0; !err && i < n; i++)
		if (list[i].file == file)
			err = bpf_map_remove(map, &list[i].added);
	free(list);
	return err;
}
