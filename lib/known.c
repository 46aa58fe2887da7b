/* SPDX-License-Identifier: GPL-2.0-only */
/* Errors, names, the clock and loss; see blktrace-reader.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/time.h"
#include "lib/impl.h"
#include "run/device.h"
#include "run/reader.h"

/* more specific than the system's texts */
static const struct {
	int error;
	const char *text;
} texts[] = {
	{ -EBUSY, "cannot add a name after reading has started" },
	{ -EINVAL, "the call does not fit the reader's options" },
	{ -ENODATA, "not a trace" },
	{ -ENOENT, "no such file or trace" },
	{ -EISDIR, "no trace in this directory" },
	{ -EMFILE, "too many files for the limit of open files" },
	{ -E2BIG, "an option is set that this library does not know" },
};

const char *blkt_strerror(int error)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (texts[i].error == error)
			return texts[i].text;
	return strerror(error < 0 ? -error : 0);
}

int lib_fail(struct blkt_reader *r, const char *name, int error)
{
	bool named = name && *name;

	snprintf(r->why, sizeof(r->why), "%s%s%s", named ? name : "",
		 named ? ": " : "", blkt_strerror(error));
	return error;
}

const char *blkt_error(const struct blkt_reader *r)
{
	return r->why;
}

/* its size in the first version of the library */
#define LOSS_LEAST (offsetof(struct blkt_loss, damages) + sizeof(uint64_t))

const char *blkt_process(const struct blkt_reader *r, uint16_t host,
			 uint32_t pid)
{
	return reader_process(r->reader, host, pid);
}

static const struct device *disk_of(const struct blkt_reader *r, uint32_t disk)
{
	const struct devices *d = reader_devices(r->reader);

	return disk < d->count ? d->list[disk] : NULL;
}

const char *blkt_disk(const struct blkt_reader *r, uint32_t disk)
{
	const struct device *d = disk_of(r, disk);

	return d ? d->label : NULL;
}

const char *blkt_host(const struct blkt_reader *r, uint16_t host)
{
	const char *name = reader_host(r->reader, host);

	if (name || host || !*r->host)
		return name;
	return r->host;
}

/* Found once, so that differences of times never change. */
static COLD int find_start(struct blkt_reader *r)
{
	struct timespec ts;
	int64_t ns;

	if (reader_wall(r->reader, 0, &ts))
		return -ENODATA;
	/* a damaged note may be centuries from the events */
	if (__builtin_mul_overflow((int64_t)ts.tv_sec, NS_PER_SECOND, &ns) ||
	    __builtin_add_overflow(ns, ts.tv_nsec, &r->start))
		return -ENODATA;
	r->has_start = true;
	return 0;
}

int blkt_wall(struct blkt_reader *r, uint64_t time, int64_t *unix_ns)
{
	int err = UNLIKELY(!r->has_start) ? find_start(r) : 0;

	if (err)
		return err;
	return __builtin_add_overflow(r->start, time, unix_ns) ? -ENODATA : 0;
}

static uint64_t dropped(const struct blkt_reader *r, uint32_t disk)
{
	const struct devices *d = reader_devices(r->reader);
	uint64_t sum = 0;

	for (uint32_t i = 0; i < d->count; i++)
		if (disk == BLKT_ALL || i == disk)
			sum += d->list[i]->dropped;
	return sum;
}

/* The caller's may be of another version, and gets the common part. */
static void hand_out(struct blkt_loss *to, const struct blkt_loss *ours)
{
	uint32_t size = to->size;

	memset(to, 0, size);
	if (size > sizeof(*ours))
		size = sizeof(*ours);
	memcpy(to, ours, size);
	to->size = size;
}

int blkt_lost(struct blkt_reader *r, uint32_t disk, struct blkt_loss *to)
{
	struct blkt_loss ours = { .dropped = dropped(r, disk) };
	struct loss loss;

	if (to->size < LOSS_LEAST)
		return lib_fail(r, NULL, -EINVAL);
	if (disk != BLKT_ALL && !disk_of(r, disk))
		return lib_fail(r, NULL, -ENOENT);
	reader_loss(r->reader, disk == BLKT_ALL ? READER_ALL : disk, &loss);
	ours.gaps = loss.holes;
	ours.missing = loss.missing;
	ours.late = loss.late;
	ours.damages = loss.damages;
	hand_out(to, &ours);
	return 0;
}
