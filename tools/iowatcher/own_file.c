/* SPDX-License-Identifier: GPL-2.0-only */
/* Opening a picture's file; see own_file.h. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/outfile.h"
#include "tools/iowatcher/own_file.h"

enum { BUFFER_SIZE = 65536 };

/* 1.3.0: a file that was not there is its owner's alone */
bool own_file_open(struct outfile *f, const struct opener *o,
		   const char *path)
{
	bool is_new = access(path, F_OK);

	if (!strcmp(path, "-")) {
		outfile_open(f, NULL, BUFFER_SIZE);
		return true;
	}
	if (!outfile_open_whole(f, o, path, BUFFER_SIZE))
		return false;
	if (is_new)
		fchmod(f->place.fd, S_IRUSR | S_IWUSR);
	return true;
}
