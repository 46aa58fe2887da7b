/* SPDX-License-Identifier: GPL-2.0-only */
/* What the machine of a trace is called; see host.h. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/btexport/host.h"
#include "trace/location.h"

/* what a collector puts behind the name of a host: 0 is any digit */
static const char stamp[] = "-0000-00-00-00:00:00";

static bool is_stamp(const char *text)
{
	for (size_t i = 0; i < sizeof(stamp) - 1; i++)
		if (stamp[i] == '0' ? !isdigit((unsigned char)text[i]) :
				      text[i] != stamp[i])
			return false;
	return true;
}

static void cut_stamp(char *name)
{
	size_t len = strlen(name), tail = sizeof(stamp) - 1;

	if (len > tail && is_stamp(name + len - tail))
		name[len - tail] = '\0';
}

static bool is_directory(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* The directory that a name is, or says that it is in; NULL: none.  The
 * caller frees it. */
static char *directory_of(const char *directory, const char *name)
{
	char *path, *slash, *real;

	if (location_is_pipe(name) ||
	    asprintf(&path, "%s%s%s", directory ? directory : "",
		     directory ? "/" : "", name) < 0)
		return NULL;
	if (!is_directory(path)) {
		slash = strrchr(path, '/');
		if (slash)
			slash[slash == path] = '\0';
		else
			*path = '\0';
	}
	real = *path ? realpath(path, NULL) : NULL;
	free(path);
	return real;
}

void host_of_run(char *to, size_t size, const char *directory, const char *name)
{
	char *dir = directory_of(directory, name);
	const char *last = dir ? strrchr(dir, '/') + 1 : "";

	if (*last)
		snprintf(to, size, "%s", last);
	else if (gethostname(to, size) || !*to)
		snprintf(to, size, "localhost");
	to[size - 1] = '\0';
	cut_stamp(to);
	free(dir);
}
