/* SPDX-License-Identifier: GPL-2.0-only */
/* Whole I/Os to events; see rows.h. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/time.h"
#include "blktrace.h"
#include "import/columns.h"
#include "import/import.h"
#include "import/rows.h"
#include "record/payload.h"
#include "record/record.h"

enum {
	VOLUMES = 240,		/* a major number of no driver of Linux */
	SECTOR = 512,
};

/* how far lines may be out of order */
#define SLACK NS_PER_SECOND
#define SLACK_BY_END (60 * NS_PER_SECOND)

void rows_init(struct rows *w, const struct import_to *to, bool by_end)
{
	*w = (struct rows){ .to = to, .prefix = "", .by_end = by_end };
	import_order_init(&w->order, to);
}

void rows_free(struct rows *w)
{
	import_order_free(&w->order);
	hash_free(&w->devices);
}

const char *rows_lack(const struct columns *c)
{
	bool whole = columns_have(c, COLUMN_RESPONSE) ||
		     (columns_have(c, COLUMN_TIME) &&
		      columns_have(c, COLUMN_END));

	if (columns_have(c, COLUMN_SERVICE))
		return columns_have(c, COLUMN_QUEUE) || whole ?
			       "no plug or merge events" :
			       "no events before issue";
	if (columns_have(c, COLUMN_QUEUE) && whole)
		return "no plug or merge events";
	return whole ? IMPORTED_RESPONSE : IMPORTED_NO_RESPONSE;
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

static int find_device(struct rows *w, const struct row *r, uint32_t *number)
{
	char name[IMPORT_NAME];
	int64_t known;
	uint64_t key;
	int err;

	name_device(name, w, r);
	key = hash_text(&w->devices, name, strlen(name));
	known = hash_get_number(&w->devices, key);
	if (known >= 0) {
		*number = (uint32_t)known;
		return 0;
	}
	if (w->device_count > BLK_MINOR(UINT32_MAX))
		return -ERANGE;
	*number = BLK_DEVICE(VOLUMES, w->device_count);
	err = hash_put_number(&w->devices, key, *number);
	if (!err)
		err = w->to->device(w->to->ctx, *number, name);
	w->device_count++;
	return err;
}

/* --- events --------------------------------------------------------------- */

#define ACT(name) (BLK_TA_##name | BLK_TC_ACT(BLK_TC_##name))

static int add(struct rows *w, const struct event *of, uint64_t time,
	       uint32_t action, bool in_order)
{
	struct event ev = *of;

	if (time == ROW_NONE)
		return 0;
	ev.time = time;
	ev.action |= action;
	if (action == ACT(ISSUE) || action == ACT(COMPLETE))
		ev.action |= BLK_TC_ACT(BLK_TC_FS);
	if (action != ACT(COMPLETE))
		ev.error = 0;
	return import_order_add(&w->order, in_order ? 0 : HOLD_ALONE, &ev);
}

/* A flush is got and completed: what is issued for it is the kernel's own. */
static uint32_t issue_of(const struct event *ev)
{
	bool flush = ev->action & BLK_TC_ACT(BLK_TC_FLUSH) && !ev->bytes;

	return flush ? BLK_TA_GETRQ | BLK_TC_ACT(BLK_TC_QUEUE) : ACT(ISSUE);
}

/* What was not measured is at the time before. */
static int add_all(struct rows *w, const struct row *r, const struct event *ev)
{
	uint64_t q = r->queued, d = r->issued, c = r->completed;
	int err;

	if (d == ROW_NONE)
		d = q != ROW_NONE ? q : c;
	if (c == ROW_NONE)
		c = d;
	err = add(w, ev, q, ACT(QUEUE), !w->by_end);
	if (!err)
		err = add(w, ev, d, issue_of(ev), !w->by_end && d == q);
	return err ? err : add(w, ev, c, ACT(COMPLETE), w->by_end || c == q);
}

static uint64_t place_of(const struct rows *w, const struct row *r)
{
	return w->by_end ? r->completed : r->queued;
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
