/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a picture's file is opened: whole or not there, and its owner's alone.
 */
#ifndef TOOLS_IOWATCHER_OWN_FILE_H
#define TOOLS_IOWATCHER_OWN_FILE_H

#include <stdbool.h>

struct opener;			/* base/opener.h */
struct outfile;			/* cli/outfile.h */

/*
 * Opens path, "-" for standard output, by o as outfile_open_whole() does;
 * outfile_close() or outfile_discard() ends it.  A file that was there stays readable by those by whom it was.
 * Whether it could be opened; else that has been reported.
 */
bool own_file_open(struct outfile *f, const struct opener *o,
		   const char *path);

#endif
