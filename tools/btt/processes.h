/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes, which btt distinguishes by name, and by host where there are
 * several.  Pids of one name are one process; a pid whose name is not known at
 * its first event is called by its number.  The first name of a pid stays.
 */
#ifndef TOOLS_BTT_PROCESSES_H
#define TOOLS_BTT_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "record/record.h"
#include "tools/btt/spans.h"

struct devices;			/* run/device.h */
struct share;			/* tools/btt/state.h */

struct process {
	struct spans spans;	/* those with twins are in shares until the
				 * end */
	struct share *share;	/* of the device it was on last, or NULL */
	uint32_t index;		/* its own, in order of appearance */
	size_t host_len;	/* of name: "host/" in front of it, or 0 */
	char name[];
};

enum { PROCESSES_RECENT = 64 };

struct processes {
	struct hash by_pid, by_name;	/* to struct process */
	const struct devices *run;	/* where hosts have names, or NULL */
	struct process **list;
	size_t count, size;
	/* those of the pids seen last, each in the place of its number */
	struct {
		uint64_t key;
		struct process *process;
	} recent[PROCESSES_RECENT];
};

/* all dies without memory; an all-zero struct processes is empty */
void processes_free(struct processes *p);

/* a note with a name; cut at its first slash ("kworker/0:1") */
void processes_set_name(struct processes *p, const struct event *note);

/* slow path of processes_get(), by origin_key() */
struct process *processes_find(struct processes *p, uint64_t key);

/* the process of a pid, made if there is none yet */
static inline struct process *processes_get(struct processes *p,
					    uint16_t origin, uint32_t pid)
{
	uint64_t key = origin_key(origin, pid);

	if (p->recent[pid % PROCESSES_RECENT].key == key &&
	    p->recent[pid % PROCESSES_RECENT].process)
		return p->recent[pid % PROCESSES_RECENT].process;
	return processes_find(p, key);
}

/* room for a process's name with its host's, each character escaped */
enum { PROCESS_LABEL = 2048 };

/*
 * A process's name as a label of a table: cut characters of it at most, but
 * with a host's as many as there are; for a terminal escaped.
 */
void process_label(const struct process *p, bool terminal, size_t cut,
		   char label[PROCESS_LABEL]);

/* whether a process has exactly this name, len characters of it, on any host */
bool process_is(const struct process *p, const char *name, size_t len);

/* puts the list in order of names, byte by byte */
void processes_sort(struct processes *p);

#endif
