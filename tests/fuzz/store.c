/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * server/store and server/tokens for fuzzing: they keep sums instead of files, and
 * give up when they are asked for a name that no file should have.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blktrace.h"
#include "server/store.h"
#include "server/tokens.h"
#include "tests/fuzz/store.h"

struct store {
	uint64_t sum, bytes, max_bytes;
};

struct store_dir {
	struct store *store;
};

struct store_file {
	struct store *store;
	uint64_t size;
};

uint64_t store_sum(const struct store *s)
{
	return s->sum;
}

static void add(struct store *s, uint64_t n)
{
	s->sum = (s->sum ^ n) * 0x100000001b3u;
}

/* What would be the last part of a path must stay one, and harmless. */
static void check_name(const char *device, uint32_t cpu)
{
	if (!*device || strchr(device, '/') || strlen(device) > 31 ||
	    !strcmp(device, ".") || !strcmp(device, "..") ||
	    *device == '-' || strpbrk(device, " $*?'\"\\|&;<>\n") ||
	    cpu >= BLK_CPU_MAX)
		abort();
}

int store_new(struct store **s, const struct store_options *o)
{
	*s = calloc(1, sizeof(**s));
	if (!*s)
		return -ENOMEM;
	(*s)->max_bytes = o->max_bytes;
	return 0;
}

uint64_t store_free_files(const struct store *s)
{
	(void)s;
	return UINT64_MAX;
}

void store_free(struct store *s)
{
	free(s);
}

int store_dir_new(struct store *s, const char *host, time_t when,
		  struct store_dir **f)
{
	(void)host, (void)when;
	*f = calloc(1, sizeof(**f));
	if (!*f)
		return -ENOMEM;
	(*f)->store = s;
	return 0;
}

const char *store_dir_name(const struct store_dir *f)
{
	(void)f;
	return "folder";
}

int store_dir_open(struct store *s, const char *name, struct store_dir **f)
{
	(void)name;
	*f = calloc(1, sizeof(**f));
	if (!*f)
		return -ENOMEM;
	(*f)->store = s;
	return 0;
}

bool store_dir_has(const struct store_dir *f, const char *device, uint32_t cpu)
{
	(void)f;
	check_name(device, cpu);
	return cpu % 2;
}

int store_dir_card(struct store_dir *f, const char *device, const void *bytes,
		   size_t len)
{
	const uint8_t *b = bytes;
	struct store *s = f->store;

	check_name(device, 0);
	if (s->max_bytes && len > s->max_bytes - s->bytes)
		return -EDQUOT;
	s->bytes += len;
	for (size_t i = 0; i < len; i++)
		add(s, b[i]);
	return 0;
}

int store_dir_add(struct store_dir *f, const char *device, uint32_t cpu)
{
	(void)f;
	check_name(device, cpu);
	return 0;
}

int store_dir_find(const struct store_dir *f, const char *suffix, char *name,
		   size_t size)
{
	(void)f, (void)suffix, (void)name, (void)size;
	return 0;
}

void store_dir_free(struct store_dir *f)
{
	free(f);
}

struct store_file *store_file_new(struct store_dir *f, const char *device,
				  uint32_t cpu)
{
	struct store_file *file = calloc(1, sizeof(*file));

	check_name(device, cpu);
	if (file)
		file->store = f->store;
	return file;
}

struct store_file *store_file_named(struct store_dir *f, const char *name)
{
	char device[64];
	size_t len = strlen(name);

	if (len < 4 || len >= sizeof(device) || strcmp(name + len - 4, ".btz"))
		abort();
	snprintf(device, sizeof(device), "%.*s", (int)len - 4, name);
	return store_file_new(f, device, 0);
}

int store_file_reader(const struct store_file *file)
{
	(void)file;
	return -ENOENT;
}

int store_file_write(struct store_file *file, const void *bytes, size_t len,
		     size_t *stored)
{
	struct store *s = file->store;
	uint64_t room = s->max_bytes - s->bytes;
	const uint8_t *p = bytes;

	*stored = len < room ? len : (size_t)room;
	for (size_t i = 0; i < *stored; i++)
		add(s, p[i]);
	s->bytes += *stored;
	file->size += *stored;
	return *stored < len ? -EDQUOT : 0;
}

int store_file_length(struct store_file *file, uint64_t *length)
{
	*length = file->size;
	return 0;
}

/* A file that is opened is empty. */
ssize_t store_file_read(struct store_file *file, uint64_t from, void *bytes,
			size_t len)
{
	(void)file, (void)from, (void)bytes, (void)len;
	return 0;
}

/* Nothing can be cut off that has not been written. */
int store_file_cut(struct store_file *file, uint64_t n)
{
	if (n > file->size)
		abort();
	file->size -= n;
	add(file->store, n);
	return 0;
}

void store_file_free(struct store_file *file)
{
	free(file);
}

/* --- tokens --------------------------------------------------------------- */

enum { TOKENS = 4 };

struct tokens {
	struct {
		uint8_t token[FRAME_TOKEN];
		struct token_run run;
	} list[TOKENS];
	unsigned int count;
};

int tokens_open(struct tokens **t, int directory, time_t now)
{
	(void)directory, (void)now;
	*t = calloc(1, sizeof(**t));
	return *t ? 0 : -ENOMEM;
}

const struct token_run *tokens_find(struct tokens *t,
				    const uint8_t token[FRAME_TOKEN],
				    time_t now)
{
	(void)now;
	for (unsigned int i = 0; i < t->count; i++)
		if (!memcmp(t->list[i].token, token, FRAME_TOKEN))
			return &t->list[i].run;
	return NULL;
}

int tokens_add(struct tokens *t, const uint8_t token[FRAME_TOKEN],
	       const char *directory, const char *sender, time_t now)
{
	struct token_run *run;

	(void)now;
	if (t->count == TOKENS)
		return -ENOSPC;
	memcpy(t->list[t->count].token, token, FRAME_TOKEN);
	run = &t->list[t->count++].run;
	snprintf(run->directory, sizeof(run->directory), "%s", directory);
	snprintf(run->sender, sizeof(run->sender), "%s", sender);
	return 0;
}

int tokens_checked(struct tokens *t, const uint8_t token[FRAME_TOKEN])
{
	(void)t, (void)token;
	return 0;
}

int tokens_end(struct tokens *t, const uint8_t token[FRAME_TOKEN], time_t now)
{
	(void)now;
	for (unsigned int i = 0; i < t->count; i++)
		if (!memcmp(t->list[i].token, token, FRAME_TOKEN))
			t->list[i].run.ended = true;
	return 0;
}

void tokens_free(struct tokens *t)
{
	free(t);
}
