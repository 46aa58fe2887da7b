/* SPDX-License-Identifier: GPL-2.0-only */
/* The file about the server; see status.h. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/metric.h"
#include "base/place.h"
#include "server/senders.h"
#include "server/status.h"

enum { TEXT = 64 << 10 };

/* --- the server ----------------------------------------------------------- */

#define NAME "blktrace_collector_"

#define VALUE(field) offsetof(struct status, field)

/* each a uint64_t */
static const struct {
	const char *name, *kind, *help;
	size_t value;
} values[] = {
	{ NAME "connections", "gauge", "Connections now.",
	  VALUE(connections) },
	{ NAME "runs", "gauge", "Runs being received.", VALUE(runs) },
	{ NAME "refused_total", "counter", "Connections refused or dropped.",
	  VALUE(refused) },
	{ NAME "removed_runs_total", "counter", "Stored runs removed again.",
	  VALUE(removed_runs) },
	{ NAME "removed_bytes_total", "counter", "Bytes of these.",
	  VALUE(removed_bytes) },
};

static void put_values(struct buf *b, const struct status *s)
{
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		uint64_t n;

		memcpy(&n, (const char *)s + values[i].value, sizeof(n));
		metric_one(b, values[i].name, values[i].kind, values[i].help,
			   n);
	}
}

/* --- senders -------------------------------------------------------------- */

static double runs_of(const struct sender *sender, int64_t now)
{
	(void)now;
	return sender->runs;
}

static double bytes_of(const struct sender *sender, int64_t now)
{
	(void)now;
	return (double)sender->stored;
}

static double refused_of(const struct sender *sender, int64_t now)
{
	(void)now;
	return (double)sender->refused;
}

/* 0 for one that has nothing to send */
static double lag_of(const struct sender *sender, int64_t now)
{
	return sender->runs ? (double)(now - sender->heard_ms) / 1000 : 0;
}

static const struct {
	const char *name, *kind, *help;
	double (*value)(const struct sender *sender, int64_t now);
} rows[] = {
	{ NAME "sender_runs", "gauge", "A sender's runs being received.",
	  runs_of },
	{ NAME "sender_bytes_total", "counter",
	  "Bytes of it that were stored.", bytes_of },
	{ NAME "sender_refused_total", "counter",
	  "Connections of it refused or dropped.", refused_of },
	{ NAME "sender_lag_seconds", "gauge",
	  "Time since its last byte, while it has runs.", lag_of },
};

static int by_name(const void *a, const void *b)
{
	const struct sender *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

/* Names need no escapes: they are addresses or valid identities. */
static void put_senders(struct buf *b, const struct sender *const *list,
			size_t count, int64_t now)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		metric_head(b, rows[i].name, rows[i].kind, rows[i].help);
		for (size_t k = 0; k < count; k++)
			buf_printf(b, "%s{sender=\"%s\"}"
				   " %.15g\n", rows[i].name, list[k]->name,
				   rows[i].value(list[k], now));
	}
}

/* The first ones by name, if there are too many. */
static int put_all_senders(struct buf *b, const struct status *s)
{
	const struct hash *h = &s->senders->by_name;
	const struct sender **list = malloc((h->count + 1) * sizeof(*list));
	size_t count = 0;

	if (!list)
		return -ENOMEM;
	for (size_t i = 0; h->slots && i <= h->mask; i++)
		if (h->slots[i].value)
			list[count++] = h->slots[i].value;
	qsort(list, count, sizeof(*list), by_name);
	put_senders(b, list, count < STATUS_SENDERS ? count : STATUS_SENDERS,
		    s->now);
	free(list);
	return 0;
}

/* --- the file ------------------------------------------------------------- */

static int put_all(struct buf *b, const struct status *s)
{
	int err;

	put_values(b, s);
	err = put_all_senders(b, s);
	return err ? err : buf_flush(b);
}

int status_write(const struct status *s, const struct opener *by,
		 const char *path)
{
	struct place p;
	struct buf b;
	int err = place_open(&p, by, path);

	if (err)
		return err;
	err = buf_init(&b, p.fd, TEXT);
	if (!err) {
		err = put_all(&b, s);
		buf_free(&b);
	}
	if (!err)
		return place_commit_soon(&p);
	place_discard(&p);
	return err;
}
