/* SPDX-License-Identifier: GPL-2.0-only */
/* Opens and closes readers; see blktrace-reader.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blktrace.h"
#include "lib/impl.h"
#include "request/io.h"
#include "request/ios.h"
#include "run/device.h"
#include "run/host.h"
#include "run/reader.h"

/* --- wanted devices ------------------------------------------------------- */

enum { NUMBERS = 32 };		/* "4095:1048575" */

static void wanted_free(struct wanted *w)
{
	for (size_t i = 0; i < w->count; i++)
		free(w->names[i]);
	free(w->names);
	*w = (struct wanted){ .count = 0 };
}

/* 0 or -ENOMEM, after which it is empty */
static int wanted_init(struct wanted *w, const char *const *names, size_t count)
{
	*w = (struct wanted){ .count = 0 };
	if (!count)
		return 0;
	w->names = calloc(count, sizeof(*w->names));
	if (!w->names)
		return -ENOMEM;
	for (; w->count < count; w->count++) {
		w->names[w->count] = strdup(names[w->count]);
		if (!w->names[w->count]) {
			wanted_free(w);
			return -ENOMEM;
		}
	}
	return 0;
}

static bool is_named(const struct wanted *w, const char *name)
{
	for (size_t i = 0; i < w->count; i++)
		if (!strcmp(w->names[i], name))
			return true;
	return false;
}

bool wanted_is(struct wanted *w, const struct device *disk, uint32_t number)
{
	char text[NUMBERS];

	snprintf(text, sizeof(text), "%u:%u", BLK_MAJOR(number),
		 BLK_MINOR(number));
	w->disk = disk;
	w->number = number;
	w->verdict = is_named(w, text) ||
		     (disk && disk->label && is_named(w, disk->label));
	return w->verdict;
}

/* --- readers -------------------------------------------------------------- */

/* the size of the options in the first version of the library */
#define OPTIONS_LEAST (offsetof(struct blkt_options, reserved) + \
		       sizeof(uint32_t))

static bool is_all_zero(const unsigned char *bytes, uint32_t count)
{
	while (count && !*bytes) {
		bytes++;
		count--;
	}
	return !count;
}

/* A caller of another version has fewer options, or more that must be 0. */
static int read_options(struct blkt_options *o,
			const struct blkt_options *given)
{
	uint32_t size = given ? given->size : 0;
	uint32_t both = size < sizeof(*o) ? size : sizeof(*o);

	memset(o, 0, sizeof(*o));
	if (!given)
		return 0;
	if (size < OPTIONS_LEAST)
		return -EINVAL;
	memcpy(o, given, both);
	if (!is_all_zero((const unsigned char *)given + both, size - both))
		return -E2BIG;
	return o->reserved || o->ios > 1 || o->quiet_ms > INT_MAX ? -EINVAL : 0;
}

static int open_reader(struct blkt_reader *r, const struct blkt_options *o)
{
	const struct reader_options reading = {
		.directory = r->directory,
		.window = r->window,
		.quiet_ms = (int)o->quiet_ms,
	};
	int err;

	if (!r->joins)
		return reader_open(&r->reader, &reading);
	err = ios_open(&r->ios, &reading);
	if (err)
		return err;
	r->reader = ios_reader(r->ios);
	/* the same in all I/Os */
	r->io.size = sizeof(r->io);
	r->io.phase_count = IO_PHASES;
	return ios_want_seeks(r->ios);
}

static int fill(struct blkt_reader *r, const struct blkt_options *o)
{
	int err;

	r->joins = o->ios;
	r->window = (struct window){ o->start, o->end ? o->end : UINT64_MAX };
	r->directory = o->directory ? strdup(o->directory) : NULL;
	if (o->directory && !r->directory)
		return -ENOMEM;
	err = wanted_init(&r->wanted, o->devices, o->device_count);
	return err ? err : open_reader(r, o);
}

int blkt_open(struct blkt_reader **out, const struct blkt_options *options)
{
	struct blkt_options o;
	struct blkt_reader *r;
	int err = read_options(&o, options);

	*out = NULL;
	if (err)
		return err;
	r = calloc(1, sizeof(*r));
	if (!r)
		return -ENOMEM;
	err = fill(r, &o);
	if (err)
		blkt_close(r);
	else
		*out = r;
	return err;
}

int blkt_add(struct blkt_reader *r, const char *name)
{
	int err = 0;

	if (r->state != LIB_OPEN)
		return lib_fail(r, name, -EBUSY);
	if (!*r->host)
		err = host_of_run(r->host, sizeof(r->host), r->directory, name);
	if (!err)
		err = reader_add(r->reader, name);
	return err ? lib_fail(r, name, err) : 0;
}

int lib_begin(struct blkt_reader *r, enum lib_state wanted)
{
	if (r->state == LIB_FAILED)
		return r->failed;
	if (r->joins != (wanted == LIB_IOS))
		return lib_fail(r, NULL, -EINVAL);
	r->state = wanted;
	return 0;
}

int lib_none(struct blkt_reader *r, int got)
{
	if (!got || got == -EAGAIN || got == -EINTR)
		return got;
	r->state = LIB_FAILED;
	r->failed = got;
	return lib_fail(r, reader_why(r->reader), got);
}

void blkt_close(struct blkt_reader *r)
{
	if (!r)
		return;
	if (r->ios)
		ios_close(r->ios);
	else
		reader_close(r->reader);
	wanted_free(&r->wanted);
	free(r->directory);
	free(r);
}
