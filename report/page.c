/* SPDX-License-Identifier: GPL-2.0-only */
/* What parts of a page look at; see page.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/container.h"
#include "blktrace.h"
#include "findings/words.h"
#include "report/page.h"
#include "run/cgroups.h"
#include "run/device.h"
#include "run/reader.h"
#include "stat/facts.h"
#include "stat/group_row.h"

const char *page_process(const struct report_page *p, uint32_t index,
			 char text[PAGE_NAME_MAX])
{
	const struct report_pids *pids = &p->r->pids;
	const struct report_process *one;

	if (p->processes[index] == REPORT_OTHERS) {
		snprintf(text, PAGE_NAME_MAX, "other processes");
		return text;
	}
	one = &pids->processes[p->processes[index]];
	if (one->name)
		snprintf(text, PAGE_NAME_MAX, "%s%s", one->name,
			 one->workers ? "*" : "");
	else
		snprintf(text, PAGE_NAME_MAX, "pid %u",
			 pids->list[one->first].pid);
	return text;
}

void page_pid(const struct report_page *p, uint32_t number,
	      char text[PAGE_NAME_MAX])
{
	const struct report_pid *one = &p->r->pids.list[number];
	const char *name = p->r->o.name ?
		p->r->o.name(p->r->o.names, one->origin, one->pid) : NULL;

	if (name && *name)
		*stpncpy(text, name, PAGE_NAME_MAX - 1) = '\0';
	else
		snprintf(text, PAGE_NAME_MAX, "pid %u", one->pid);
}

uint32_t page_process_index(const struct report_page *p, uint32_t process)
{
	for (uint32_t i = 0; i < p->process_count; i++)
		if (p->processes[i] == process)
			return i;
	return p->process_count - 1;
}

const char *page_device(const struct report_page *p, uint32_t index,
			char text[PAGE_NAME_MAX])
{
	const struct report_disk *disk =
		&p->r->disks.list[p->r->disks.order[index]];

	if (disk->others)
		snprintf(text, PAGE_NAME_MAX, "other devices");
	else
		device_text(disk->device, text, PAGE_NAME_MAX);
	return text;
}

const char *page_cgroup_path(const struct report_page *p, uint64_t key)
{
	int64_t number = group_key_cgroup(key);

	return number < 0 || !p->r->o.cgroups ? NULL :
		cgroups_path(p->r->o.cgroups, (uint64_t)number);
}

const char *page_cgroup(const struct report_page *p, uint64_t key,
			char text[PAGE_NAME_MAX])
{
	const char *path = page_cgroup_path(p, key);

	if (path)
		return container_short(text, PAGE_NAME_MAX, path);
	snprintf(text, PAGE_NAME_MAX, "%" PRIu64, key);
	return text;
}

void page_number(char text[PAGE_NAME_MAX], uint32_t number)
{
	snprintf(text, PAGE_NAME_MAX, "%u:%u", BLK_MAJOR(number),
		 BLK_MINOR(number));
}

uint32_t page_device_index(const struct report_page *p, uint32_t disk)
{
	uint32_t i = 0;

	while (i + 1 < p->r->disks.there && p->r->disks.order[i] != disk)
		i++;
	return i;
}

/* of exact pages */
enum { BINS = 2048, LEAST_WIDTH = 1024 };

uint64_t page_bin_width(const struct report_page *p)
{
	uint64_t width = LEAST_WIDTH;

	if (!p->blocks->exact)
		return p->r->width;
	while (p->r->length / width >= BINS)
		width *= 2;
	return width;
}

static const struct report_sums *all_of(const struct report_page *p)
{
	return &p->tables->of[REPORT_ALL].rows[0].sums;
}

bool page_wall(const struct report_page *p, struct timespec *wall)
{
	return !reader_wall(p->facts->reader, p->r->o.start, wall);
}

enum report_span page_span(const struct report_page *p)
{
	return all_of(p)->spans[REPORT_Q2C].count ? REPORT_Q2C : REPORT_D2C;
}

bool page_has(const struct report_page *p, enum report_span span)
{
	const struct report_table *t = &p->tables->of[REPORT_BY_DISK];

	for (uint32_t i = 0; i < t->count; i++)
		if (t->rows[i].sums.spans[span].count)
			return true;
	return false;
}

double page_coverage(const struct report_page *p)
{
	double there = (double)p->facts->records;
	double all = there + (double)p->facts->loss.missing;

	return all > 0 ? there / all : 1;
}

const struct report_row *page_next_slow(const struct report_page *p,
					struct page_turn *t)
{
	const struct report_slowest *s =
		&p->r->slowest[page_span(p) == REPORT_Q2C ? 0 : 1];

	while (t->count < PAGE_SLOWEST && t->at < s->count) {
		const struct report_row *row = &s->list[t->at++].row;
		const struct report_stream *stream =
			&p->r->folding.list[row->stream];

		if (!p->r->disks.list[stream->disk].on)
			continue;
		t->count++;
		return row;
	}
	return NULL;
}

const struct report_row *page_open(const struct report_page *p, unsigned int i)
{
	const struct report_rows *rows = &p->r->open_rows;

	if (i >= PAGE_OPEN)
		return NULL;
	for (size_t at = 0; at < rows->count; at++) {
		const struct report_row *row = &rows->list[at];
		uint32_t disk = p->r->folding.list[row->stream].disk;

		if (p->r->disks.list[disk].on && !i--)
			return row;
	}
	return NULL;
}

const struct report_table_row *page_op_row(const struct report_page *p,
					   unsigned int op)
{
	const struct report_table *t = &p->tables->of[REPORT_BY_OP];

	for (uint32_t i = 0; i < t->count; i++)
		if (t->rows[i].key == op)
			return &t->rows[i];
	return NULL;
}

uint64_t page_in_flight(const struct report_page *p,
			char text[PAGE_IN_FLIGHT_MAX])
{
	uint64_t end = p->r->o.start + p->r->length;
	struct in_flight words = { .page = true };
	size_t len;

	for (uint32_t i = 0; i < p->r->disks.count; i++) {
		const struct report_open *o = &p->r->in_flight[i];
		uint64_t age = end > o->time ? end - o->time : 0;

		if (!o->count || !p->r->disks.list[i].on)
			continue;
		if (!words.count || age > words.age) {
			words.age = age;
			words.op = (enum io_op)o->op;
			words.sector = o->sector;
			words.process = reader_process(p->facts->reader,
						       o->origin, o->pid);
		}
		words.count += o->count;
	}
	len = in_flight_text(text, &words);
	if (p->r->doubt_count || facts_lossy(p->facts, READER_ALL))
		snprintf(text + len, PAGE_IN_FLIGHT_MAX - len,
			 "; some may have completed");
	return words.count;
}

bool page_depth_exact(const struct report_page *p, enum report_depth_kind kind,
		      uint32_t disk)
{
	uint32_t device = disk == REPORT_DEPTH_ALL ? READER_ALL :
				      p->r->disks.list[disk].device->id;

	return !p->r->depths.of[kind][disk].bound &&
	       !facts_lossy(p->facts, device) &&
	       !facts_mixed_up(p->facts, device);
}

static const struct {
	const char *key, *name;
} ops[REPORT_OPS] = {
	[REPORT_READ] = { "R", "read" }, [REPORT_WRITE] = { "W", "write" },
	[REPORT_FLUSH] = { "F", "flush" },
	[REPORT_DISCARD] = { "D", "discard" },
	[REPORT_OTHER] = { "O", "other" },
};

const char *page_op_key(unsigned int op)
{
	return ops[op].key;
}

const char *page_op_name(unsigned int op)
{
	return ops[op].name;
}
