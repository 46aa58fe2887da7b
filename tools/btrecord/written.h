/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names of all files that a run may make: replay files of its inputs, and
 * directories for those of several hosts.
 */
#ifndef TOOLS_BTRECORD_WRITTEN_H
#define TOOLS_BTRECORD_WRITTEN_H

#include "cli/writable.h"

struct locations;		/* file/location.h */
struct record_options;		/* tools/btrecord/options.h */

struct written {
	struct writable *list;	/* each name is owned */
	size_t count;
	char *has;		/* ".BASE." */
};

/* Both end the program if there is no memory. */
void written_init(struct written *w, const struct record_options *o,
		  const struct locations *inputs);

/* the directory of an input's replay files, the caller's */
char *written_directory(const struct record_options *o,
			const struct locations *inputs, unsigned int host);

void written_free(struct written *w);

#endif
