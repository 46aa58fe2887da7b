/* SPDX-License-Identifier: GPL-2.0-only */
/* The file of CPU times; see cpu_file.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "tools/iowatcher/cpu_file.h"
#include "tools/iowatcher/cpu_times.h"
#include "tools/iowatcher/mpstat.h"
#include "tools/iowatcher/named.h"

static FILE *open_beside(const char *name, size_t len, char **path)
{
	FILE *f;

	if (asprintf(path, "%.*s.mpstat", (int)len, name) < 0)
		msg_die("out of memory");
	f = fopen(*path, "re");
	if (!f)
		free(*path);
	return f;
}

/* a directory's name may end in a slash */
static size_t length_of(const char *name)
{
	size_t len = strlen(name);

	while (len > 1 && name[len - 1] == '/')
		len--;
	return len;
}

static bool read_file(struct cpu_times *c, FILE *f, const char *path)
{
	int err = mpstat_read(c, f);

	if (err == -ENOMEM)
		msg_die("out of memory");
	if (err) {
		errno = -err;
		msg_warn("cannot read %s:", path);
	} else if (!c->mean[0].count) {
		msg_warn("%s: there are no CPU times in it", path);
		err = -EINVAL;
	}
	return !err;
}

bool cpu_file_read(struct cpu_times *c, const char *name)
{
	char *path;
	FILE *f = open_beside(name, length_of(name), &path);
	bool good;

	if (!f)
		f = open_beside(name, named_stem(name), &path);
	if (!f)
		return true;
	good = read_file(c, f, path);
	fclose(f);
	free(path);
	return good;
}
