/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls that wait for the disk, and files' paths, as messages of a trace. */
#ifndef TOOLS_IOTRACER_CALLS_H
#define TOOLS_IOTRACER_CALLS_H

#include <stddef.h>

#include "bpf/layout.h"

struct bpf_message;		/* capture/from/bpf_cpu.h */

struct calls {
	const char *const *paths;	/* as given, by number, or NULL */
	const uint32_t *devices;	/* by number */
	char *texts[BPF_FILES_MAX + 1];	/* messages with these paths; NULL ends */
};

/* fills in texts; 0 or -ENOMEM */
int calls_init(struct calls *c);

/* a bpf_cpu_message; ctx: a struct calls */
int calls_message(void *ctx, const void *entry, size_t len,
		  struct bpf_message *m);

void calls_free(struct calls *c);

#endif
