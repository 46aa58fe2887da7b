/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names on the command line that are read together, and their hosts.
 */
#ifndef TOOLS_BTEXPORT_OPERANDS_H
#define TOOLS_BTEXPORT_OPERANDS_H

#include <stddef.h>

struct operands {
	const char *const *names;	/* the caller's */
	size_t count;
	unsigned int *hosts;	/* of each: its origin in a reader */
	unsigned int host_count;	/* at least 1 */
};

/*
 * Names as for reader_add(), directory as for reader_options.  A name without a
 * trace, which reading reports, is the first host's.  0, or -ENOMEM: nothing to
 * free.
 */
int operands_init(struct operands *o, const char *directory,
		  const char *const *names, size_t count);

/* a host's names, separated by blanks, to be freed; NULL: no memory */
char *operands_of(const struct operands *o, unsigned int host);

void operands_free(struct operands *o);

#endif
