/* SPDX-License-Identifier: GPL-2.0-only */
/* Whole I/Os to events; see rows.h. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/hint.h"
#include "base/time.h"
#include "blktrace.h"
#include "import/columns.h"
#include "import/import.h"
#include "import/rows.h"
#include "record/payload.h"
#include "record/record.h"

enum {
	VOLUMES = 240,		/* a major number of no driver of Linux */
	VOLUMES_MAX = 65536,	/* readers have no more */
	SECTOR = 512,
};

/* how far lines may be out of order */
#define SLACK NS_PER_SECOND
#define SLACK_BY_END (60 * NS_PER_SECOND)

#define ACT(name) (BLK_TA_##name | BLK_TC_ACT(BLK_TC_##name))

/* --- what was not measured ------------------------------------------------ */

/* A flush is got and completed: what is issued for it is the kernel's own. */
static uint32_t issue_of(const struct event *ev)
{
	bool flush = ev->action & BLK_TC_ACT(BLK_TC_FLUSH) && !ev->bytes;

	return flush ? BLK_TA_GETRQ | BLK_TC_ACT(BLK_TC_QUEUE) :
		       ACT(ISSUE) | BLK_TC_ACT(BLK_TC_FS);
}

static int hand_over(const struct rows *w, const struct event *q,
		     uint32_t action)
{
	struct event ev = *q;

	ev.action = (q->action & ~ACT(QUEUE)) | action;
	return w->to->event(w->to->ctx, &ev);
}

/* An event in its turn, and those that have its time for lack of their own. */
static int take_turn(void *ctx, const struct event *ev)
{
	const struct rows *w = ctx;
	int err = w->to->event(w->to->ctx, ev);

	if (err || event_number(ev) != BLK_TA_QUEUE)
		return err;
	if (!(w->times & ROW_ISSUED))
		err = hand_over(w, ev, issue_of(ev));
	if (!err && !(w->times & ROW_COMPLETED))
		err = hand_over(w, ev, ACT(COMPLETE) | BLK_TC_ACT(BLK_TC_FS));
	return err;
}

static void take_fault(void *ctx, uint64_t line, uint64_t at, const char *why)
{
	const struct rows *w = ctx;

	w->to->fault(w->to->ctx, line, at, why);
}

const char *rows_lack(unsigned int times)
{
	if (!(times & ROW_COMPLETED))
		return IMPORTED_NO_RESPONSE;
	if (!(times & ROW_ISSUED))
		return IMPORTED_RESPONSE;
	return times & ROW_QUEUED ? "no plug or merge events" :
				    "no events before issue";
}

void rows_init(struct rows *w, const struct import_to *to, unsigned int times,
	       bool by_end)
{
	*w = (struct rows){ .to = to, .prefix = "", .by_end = by_end,
			    .times = times };
	w->between = (struct import_to){ .event = take_turn,
					 .fault = take_fault, .ctx = w };
	import_order_init(&w->order, &w->between);
}

void rows_free(struct rows *w)
{
	import_order_free(&w->order);
	hash_free(&w->devices);
}

/* --- devices -------------------------------------------------------------- */

/* A name that is also good for a file. */
static void name_device(char name[IMPORT_NAME], const struct rows *w,
			const struct row *r)
{
	size_t len = (size_t)snprintf(name, IMPORT_NAME, "%s", w->prefix);

	for (unsigned int i = 0; i < r->devices; i++) {
		const struct field *f = &r->device[i];

		if (i && len < IMPORT_NAME - 1)
			name[len++] = '_';
		for (size_t k = 0; k < f->len && len < IMPORT_NAME - 1; k++) {
			unsigned char c = (unsigned char)f->text[k];
			bool good = isalnum(c) ||
				    (len && c && strchr("-._+", c));

			name[len++] = good ? (char)c : '_';
		}
	}
	if (!len)
		len = (size_t)snprintf(name, IMPORT_NAME, "disk");
	name[len] = '\0';
}

static int add_device(struct rows *w, const struct row *r, uint64_t key,
		      uint32_t *number)
{
	char name[IMPORT_NAME];
	int err;

	if (w->device_count == VOLUMES_MAX)
		return -ERANGE;
	*number = BLK_DEVICE(VOLUMES, w->device_count);
	err = hash_put_number(&w->devices, key, *number);
	name_device(name, w, r);
	if (!err)
		err = w->to->device(w->to->ctx, *number, name);
	w->device_count++;
	return err;
}

static int find_device(struct rows *w, const struct row *r, uint32_t *number)
{
	uint64_t key = 0;
	int64_t known;

	for (unsigned int i = 0; i < r->devices; i++)
		key = key * 31 + hash_text(&w->devices, r->device[i].text,
					   r->device[i].len);
	known = hash_get_number(&w->devices, key);
	if (UNLIKELY(known < 0))
		return add_device(w, r, key, number);
	*number = (uint32_t)known;
	return 0;
}

/* --- events --------------------------------------------------------------- */

static int add(struct rows *w, const struct event *of, uint64_t time,
	       uint32_t action, bool in_order)
{
	struct event ev = *of;

	if (time == ROW_NONE)
		return 0;
	ev.time = time;
	ev.action |= action;
	if ((action & BLK_ACTION_MASK) != BLK_TA_COMPLETE)
		ev.error = 0;
	return import_order_add(&w->order, in_order ? 0 : HOLD_ALONE, &ev);
}

static int add_all(struct rows *w, const struct row *r, const struct event *ev)
{
	int err = add(w, ev, r->queued, ACT(QUEUE), !w->by_end);

	if (!err)
		err = add(w, ev, r->issued, issue_of(ev), false);
	if (!err)
		err = add(w, ev, r->completed,
			  ACT(COMPLETE) | BLK_TC_ACT(BLK_TC_FS), w->by_end);
	return err;
}

static uint64_t place_of(const struct rows *w, const struct row *r)
{
	return w->by_end && r->completed != ROW_NONE ? r->completed : r->queued;
}

int rows_add(struct rows *w, const struct row *r)
{
	uint64_t slack = w->by_end ? SLACK_BY_END : SLACK;
	uint64_t now = place_of(w, r);
	struct event ev = {
		.sector = r->offset / SECTOR, .bytes = (uint32_t)r->bytes,
		.pid = r->pid, .cpu = r->cpu, .error = r->error,
		.action = r->categories << 16, .zone = r->categories >> 16,
		.payload = (const uint8_t *)"",
	};
	int err;

	if (r->bytes > UINT32_MAX)
		return -ERANGE;
	err = find_device(w, r, &ev.device);
	if (!err && r->process.len)
		err = w->to->process(w->to->ctx, r->pid, r->process.text,
				     r->process.len);
	if (!err)
		err = add_all(w, r, &ev);
	w->newest = now > w->newest ? now : w->newest;
	if (!err && w->newest > slack)
		err = import_order_release(&w->order, w->newest - slack);
	return err;
}

int rows_end(struct rows *w)
{
	return import_order_end(&w->order);
}
