/* SPDX-License-Identifier: GPL-2.0-only */
/* What the machine of a trace is called; see host.h. */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "file/location.h"
#include "file/segments.h"
#include "run/host.h"

/* what a collector appends to the name of a host: 0 is any digit */
static const char stamp[] = "-0000-00-00-00:00:00";

static bool is_stamp(const char *text)
{
	for (size_t i = 0; i < sizeof(stamp) - 1; i++)
		if (stamp[i] == '0' ? !isdigit((unsigned char)text[i]) :
				      text[i] != stamp[i])
			return false;
	return true;
}

/* Cuts the stamp off, if name has one. */
static bool cut_stamp(char *name)
{
	size_t len = strlen(name), tail = sizeof(stamp) - 1;

	if (len <= tail || !is_stamp(name + len - tail))
		return false;
	name[len - tail] = '\0';
	return true;
}

static bool is_directory(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* Leaves the directory of a file's path; "": the working directory. */
static void cut_file(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash)
		slash[slash == path] = '\0';
	else
		*path = '\0';
}

/* The last part of the full path of the directory that a name is, or is in; ""
 * for a pipe or the root.  0, or -ENOMEM. */
static int directory_name(char *to, size_t size, const char *directory,
			  const char *name)
{
	char *path, *dir;
	int err = 0;

	snprintf(to, size, "%s", "");
	if (location_is_pipe(name))
		return 0;
	if (text_print(&path, "%s%s%s", directory ? directory : "",
		       directory ? "/" : "", name) < 0)
		return -ENOMEM;
	if (!is_directory(path))
		cut_file(path);
	dir = realpath(*path ? path : ".", NULL);
	if (dir && segment_number(strrchr(dir, '/') + 1))
		cut_file(dir);
	if (dir && *dir)
		snprintf(to, size, "%s", strrchr(dir, '/') + 1);
	else if (errno == ENOMEM)
		err = -ENOMEM;
	free(dir);
	free(path);
	return err;
}

int host_of_run(char *to, size_t size, const char *directory, const char *name)
{
	int err = directory_name(to, size, directory, name);

	if (!err && !cut_stamp(to) && !*to)
		snprintf(to, size, "unknown");
	return err;
}

int host_of_collector(char *to, size_t size, const char *directory,
		      const char *name)
{
	int err = directory_name(to, size, directory, name);

	if (!err && !cut_stamp(to))
		*to = '\0';
	return err;
}
