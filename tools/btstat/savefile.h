/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which operands are save files, and how one is written.
 */
#ifndef TOOLS_BTSTAT_SAVEFILE_H
#define TOOLS_BTSTAT_SAVEFILE_H

#include <stdbool.h>

struct opener;			/* base/opener.h */
struct outfile;			/* cli/outfile.h */

/* the path of an operand, which the caller frees; directory may be NULL */
char *savefile_path(const char *directory, const char *name);

/* whether the operand is such a file; of directories and pipes: no */
bool savefile_is_one(const char *directory, const char *name);

/* opens one to write it, as outfile_open_by(); gzip'd if it ends in .gz */
void savefile_open(struct outfile *f, const struct opener *o,
		   const char *path);

#endif
