/* SPDX-License-Identifier: GPL-2.0-only */
/* All formats that can be imported: a new one is a row. */
#ifndef IMPORT_FORMATS_H
#define IMPORT_FORMATS_H

#include <stddef.h>

#include "import/import.h"

/* of a file's first bytes, enough to know it by */
enum { FORMAT_BEGIN = 4096 };

/* by its name for --from; NULL: none */
const struct import_format *import_format_named(const char *name);

/* by the first bytes of a file (file/foreign.h has some), at most FORMAT_BEGIN,
 * with a NUL behind them; NULL: unknown */
const struct import_format *import_format_of(const char *begin, size_t len);

/* in order; NULL: no more */
const struct import_format *import_format_at(size_t index);

#endif
