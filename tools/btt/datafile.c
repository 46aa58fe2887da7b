/* SPDX-License-Identifier: GPL-2.0-only */
/* A file of data lines; see datafile.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limit.h"
#include "base/msg.h"
#include "base/opener.h"
#include "tools/btt/datafile.h"

/* --- rw files ------------------------------------------------------------- */

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

/* --- datafile ------------------------------------------------------------- */

enum {
	BUFFER = 16384,		/* a device can have 25 */
	LINE = 512,		/* longest of datafile_printf() */
	MORE_FILES = 256,
};

static int open_path(const struct opener *by, const char *path)
{
	int fd;

	do
		fd = opener_open(by, path, O_WRONLY | O_CREAT | O_TRUNC |
				 O_CLOEXEC, 0666);
	while (fd < 0 && (errno == EMFILE || errno == ENFILE) &&
	       limit_more_files(MORE_FILES));
	return fd;
}

struct datafile *datafile_open(const struct opener *by, const char *path)
{
	struct datafile *f = calloc(1, sizeof(*f));
	int fd;

	if (!f || asprintf(&f->path, "%s", path) < 0)
		msg_die("out of memory");
	f->opener = by;
	fd = open_path(by, path);
	if (fd < 0) {
		msg_warn("cannot write %s:", path);
		free(f->path);
		free(f);
		return NULL;
	}
	if (buf_init(&f->buf, fd, BUFFER))
		msg_die("out of memory");
	return f;
}

/* "prefix_label" + suffix, allocated; without a prefix "label" + suffix */
static char *datafile_name(const char *prefix, const char *label,
			   const char *suffix)
{
	char *name;
	int len;

	if (prefix)
		len = asprintf(&name, "%s_%s%s", prefix, label, suffix);
	else
		len = asprintf(&name, "%s%s", label, suffix);
	if (len < 0)
		msg_die("out of memory");
	return name;
}

struct datafile *datafile_open_here(const struct opener *by, const char *label,
				    const char *suffix)
{
	char *name = datafile_name(NULL, label, suffix);
	struct datafile *f = datafile_open(by, name);

	free(name);
	return f;
}

struct datafile *datafile_open_for(const struct opener *by, const char *prefix,
				   const char *label, const char *suffix)
{
	struct datafile *f;
	char *name;

	if (!prefix)
		return NULL;
	name = datafile_name(prefix, label, suffix);
	f = datafile_open(by, name);
	free(name);
	return f;
}

void datafile_restart(struct datafile *f)
{
	if (!f || !f->used)
		return;
	buf_flush(&f->buf);
	if (!f->buf.error && (ftruncate(f->buf.fd, 0) ||
			      lseek(f->buf.fd, 0, SEEK_SET) < 0))
		f->buf.error = errno;
	f->used = false;
}

void datafile_printf(struct datafile *f, const char *fmt, ...)
{
	char *p = datafile_room(f, LINE);
	va_list ap;
	int n;

	if (!p)
		return;
	va_start(ap, fmt);
	n = vsnprintf(p, LINE, fmt, ap);
	va_end(ap);
	datafile_commit(f, p + (n < LINE ? n : LINE - 1));
}

bool datafile_close(struct datafile *f, enum datafile_end end)
{
	int err;

	if (!f)
		return true;
	err = -buf_flush(&f->buf);
	if (close(f->buf.fd) && !err)
		err = errno;
	if (err) {
		errno = err;
		msg_warn("cannot write %s, it ends early:", f->path);
	} else if (!f->used && end == DATAFILE_DROP_EMPTY) {
		opener_remove(f->opener, f->path);
	}
	buf_free(&f->buf);
	free(f->path);
	free(f);
	return !err;
}
