/* SPDX-License-Identifier: GPL-2.0-only */
/* The BPF programs of --joined; see joined.h. */
#include <errno.h>
#include <linux/bpf.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "blktrace.h"
#include "bpf/joined.h"
#include "bpf/joined.lskel"
#include "bpf/ring.h"
#include "bpf/syscall.h"

enum { WAKE_RING = 64 << 10 };	/* bytes, at least a page */

/* --- programs -------------------------------------------------------------- */

#define PROGRAM_AT(name) offsetof(struct joined_programs, progs.name.prog_fd)
#define COUNT(table) (sizeof(table) / sizeof(*(table)))

/* when a program is wanted */
enum when {
	ALWAYS,
	QUEUED,			/* events before issue are */
	ONLY_LATER,		/* none before issue is */
};

static const struct {
	size_t at;
	enum when when;
	bool second;		/* records what the one before misses */
} programs[] = {
	{ PROGRAM_AT(joined_queue), QUEUED, false },
	{ PROGRAM_AT(joined_getrq), QUEUED, false },
	{ PROGRAM_AT(joined_insert), QUEUED, false },
	{ PROGRAM_AT(joined_backmerge), QUEUED, false },
	{ PROGRAM_AT(joined_frontmerge), QUEUED, false },
	{ PROGRAM_AT(joined_merge), QUEUED, false },
	{ PROGRAM_AT(joined_split), QUEUED, false },
	{ PROGRAM_AT(joined_remap), QUEUED, false },
	{ PROGRAM_AT(joined_rq_remap), QUEUED, false },
	{ PROGRAM_AT(joined_issue), QUEUED, false },
	{ PROGRAM_AT(joined_only_issue), ONLY_LATER, false },
	{ PROGRAM_AT(second_issue), ALWAYS, true },
	{ PROGRAM_AT(joined_requeue), ALWAYS, false },
	{ PROGRAM_AT(joined_complete), ALWAYS, false },
	{ PROGRAM_AT(second_complete), ALWAYS, true },
	{ PROGRAM_AT(joined_bio_complete), ALWAYS, false },
};

static int program_fd(const struct joined *j, size_t i)
{
	return *(const int *)((const char *)j->programs + programs[i].at);
}

static int fail(struct joined *j, int err, const char *what)
{
	snprintf(j->why, sizeof(j->why), "%s: %s", what, strerror(-err));
	return err;
}

/* --- loading ---------------------------------------------------------------- */

uint32_t joined_slot_count(void)
{
	return JOINED_SLOTS + JOINED_PROBES;
}

/* whole pages, as the kernel has of a map's values; NULL: not to be had */
static void *map_values(int fd, size_t count, size_t size)
{
	void *p = mmap(NULL, count * size, PROT_READ | PROT_WRITE, MAP_SHARED,
		       fd, 0);

	return p == MAP_FAILED ? NULL : p;
}

static int map_memory(struct joined *j)
{
	const struct joined_programs *p = j->programs;

	j->slots = map_values(p->maps.slots.map_fd, joined_slot_count(),
			      sizeof(*j->slots));
	j->cpus = map_values(p->maps.cpus.map_fd, j->cpu_count,
			     sizeof(*j->cpus));
	j->records = map_values(p->maps.records.map_fd,
				(size_t)j->cpu_count << j->bits,
				sizeof(*j->records));
	return j->slots && j->cpus && j->records ? 0 :
		fail(j, -errno, "the programs' memory");
}

static void set_up_rings(struct joined *j)
{
	for (uint32_t cpu = 0; cpu < j->cpu_count; cpu++) {
		struct joined_cpu *c = &j->cpus[cpu];

		c->limit = UINT64_C(1) << j->bits;
		c->bits = j->bits;
		c->place = (uint64_t)cpu << j->bits;
		c->wake = c->limit / 4;
		/* no task has the number of the next slot */
		for (uint32_t i = 0; i < JOINED_NAMED; i++)
			c->named[i] = i + 1;
	}
}

int joined_load(struct joined *j, uint32_t cpus, unsigned int bits)
{
	int err;

	*j = (struct joined){ .cpu_count = cpus, .bits = bits };
	j->programs = joined_programs__open();
	if (!j->programs)
		return fail(j, -ENOMEM, "the programs");
	j->programs->maps.cpus.max_entries = cpus;
	j->programs->maps.records.max_entries = cpus << bits;
	err = joined_programs__load(j->programs);
	if (err)
		bpf_explain(j->why, err);
	if (!err)
		err = map_memory(j);
	if (!err)
		err = joined_wake_open(j, BPF_RINGS_MAX, &j->spare);
	if (err)
		joined_free(j);
	else
		set_up_rings(j);
	return err;
}

static void unmap(void *p, size_t count, size_t size)
{
	if (p)
		munmap(p, count * size);
}

/* Keeps j->why. */
void joined_free(struct joined *j)
{
	joined_detach(j);
	bpf_ring_close(j->spare);
	unmap(j->slots, joined_slot_count(), sizeof(*j->slots));
	unmap(j->cpus, j->cpu_count, sizeof(*j->cpus));
	unmap(j->records, (size_t)j->cpu_count << j->bits,
	      sizeof(*j->records));
	if (j->programs)
		joined_programs__destroy(j->programs);
	j->spare = NULL;
	j->slots = NULL;
	j->cpus = NULL;
	j->records = NULL;
	j->programs = NULL;
}

int joined_trace_device(struct joined *j, uint32_t disk,
			const struct joined_device *device)
{
	int err = bpf_map_add(j->programs->maps.devices.map_fd, &disk, device);

	return err ? fail(j, err, "the list of devices") : 0;
}

int joined_wake_open(struct joined *j, uint32_t cpu, struct bpf_ring **wake)
{
	return bpf_ring_open_in(wake, j->programs->maps.wakes.map_fd, cpu,
				WAKE_RING);
}

/* --- beginning and end ------------------------------------------------------- */

/* categories of events before issue, and those that any event may have */
#define LATER_ONLY (BLK_TC_BIT(BLK_TC_ISSUE) | BLK_TC_BIT(BLK_TC_COMPLETE) | \
		    BLK_TC_BIT(BLK_TC_REQUEUE))

static int attach(struct joined *j, size_t i)
{
	int *links = realloc(j->links, (j->link_count + 1) * sizeof(*links));
	int link;

	if (!links)
		return fail(j, -ENOMEM, "a tracepoint");
	j->links = links;
	link = bpf_tracepoint_open(program_fd(j, i), NULL);
	if (link < 0)
		return fail(j, link, "a tracepoint");
	links[j->link_count++] = link;
	return 0;
}

int joined_attach(struct joined *j, uint32_t mask)
{
	enum when when = mask & ~LATER_ONLY ? QUEUED : ONLY_LATER;
	int err = 0;

	/* the first events last: what has no end would be open until then */
	for (size_t i = COUNT(programs); !err && i--;)
		if (!programs[i].second &&
		    (programs[i].when == ALWAYS || programs[i].when == when))
			err = attach(j, i);
	return err;
}

static uint64_t missed(const struct joined *j)
{
	uint64_t sum = 0, n;

	for (size_t i = 0; i < COUNT(programs); i++)
		if (!programs[i].second &&
		    !bpf_program_get_misses(program_fd(j, i), &n))
			sum += n;
	return sum;
}

/* Programs are not attached after the end. */
int joined_attach_seconds(struct joined *j)
{
	int err = 0;

	if (j->seconds || !j->link_count || !missed(j))
		return 0;
	j->seconds = true;
	for (size_t i = 0; !err && i < COUNT(programs); i++)
		if (programs[i].second)
			err = attach(j, i);
	return err;
}

void joined_detach(struct joined *j)
{
	while (j->link_count)
		close(j->links[--j->link_count]);
	free(j->links);
	j->links = NULL;
}

/* Changing a map of maps makes the kernel wait for all programs. */
int joined_wait(struct joined *j)
{
	return bpf_ring_set(j->spare, j->programs->maps.wakes.map_fd,
			    BPF_RINGS_MAX);
}

/* --- what is lost ------------------------------------------------------------ */

uint64_t joined_lost(struct joined *j)
{
	uint64_t misses = missed(j), lost = 0, seconded = 0;

	for (uint32_t cpu = 0; cpu < j->cpu_count; cpu++) {
		lost += __atomic_load_n(&j->cpus[cpu].lost, __ATOMIC_RELAXED);
		seconded += __atomic_load_n(&j->cpus[cpu].seconded,
					    __ATOMIC_ACQUIRE);
	}
	return lost + (misses > seconded ? misses - seconded : 0);
}
