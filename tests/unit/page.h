/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What emit/ renders onto: a buffer whose bytes are looked at and never
 * written, names, and a device with one lane for events to be of.
 */
#ifndef TESTS_UNIT_PAGE_H
#define TESTS_UNIT_PAGE_H

#include "base/buf.h"
#include "make.h"
#include "run/device.h"
#include "run/names.h"

struct page {
	struct buf out;
	struct names names;
	struct devices devices;
	struct lane *lane;
};

/* CPU 1 of device "sda"; pid 100 is dd, pid 0 swapper, others nameless */
static inline void page_init(struct page *p)
{
	memset(p, 0, sizeof(*p));
	assert_int_equal(buf_init(&p->out, -1, 1 << 20), 0);
	names_learn(&p->names, 0, 100, "dd", 2);
	names_learn(&p->names, 0, 0, "swapper", 7);
	p->lane = device_cpu(&p->devices, device_add(&p->devices, "sda", 0, 0),
			     1);
	assert_non_null(p->lane);
}

static inline void page_free(struct page *p)
{
	buf_free(&p->out);
	names_free(&p->names);
	devices_free(&p->devices);
}

/* what has been rendered since the last look is exactly this text */
static inline void page_check(struct page *p, const char *text)
{
	char *got = strndup(p->out.data, p->out.len);

	p->out.len = 0;
	assert_non_null(got);
	assert_string_equal(got, text);
	free(got);
}

/* rows of a block in which nothing has been counted */
#define EMPTY_BLOCK                                                          \
	" Reads Queued:           0,        0KiB\t"                          \
	" Writes Queued:           0,        0KiB\n"                         \
	" Read Dispatches:        0,        0KiB\t"                          \
	" Write Dispatches:        0,        0KiB\n"                         \
	" Reads Requeued:         0\t\t Writes Requeued:         0\n"        \
	" Reads Completed:        0,        0KiB\t"                          \
	" Writes Completed:        0,        0KiB\n"                         \
	" Read Merges:            0,        0KiB\t"                          \
	" Write Merges:            0,        0KiB\n"
#define EMPTY_UNPLUGS                                                        \
	" IO unplugs:             0        \t Timer unplugs:           0\n"

#endif
