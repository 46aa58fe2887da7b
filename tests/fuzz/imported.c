/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables and texts of other programs for libFuzzer: events come in order of
 * time, on devices that were named before, and what is wrong has a reason.
 *
 * An input is the size of the pieces in which it comes, a byte; a format's name
 * and columns, a line each; and the file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "file/source.h"
#include "import/columns.h"
#include "import/formats.h"
#include "record/record.h"
#include "tests/fuzz/must.h"
#include "tests/fuzz/trickle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct got {
	bool about;
	uint64_t time;		/* of the last event */
	struct hash devices;
};

static int take_about(void *ctx, const struct import_about *a)
{
	struct got *g = ctx;

	must(a->from && *a->from);
	g->about = true;
	return 0;
}

static int take_device(void *ctx, uint32_t number, const char *name)
{
	struct got *g = ctx;

	must(*name && *name != '.' && !strchr(name, '/'));
	must(strlen(name) < IMPORT_NAME);
	return hash_put_number(&g->devices, number, 0);
}

static int take_process(void *ctx, uint32_t pid, const char *name, size_t len)
{
	(void)ctx, (void)pid;
	must(len && name);
	return 0;
}

static int take_event(void *ctx, const struct event *ev)
{
	struct got *g = ctx;

	must(g->about && ev->time >= g->time);
	must(ev->cpu < BLK_CPU_MAX && !event_is_note(ev));
	must(hash_get_number(&g->devices, ev->device) >= 0);
	g->time = ev->time;
	return 0;
}

static int take_loss(void *ctx, uint32_t cpu, uint64_t events)
{
	(void)ctx, (void)cpu, (void)events;
	return 0;
}

static void take_fault(void *ctx, uint64_t line, uint64_t at, const char *why)
{
	(void)ctx;
	must(*why && strlen(why) < IMPORT_WHY);
	must(!line || at);
}

/* Takes a line from the input; a copy, or NULL: there is none. */
static char *take_line(const uint8_t **data, size_t *size)
{
	const uint8_t *end = memchr(*data, '\n', *size);
	char *line;

	if (!end)
		return NULL;
	line = strndup((const char *)*data, (size_t)(end - *data));
	*size -= (size_t)(end + 1 - *data);
	*data = end + 1;
	return line;
}

static void read_as(const struct import_format *f, size_t piece,
		    const char *columns, const uint8_t *data, size_t size)
{
	const struct import_options o = { .columns = columns };
	struct got got = { .about = false };
	const struct import_to to = { take_about, take_device, take_process,
				      take_event, take_loss, take_fault, &got };
	struct source *s;
	int err;

	must(!trickle_open(&s, data, size, piece));
	err = f->read(f, s, &o, &to);
	must(!err || err == -EBADMSG || err == -ENOMEM);
	source_close(s);
	hash_free(&got.devices);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct import_format *f;
	char *name, *columns;
	size_t piece;

	if (!size)
		return 0;
	piece = *data + 1u;
	data++;
	size--;
	name = take_line(&data, &size);
	columns = name ? take_line(&data, &size) : NULL;
	f = columns ? import_format_named(name) : NULL;
	if (f)
		read_as(f, piece, columns, data, size);
	free(name);
	free(columns);
	return 0;
}
