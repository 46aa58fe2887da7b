/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds replay files, DIR/NAME.BASE.CPU. */
#ifndef REPLAY_BUNCH_FILES_H
#define REPLAY_BUNCH_FILES_H

#include <stdbool.h>
#include <stdint.h>

/* names of a command line, each once; all zeros: none */
struct named {
	const char **list;	/* the command line's strings */
	int count;
};

/* adds name if it is new; 0 or -ENOMEM */
int named_add(struct named *n, const char *name);

bool named_has(const struct named *n, const char *name);

void named_free(struct named *n);

/* CPU numbers are below, as in traces */
enum { BUNCH_FILES_CPUS = 8192 };

/* the path of a replay file, which the caller frees; NULL: no memory */
char *bunch_files_path(const char *dir, const char *name, const char *base,
		       uint32_t cpu);

/* the next CPU from cpu on with a readable file, or BUNCH_FILES_CPUS */
uint32_t bunch_files_next_cpu(const char *dir, const char *name,
			      const char *base, uint32_t cpu);

/*
 * The names of all devices that have files of this base in dir, in natural
 * order.  Returns their number, or -errno; the caller frees names as
 * folder_free().
 */
int bunch_files_names(const char *dir, const char *base, char ***names);

#endif
