/* SPDX-License-Identifier: GPL-2.0-only */
/* Three files of the same lines; see rw_files.h. */
#include <stdio.h>
#include <string.h>

#include "tools/btt/datafile.h"
#include "tools/btt/rw_files.h"

void rw_files_open(struct rw_files *t, const struct opener *by,
		   const char *prefix, const char *label, const char *stem)
{
	struct datafile **const files[] = { &t->reads, &t->writes, &t->both };
	char suffix[32];

	t->wanted = prefix;
	for (int i = 0; i < 3; i++) {
		snprintf(suffix, sizeof(suffix), "%s_%c.dat", stem, "rwc"[i]);
		*files[i] = datafile_open_for(by, prefix, label, suffix);
	}
}

static void write_line(struct datafile *f, const char *line, size_t len)
{
	char *p = datafile_room(f, len);

	if (!p)
		return;
	memcpy(p, line, len);
	datafile_commit(f, p + len);
}

void rw_files_write(struct rw_files *t, bool read, const char *line, size_t len)
{
	write_line(read ? t->reads : t->writes, line, len);
	write_line(t->both, line, len);
}

bool rw_files_close(struct rw_files *t)
{
	bool fine = datafile_close(t->reads, DATAFILE_DROP_EMPTY);

	fine = datafile_close(t->writes, DATAFILE_DROP_EMPTY) && fine;
	return datafile_close(t->both, DATAFILE_DROP_EMPTY) && fine;
}
