/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where replay files are: DIR/NAME.BASE.CPU.
 */
#ifndef REPLAY_BUNCH_FILES_H
#define REPLAY_BUNCH_FILES_H

#include <stdbool.h>
#include <stdint.h>

/* --- named ---------------------------------------------------------------- */

/*
 * The names on a command line, each of them once.
 */

/* an all-zero struct named has no names */
struct named {
	const char **list;	/* of the command line's own strings */
	int count;
};

/* adds name if it is new; 0 or -ENOMEM */
int named_add(struct named *n, const char *name);

bool named_has(const struct named *n, const char *name);

void named_free(struct named *n);

/* --- bunch files ---------------------------------------------------------- */

/* CPU numbers are below, as in traces */
enum { BUNCH_FILES_CPUS = 8192 };

/* the path of a replay file, the caller's to free; NULL: no memory */
char *bunch_files_path(const char *dir, const char *name, const char *base,
		       uint32_t cpu);

/*
 * The next CPU from cpu on that has a readable file; BUNCH_FILES_CPUS: there is
 * none.
 */
uint32_t bunch_files_next_cpu(const char *dir, const char *name,
			      const char *base, uint32_t cpu);

/*
 * The names of all devices that have files of that base in dir, sorted by
 * name, numbers in them by value.  Returns how many, or -errno; the caller
 * frees *names and each of them.
 */
int bunch_files_names(const char *dir, const char *base, char ***names);

#endif
