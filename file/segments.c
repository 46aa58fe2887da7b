/* SPDX-License-Identifier: GPL-2.0-only */
/* Segments of one trace; see segments.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "blktrace.h"
#include "file/segments.h"
#include "file/shelf.h"
#include "record/record.h"

/* "agai" and "segm", which no kernel leaves in a time stamp */
enum { MARK_SEQUENCE = 0x61676169, MARK_PID = 0x7365676d };

enum { NUMBER_MAX = 9 };	/* digits */

void segment_name(char name[SEGMENT_NAME], unsigned int number, time_t begin)
{
	struct tm tm = { .tm_mday = 1 };
	int len = snprintf(name, SEGMENT_NAME, "%04u", number);

	localtime_r(&begin, &tm);
	strftime(name + len, SEGMENT_NAME - (size_t)len, "-%Y-%m-%d-%H:%M:%S",
		 &tm);
}

/* whether a name may end so after its time */
static bool is_end(const char *text)
{
	if (!strncmp(text, SEGMENT_PACKED, strlen(SEGMENT_PACKED)))
		text += strlen(SEGMENT_PACKED);
	return !*text || !strcmp(text, SEGMENT_PARTIAL);
}

/* whether text starts as shape, in which 0 stands for any digit */
static bool has_shape(const char *text, const char *shape)
{
	for (; *shape; text++, shape++)
		if (*shape == '0' ? *text < '0' || *text > '9' :
				    *text != *shape)
			return false;
	return true;
}

unsigned int segment_number(const char *name)
{
	static const char time[] = "-0000-00-00-00:00:00";
	size_t digits = strspn(name, "0123456789");
	const char *end = name + digits + sizeof(time) - 1;

	if (digits < 4 || digits > NUMBER_MAX ||
	    !has_shape(name + digits, time) || !is_end(end))
		return 0;
	return (unsigned int)strtoul(name, NULL, 10);
}

void segment_head_mark(struct event *stamp, const struct segment_head *h)
{
	stamp->sequence = MARK_SEQUENCE;
	stamp->pid = MARK_PID;
	stamp->sector = h->border;
	stamp->bytes = h->len;
}

bool segment_head_of(const struct event *first, struct segment_head *h)
{
	*h = (struct segment_head){ first->sector, first->bytes };
	return event_is_note(first) &&
	       event_number(first) == BLK_TN_TIMESTAMP &&
	       first->sequence == MARK_SEQUENCE && first->pid == MARK_PID;
}

void segments_free(struct segments *s)
{
	for (size_t i = 0; i < s->count; i++)
		free(s->list[i].path);
	free(s->list);
	*s = (struct segments){ 0 };
}

static unsigned int number_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return segment_number(slash ? slash + 1 : path);
}

static int by_number(const void *a, const void *b)
{
	const struct segments_one *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return strcmp(x->path, y->path);
}

/* Takes path over, also on failure; the caller sorts. */
static int append(struct segments *s, char *path)
{
	struct segments_one *list = path ? realloc(s->list, (s->count + 1) *
						   sizeof(*list)) : NULL;

	if (!list) {
		free(path);
		return -ENOMEM;
	}
	s->list = list;
	list[s->count++] = (struct segments_one){ number_of(path), path };
	return 0;
}

int segments_add(struct segments *s, const char *path)
{
	int err;

	if (!number_of(path))
		return -EINVAL;
	for (size_t i = 0; i < s->count; i++)
		if (!strcmp(s->list[i].path, path))
			return 0;
	err = append(s, strdup(path));
	if (!err)
		qsort(s->list, s->count, sizeof(*s->list), by_number);
	return err;
}

struct found {
	struct segments *segments;
	const char *dir;
};

static int append_item(void *ctx, const struct folder_item *item)
{
	const struct found *f = ctx;
	size_t len = strlen(f->dir);
	char *path;

	if (!segment_number(item->name))
		return 0;
	if (text_print(&path, "%s%s%s", f->dir,
		       len && f->dir[len - 1] != '/' ? "/" : "",
		       item->name) < 0)
		path = NULL;
	return append(f->segments, path);
}

/* In a packed file each segment comes with each of its files. */
static void drop_repeated(struct segments *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->count; i++) {
		if (kept && !strcmp(s->list[kept - 1].path, s->list[i].path))
			free(s->list[i].path);
		else
			s->list[kept++] = s->list[i];
	}
	s->count = kept;
}

int segments_find(struct segments *s, const char *dir)
{
	struct found f = { s, dir };
	int err;

	*s = (struct segments){ 0 };
	err = shelf_walk(dir, append_item, &f);
	if (!err && !s->count)
		err = -ENOENT;
	if (err) {
		segments_free(s);
		return err;
	}
	qsort(s->list, s->count, sizeof(*s->list), by_number);
	drop_repeated(s);
	return 0;
}
