/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes, by name and, if there are several, host.  Pids of one name are one
 * process; the name of a pid unknown at its first event is its number.  The
 * first name of a pid stays.
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
	struct share *share;	/* of its last device, or NULL */
	uint32_t index;		/* in order of appearance */
	size_t host_len;	/* of the prefix "host/" of name, or 0 */
	char name[];
};

enum { PROCESSES_RECENT = 64 };

struct processes {
	struct hash by_pid, by_name;	/* to struct process */
	const struct devices *run;	/* for names of hosts, or NULL */
	struct process **list;
	size_t count, size;
	/* of the last pids, by pid modulo PROCESSES_RECENT */
	struct {
		uint64_t key;
		struct process *process;
	} recent[PROCESSES_RECENT];
};

/* All functions die without memory; an all-zero struct processes is empty. */
void processes_free(struct processes *p);

/* the name in a note, cut at its first slash ("kworker/0:1") */
void processes_set_name(struct processes *p, const struct event *note);

/* slow path of processes_get(), by origin_key() */
struct process *processes_find(struct processes *p, uint64_t key);

/* the process of a pid, made if needed */
static inline struct process *processes_get(struct processes *p,
					    uint16_t origin, uint32_t pid)
{
	uint64_t key = origin_key(origin, pid);

	if (p->recent[pid % PROCESSES_RECENT].key == key &&
	    p->recent[pid % PROCESSES_RECENT].process)
		return p->recent[pid % PROCESSES_RECENT].process;
	return processes_find(p, key);
}

/* room for names of a process and its host, each character escaped */
enum { PROCESS_LABEL = 2048 };

/* A process's name as a table's label, cut at cut characters unless it has a
 * host's name; escaped for a terminal. */
void process_label(const struct process *p, bool terminal, size_t cut,
		   char label[PROCESS_LABEL]);

/* whether a process has this name of len characters, on any host */
bool process_is(const struct process *p, const char *name, size_t len);

/* sorts the list by name, byte by byte */
void processes_sort(struct processes *p);

#endif
