/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fio's iologs, versions 2 and 3: what was submitted to files, when; fio(1),
 * TRACE FILE FORMAT.
 */
#ifndef IMPORT_IOLOG_H
#define IMPORT_IOLOG_H

#include <stdbool.h>
#include <stddef.h>

struct import_format;		/* import/import.h */
struct import_options;
struct import_to;
struct source;			/* file/source.h */

/* as import_format has them */
bool iolog_is(const struct import_format *f, const char *begin, size_t len);
int iolog_read(const struct import_format *f, struct source *s,
	       const struct import_options *o, const struct import_to *to);

#endif
