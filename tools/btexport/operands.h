/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names on the command line that are read together, and which of their
 * hosts each is of.
 */
#ifndef TOOLS_BTEXPORT_OPERANDS_H
#define TOOLS_BTEXPORT_OPERANDS_H

#include <stddef.h>

struct operands {
	const char *const *names;	/* the caller's */
	size_t count;
	unsigned int *hosts;	/* of each: what a reader has as origin */
	unsigned int host_count;	/* at least 1 */
};

/*
 * Names as for reader_add(), directory as for reader_options.  One that means
 * nothing, which reading reports, is the first host's.  0, or -ENOMEM: then
 * there is nothing to free.
 */
int operands_init(struct operands *o, const char *directory,
		  const char *const *names, size_t count);

/* the names of a host with blanks between, the caller's to free; NULL: no
 * memory */
char *operands_of(const struct operands *o, unsigned int host);

void operands_free(struct operands *o);

#endif
