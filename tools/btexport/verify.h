/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Verifies a folder of tables by its manifest: each file's size, checksum, and
 * of Parquet the rows and their sums, read again; and that it has no file of
 * tables that is not listed, and no trace twice.
 */
#ifndef TOOLS_BTEXPORT_VERIFY_H
#define TOOLS_BTEXPORT_VERIFY_H

#include <stdbool.h>

/* Reports each fault, and at the end how much there is on standard output.
 * Whether nothing is wrong. */
bool verify(const char *folder);

#endif
