/* SPDX-License-Identifier: GPL-2.0-only */
/* What is added to a CPU's events; see ftrace_notes.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "capture/ftrace/ftrace.h"
#include "capture/ftrace/ftrace_notes.h"

int ftrace_notes_init(struct ftrace_notes *n, struct ftrace *f, uint32_t cpu,
		      bool stamps)
{
	unsigned int count;
	const uint32_t *devices = ftrace_devices(f, &count);

	*n = (struct ftrace_notes){ .ftrace = f, .stamps = stamps };
	return notes_init(&n->notes, cpu, devices, count);
}

void ftrace_notes_free(struct ftrace_notes *n)
{
	notes_free(&n->notes);
	ftrace_names_free(&n->names);
}

/* What is drained now was nearly all recorded before: one list has it. */
void ftrace_notes_drain(struct ftrace_notes *n)
{
	ftrace_names_age(&n->names);
}

int ftrace_notes_begin(struct ftrace_notes *n)
{
	struct notes_stamp stamp;
	int err;

	ftrace_names_next(&n->names);
	if (!n->stamps)
		return 0;
	if (!ftrace_started(n->ftrace, &stamp))
		return -EAGAIN;
	n->stamps = false;
	err = notes_add_stamp(&n->notes, &stamp);
	return err ? err : 1;
}

/* Every CPU's idle task has pid 0: no list knows them, all know their names. */
static void name_of(struct ftrace_notes *n, uint32_t pid,
		    char name[NOTES_NAME])
{
	if (pid) {
		ftrace_names_get(&n->names, ftrace_path(n->ftrace), pid, name);
		return;
	}
	memset(name, 0, NOTES_NAME);
	snprintf(name, NOTES_NAME, "swapper/%u", n->notes.cpu);
}

int ftrace_notes_add_name(struct ftrace_notes *n, struct tap_lane *l,
			  uint64_t time, uint32_t pid)
{
	char name[NOTES_NAME];

	name_of(n, pid, name);
	return notes_add_name(&n->notes, l, time, pid, l->device, name);
}

/* --- losses --------------------------------------------------------------- */

/* What the kernel's counters have beyond what is known. */
static uint64_t lost_uncounted(const struct ftrace_notes *n)
{
	uint64_t overrun = ftrace_overrun(n->ftrace, n->notes.cpu);

	return overrun > n->lost_ever ? overrun - n->lost_ever : 0;
}

static void add_lost(struct ftrace_notes *n, uint64_t events)
{
	n->lost += events;
	n->lost_ever += events;
}

/*
 * Counters may be ahead of what is read.  If one was taken for a number that
 * was missing, some of the events of this loss may have been in it.
 */
void ftrace_notes_lost(struct ftrace_notes *n, uint64_t events)
{
	uint64_t left = n->uncounted ? lost_uncounted(n) : events;

	add_lost(n, events < left ? events : left);
}

void ftrace_notes_lost_some(struct ftrace_notes *n)
{
	uint64_t events = lost_uncounted(n);

	add_lost(n, events || n->uncounted ? events : 1);
	n->uncounted = true;
}

void ftrace_notes_hole(struct ftrace_notes *n, struct tap_lane *l)
{
	l->sequence += (uint32_t)n->lost;
	ftrace_count_lost(n->ftrace, (unsigned int)(l - n->notes.lanes),
			  n->lost);
	n->lost = 0;
}
