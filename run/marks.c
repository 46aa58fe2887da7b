/* SPDX-License-Identifier: GPL-2.0-only */
/* The marks of a run; see marks.h. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/time.h"
#include "record/payload.h"
#include "record/record.h"
#include "run/device.h"
#include "run/marks.h"

/* between the first and the last device of a mark, ns */
#define TOGETHER NS_PER_SECOND

enum { FIRST = 16 };	/* size of the list at first */

/* Messages of schedulers and drivers differ from marks only in their text. */
static const char *const foreign[] = {
	"bfq", "cfq", "throtl ", "raid1 ", "raid5 ", "raid10 ", "md ",
	"elv switch: ", "blktrace: ", "iotracer: ",
};

enum { FOREIGN = sizeof(foreign) / sizeof(*foreign) };

const char *mark_foreign(unsigned int nr)
{
	return nr < FOREIGN ? foreign[nr] : NULL;
}

bool mark_is_foreign(const char *text, size_t len)
{
	for (unsigned int i = 0; i < FOREIGN; i++) {
		size_t n = strlen(foreign[i]);

		if (len >= n && !memcmp(text, foreign[i], n))
			return true;
	}
	return false;
}

/* false: it is no mark */
static bool read_mark(struct mark *to, const struct event *ev, uint64_t time)
{
	size_t len;
	const char *text = (const char *)payload_body(ev, &len);

	len = strnlen(text, len);
	while (len && text[len - 1] == '\n')
		len--;
	if (!len || mark_is_foreign(text, len))
		return false;
	*to = (struct mark){
		.time = time,
		.device = ev->lane->device->id,
		.devices = 1,
		.pid = ev->pid,
		.origin = ev->origin,
		.len = (uint8_t)(len < MARK_TEXT ? len : MARK_TEXT),
	};
	memcpy(to->text, text, to->len);
	return true;
}

static bool is_same(const struct mark *a, const struct mark *b)
{
	return a->pid == b->pid && a->origin == b->origin &&
	       a->len == b->len && !memcmp(a->text, b->text, a->len);
}

/* Whether a mark is the last one on another device.  If the first device has it
 * again, it is a new one. */
static bool joins(const struct marks *m, const struct mark *new)
{
	const struct mark *last;

	if (!m->count)
		return false;
	last = &m->list[m->count - 1];
	return is_same(last, new) && last->device != new->device &&
	       new->time - last->time < TOGETHER;
}

static int make_room(struct marks *m)
{
	struct mark *list;

	if (m->count >= MARKS_MAX)
		return -1;
	list = array_reserve(m->list, m->count, &m->size, FIRST, sizeof(*list));
	if (!list)
		return -1;
	m->list = list;
	return 0;
}

bool marks_want(const struct marks *m, const struct event *ev)
{
	struct mark mark;

	return m->count < MARKS_MAX && event_is_message(ev) &&
	       read_mark(&mark, ev, ev->time);
}

void marks_take(struct marks *m, const struct event *ev, uint64_t time)
{
	struct mark new;

	if (!event_is_message(ev) || !read_mark(&new, ev, time))
		return;
	if (joins(m, &new))
		m->list[m->count - 1].devices++;
	else if (make_room(m))
		m->more++;
	else
		m->list[m->count++] = new;
}

size_t marks_until(const struct marks *m, uint64_t time)
{
	size_t from = 0, end = m->count;

	while (from < end) {
		size_t middle = from + (end - from) / 2;

		if (m->list[middle].time <= time)
			from = middle + 1;
		else
			end = middle;
	}
	return from;
}

void marks_free(struct marks *m)
{
	free(m->list);
	*m = (struct marks){ .count = 0 };
}
