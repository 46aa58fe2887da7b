/* SPDX-License-Identifier: GPL-2.0-only */
/* Save files as files; see savefile.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "base/msg.h"
#include "cli/outfile.h"
#include "stat/saved.h"
#include "tools/btstat/savefile.h"

enum { FILE_SIZE = 65536 };

char *savefile_path(const char *directory, const char *name)
{
	char *path;

	if (!directory || *name == '/')
		directory = NULL;
	if (asprintf(&path, "%s%s%s", directory ? directory : "",
		     directory ? "/" : "", name) < 0)
		msg_die("out of memory");
	return path;
}

/* gzopen(3) reads what is not packed, too */
static bool begins_so(const char *path)
{
	char begin[sizeof(SAVED_MAGIC)] = "";
	gzFile f = gzopen(path, "rb");
	bool is;

	if (!f)
		return false;
	is = gzread(f, begin, sizeof(begin) - 1) > 0 &&
	     !strncmp(begin, SAVED_MAGIC, strcspn(SAVED_MAGIC, " "));
	gzclose(f);
	return is;
}

bool savefile_is_one(const char *directory, const char *name)
{
	char *path = savefile_path(directory, name);
	struct stat st;
	bool is = !stat(path, &st) && S_ISREG(st.st_mode) && begins_so(path);

	free(path);
	return is;
}

void savefile_open(struct outfile *f, const struct opener *o, const char *path)
{
	size_t len = strlen(path);

	if (len > 3 && !strcmp(path + len - 3, ".gz"))
		outfile_open_packed(f, o, path, FILE_SIZE);
	else
		outfile_open_by(f, o, path, FILE_SIZE);
}
