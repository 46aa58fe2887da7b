/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows of the table events; see event_row.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/num.h"
#include "blktrace.h"
#include "emit/row.h"
#include "record/action.h"
#include "record/payload.h"
#include "record/record.h"
#include "run/device.h"
#include "run/reader.h"
#include "tools/btexport/event_row.h"
#include "tools/btexport/naming.h"
#include "tools/btexport/row_table.h"
#include "tools/btexport/wall.h"

#define SECTORS "sectors of 512 bytes"

#define NEVER_NULL false
#define MAYBE_NULL true

struct event_row;

typedef void make_cell(struct event_row *row, const struct event *ev,
		       struct cell *c);

struct event_column {
	struct column column;
	make_cell *make;
};

struct event_row {
	const struct reader *reader;
	struct naming *naming;
	struct wall wall;
	uint64_t event;		/* the latest one's number */
	make_cell *makers[ROW_COLUMNS];
	unsigned int count;
	struct cell cells[ROW_COLUMNS];
	char dev[NAMING_DEV], from_dev[NAMING_DEV];
	char action[NUM_DECIMAL_MAX + NUM_SLACK];
	char flags[RWBS_MAX];
	/* only the part that payloads need is touched */
	char text[UTF8_MAX * UINT16_MAX];
	char payload[2 * UINT16_MAX];
};

/* --- kinds of actions ----------------------------------------------------- */

static bool is(const struct event *ev, enum blk_action number)
{
	return !event_is_note(ev) && event_number(ev) == (uint32_t)number;
}

/* plugs, unplugs and notes have no sector */
static bool is_placeless(const struct event *ev)
{
	return event_is_note(ev) || is(ev, BLK_TA_PLUG) ||
	       is(ev, BLK_TA_UNPLUG_IO) || is(ev, BLK_TA_UNPLUG_TIMER);
}

static bool has_number(const struct event *ev)
{
	return is(ev, BLK_TA_UNPLUG_IO) || is(ev, BLK_TA_UNPLUG_TIMER) ||
	       is(ev, BLK_TA_SPLIT);
}

/* --- cells ---------------------------------------------------------------- */

static void put_number(struct cell *c, bool known, uint64_t v)
{
	c->number = (int64_t)v;
	c->null = !known || v > INT64_MAX;
}

/* for columns that may not be null */
static void put_always(struct cell *c, uint64_t v, int64_t most)
{
	c->number = v <= (uint64_t)most ? (int64_t)v : most;
	c->null = false;
}

static void put_text(struct cell *c, const char *text, size_t len)
{
	c->text = text;
	c->len = (uint32_t)len;
	c->null = !len;
}

static void make_host(struct event_row *row, const struct event *ev,
		      struct cell *c)
{
	*c = *naming_host(row->naming, ev->origin);
}

static void make_trace(struct event_row *row, const struct event *ev,
		       struct cell *c)
{
	*c = *naming_trace(row->naming, ev->origin);
}

static void make_disk(struct event_row *row, const struct event *ev,
		      struct cell *c)
{
	*c = *naming_disk(row->naming, ev->lane->device, ev->device);
}

static void make_dev(struct event_row *row, const struct event *ev,
		     struct cell *c)
{
	put_text(c, row->dev, naming_dev(row->dev, ev->device));
}

static void make_event(struct event_row *row, const struct event *ev,
		       struct cell *c)
{
	(void)ev;
	put_always(c, row->event, INT64_MAX);
}

static void make_cpu(struct event_row *row, const struct event *ev,
		     struct cell *c)
{
	(void)row;
	put_always(c, ev->cpu, INT32_MAX);
}

static void make_seq(struct event_row *row, const struct event *ev,
		     struct cell *c)
{
	(void)row;
	put_always(c, ev->sequence, INT64_MAX);
}

static void make_unix(struct event_row *row, const struct event *ev,
		      struct cell *c)
{
	c->null = !wall_at(&row->wall, row->reader, ev->time, &c->number);
}

static void make_time(struct event_row *row, const struct event *ev,
		      struct cell *c)
{
	(void)row;
	put_always(c, ev->time, INT64_MAX);
}

/* An action without letters is shown as its number. */
static void make_action(struct event_row *row, const struct event *ev,
			struct cell *c)
{
	const char *text = event_is_message(ev) ? "m" :
		event_is_note(ev) ? NULL :
		event_is_pc(ev) ? action_text_pc(event_number(ev)) :
				  action_text(event_number(ev));

	if (!text && is(ev, BLK_TA_DRV_DATA))
		text = "data";
	if (text) {
		put_text(c, text, strlen(text));
		return;
	}
	text = num_u32(row->action, event_number(ev));
	put_text(c, row->action, (size_t)(text - row->action));
}

static void make_flags(struct event_row *row, const struct event *ev,
		       struct cell *c)
{
	put_text(c, row->flags, rwbs_text(ev, row->flags));
	c->null |= is_placeless(ev);
}

static void make_sector(struct event_row *row, const struct event *ev,
			struct cell *c)
{
	(void)row;
	put_number(c, !is_placeless(ev), ev->sector);
}

static void make_bytes(struct event_row *row, const struct event *ev,
		       struct cell *c)
{
	(void)row;
	put_number(c, !is_placeless(ev), ev->bytes);
}

static void make_pid(struct event_row *row, const struct event *ev,
		     struct cell *c)
{
	(void)row;
	put_always(c, ev->pid, INT32_MAX);
}

static void make_process(struct event_row *row, const struct event *ev,
			 struct cell *c)
{
	*c = *naming_process(row->naming, ev->origin, ev->pid);
}

static void make_cgroup(struct event_row *row, const struct event *ev,
			struct cell *c)
{
	uint64_t id;

	(void)row;
	c->null = true;
	if (!(ev->action & BLK_CGROUP_FLAG) || ev->pdu_len < BLK_CGROUP_SIZE)
		return;
	id = get64(ev->payload);
	put_number(c, id, ev->swapped ? __builtin_bswap64(id) : id);
}

/* The kernel stores a negative 16-bit number. */
static void make_error(struct event_row *row, const struct event *ev,
		       struct cell *c)
{
	(void)row;
	put_always(c, (uint16_t)(0 - ev->error), INT32_MAX);
}

static void make_from_dev(struct event_row *row, const struct event *ev,
			  struct cell *c)
{
	struct remap r;

	c->null = true;
	if (is(ev, BLK_TA_REMAP) && payload_remap(ev, &r))
		put_text(c, row->from_dev, naming_dev(row->from_dev, r.from));
}

static void make_from_sector(struct event_row *row, const struct event *ev,
			     struct cell *c)
{
	struct remap r = { 0 };
	bool known = is(ev, BLK_TA_REMAP) && payload_remap(ev, &r);

	(void)row;
	put_number(c, known, r.sector);
}

static void make_number(struct event_row *row, const struct event *ev,
			struct cell *c)
{
	uint64_t v = 0;
	bool known = has_number(ev) && payload_number(ev, &v);

	(void)row;
	put_number(c, known, v);
}

static void make_text(struct event_row *row, const struct event *ev,
		      struct cell *c)
{
	size_t len = 0;
	const char *text = (const char *)payload_body(ev, &len);

	c->null = true;
	if (!event_is_message(ev))
		return;
	len = strnlen(text, len);
	put_text(c, row->text, utf8_clean(row->text, sizeof(row->text), text,
					  len));
}

static bool is_shown_otherwise(const struct event *ev)
{
	return event_is_message(ev) || has_number(ev) || is(ev, BLK_TA_REMAP);
}

static void make_payload(struct event_row *row, const struct event *ev,
			 struct cell *c)
{
	static const char digits[] = "0123456789abcdef";
	size_t len = 0;
	const uint8_t *body = payload_body(ev, &len);

	if (is_shown_otherwise(ev))
		len = 0;
	for (size_t i = 0; i < len; i++) {
		row->payload[2 * i] = digits[body[i] >> 4];
		row->payload[2 * i + 1] = digits[body[i] & 15];
	}
	put_text(c, row->payload, 2 * len);
}

/* --- the table ------------------------------------------------------------ */

static const struct event_column columns[] = {
	{ { "host", COLUMN_TEXT, NEVER_NULL, "",
	    "the machine: its directory's name, or its own" },
	  make_host },
	{ { "disk", COLUMN_TEXT, MAYBE_NULL, "",
	    "the device's name, or its dev" }, make_disk },
	{ { "dev", COLUMN_TEXT, NEVER_NULL, "",
	    "major and minor number, as recorded" }, make_dev },
	{ { "event", COLUMN_INT64, NEVER_NULL, "",
	    "from 1, in the order of time" }, make_event },
	{ { "cpu", COLUMN_INT32, NEVER_NULL, "",
	    "where it was recorded" }, make_cpu },
	{ { "seq", COLUMN_INT64, NEVER_NULL, "",
	    "its number among those of its device and CPU" }, make_seq },
	{ { "unix_ns", COLUMN_INT64, MAYBE_NULL, "ns",
	    "time_ns as the time of day: since 1970, UTC" }, make_unix },
	{ { "time_ns", COLUMN_INT64, NEVER_NULL, "ns",
	    "since the first event of the trace" }, make_time },
	{ { "action", COLUMN_TEXT, NEVER_NULL, "",
	    "its letters, as blkparse has them; m: a message, data: of a "
	    "driver; else the number" }, make_action },
	{ { "flags", COLUMN_TEXT, MAYBE_NULL, "",
	    "the RWBS letters" }, make_flags },
	{ { "sector", COLUMN_INT64, MAYBE_NULL, SECTORS,
	    "where; null of P, U, UT, m" }, make_sector },
	{ { "bytes", COLUMN_INT64, MAYBE_NULL, "bytes",
	    "how much; null of P, U, UT, m" }, make_bytes },
	{ { "pid", COLUMN_INT32, NEVER_NULL, "",
	    "process during which it came" }, make_pid },
	{ { "process", COLUMN_TEXT, MAYBE_NULL, "",
	    "name of that process" }, make_process },
	{ { "cgroup", COLUMN_INT64, MAYBE_NULL, "",
	    "id of the control group" }, make_cgroup },
	{ { "error", COLUMN_INT32, NEVER_NULL, "",
	    "errno of a completion, or 0" }, make_error },
	{ { "from_dev", COLUMN_TEXT, MAYBE_NULL, "",
	    "of A: the device that it was remapped from" }, make_from_dev },
	{ { "from_sector", COLUMN_INT64, MAYBE_NULL, SECTORS,
	    "of A: where it was there" }, make_from_sector },
	{ { "number", COLUMN_INT64, MAYBE_NULL, "",
	    "of U and UT: requests; of X: where the rest starts, in sectors" },
	  make_number },
	{ { "text", COLUMN_TEXT, MAYBE_NULL, "",
	    "of m: the message" }, make_text },
	{ { "payload", COLUMN_TEXT, MAYBE_NULL, "",
	    "any other, in hexadecimal: a command, a driver's data" },
	  make_payload },
	{ { "trace", COLUMN_TEXT, NEVER_NULL, "", "as in ios" },
	  make_trace },
};

const struct row_table events_table = {
	.name = "events",
	.words = "a record of the trace, as it was written",
	.first = columns,
	.step = sizeof(*columns),
	.count = sizeof(columns) / sizeof(*columns),
	.sums = { "bytes" },
};

/* --- rows ----------------------------------------------------------------- */

const struct cell *event_row_make(struct event_row *row, const struct event *ev)
{
	row->event++;
	for (unsigned int i = 0; i < row->count; i++)
		row->makers[i](row, ev, &row->cells[i]);
	return row->cells;
}

void event_row_skip(struct event_row *row)
{
	row->event++;
}

int event_row_new(struct event_row **out, const struct reader *r,
		  struct naming *n, const unsigned int *numbers,
		  unsigned int count)
{
	struct event_row *row = calloc(1, sizeof(*row));

	*out = row;
	if (!row)
		return -ENOMEM;
	row->reader = r;
	row->naming = n;
	row->count = count;
	for (unsigned int i = 0; i < count; i++)
		row->makers[i] = columns[numbers[i]].make;
	return 0;
}

void event_row_free(struct event_row *row)
{
	free(row);
}
