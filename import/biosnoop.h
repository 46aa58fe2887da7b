/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What biosnoop of bcc and of libbpf-tools prints: an I/O a line when it has
 * completed, in columns that a heading names.
 */
#ifndef IMPORT_BIOSNOOP_H
#define IMPORT_BIOSNOOP_H

#include <stdbool.h>
#include <stddef.h>

struct import_format;		/* import/import.h */
struct import_options;
struct import_to;
struct source;			/* file/source.h */

/* as import_format has them */
bool biosnoop_is(const struct import_format *f, const char *begin, size_t len);
int biosnoop_read(const struct import_format *f, struct source *s,
		  const struct import_options *o, const struct import_to *to);

#endif
