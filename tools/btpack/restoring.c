/* SPDX-License-Identifier: GPL-2.0-only */
/* Restoring the files of a packed trace; see restoring.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/msg.h"
#include "base/unit.h"
#include "cli/outfile.h"
#include "cli/reading.h"
#include "tools/btpack/options.h"
#include "tools/btpack/packed.h"
#include "tools/btpack/restoring.h"

enum { BUFFER = 256 * 1024, CHUNK = 64 * 1024 };

struct restoring {
	const struct btpack_options *o;
	const volatile sig_atomic_t *stop;
	struct packed packed;
	struct reading reading;
	uint64_t bytes;		/* restored so far */
	bool failed;		/* a file, reported */
};

/* --- names ---------------------------------------------------------------- */

/* whether all parts of a name are below the directory */
static bool is_below(const char *name)
{
	while (*name) {
		size_t len = strcspn(name, "/");

		if (!len || !strncmp(name, "..", len))
			return false;
		name += len;
		if (*name == '/' && !*++name)
			return false;
	}
	return true;
}

/* The path of a member, to be freed; NULL: its name is no good, reported. */
static char *path_of(const struct restoring *r, const char *name)
{
	char shown[PACKED_SHOWN], *path;

	if (!*name || !is_below(name)) {
		msg_warn("%s: \"%s\" is not restored: no name below a"
			 " directory", r->packed.path,
			 packed_shown(shown, name));
		return NULL;
	}
	if (asprintf(&path, "%s/%s", r->o->directory, name) < 0)
		msg_die("out of memory");
	return path;
}

/* A link, even a dangling one, is a file that exists. */
static bool exists(const char *path)
{
	struct stat st;

	return !lstat(path, &st);
}

/* Before the first one is written, as half a trace misleads. */
static bool are_free(const struct restoring *r)
{
	bool free_all = true;

	for (size_t i = 0; i < r->packed.list.count && free_all; i++) {
		const char *name = r->packed.list.members[i].name;
		char *path = is_below(name) ? path_of(r, name) : NULL;
		char shown[PACKED_SHOWN];

		free_all = !path || !exists(path);
		if (!free_all)
			msg_warn("%s exists; nothing is restored: use -f to"
				 " replace files, or -D for another directory",
				 packed_shown(shown, path));
		free(path);
	}
	return free_all;
}

/* Makes all directories of a path. */
static bool make_directories(const struct restoring *r, char *path)
{
	char shown[PACKED_SHOWN];
	bool good = true;

	for (char *slash = path; good && (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		good = !opener_mkdir(&r->o->opener, path, 0777) ||
		       errno == EEXIST;
		if (!good)
			msg_warn("cannot make the directory %s:",
				 packed_shown(shown, path));
		*slash = '/';
	}
	return good;
}

/* --- one file ------------------------------------------------------------- */

static void copy(struct restoring *r, struct packed_reader *from,
		 struct outfile *to)
{
	uint8_t buf[CHUNK];
	size_t n;

	while (!*r->stop &&
	       (n = packed_reader_read(from, buf, sizeof(buf)))) {
		buf_append(&to->buf, buf, n);
		r->bytes += n;
		if (!outfile_check(to, ""))
			return;
		reading_show(&r->reading, r->bytes, 0);
	}
}

static bool write_file(struct restoring *r, const struct pack_member *m,
		       const char *path)
{
	struct packed_reader from;
	char shown[PACKED_SHOWN];
	struct outfile to;

	packed_shown(shown, path);
	if (!packed_reader_begin(&from, &r->packed, m))
		return false;
	if (!outfile_open_whole(&to, &r->o->opener, path, BUFFER)) {
		packed_reader_end(&from);
		return false;
	}
	to.name = shown;
	copy(r, &from, &to);
	packed_reader_end(&from);
	if (*r->stop) {
		outfile_discard(&to);
		return false;
	}
	outfile_flush(&to, "");
	return outfile_close(&to);
}

static void restore(struct restoring *r, const struct pack_member *m)
{
	char *path = path_of(r, m->name);

	if (!path || !make_directories(r, path) || !write_file(r, m, path))
		r->failed = true;
	free(path);
}

/* --- all ------------------------------------------------------------------ */

static void print_end(const struct restoring *r, size_t files)
{
	char size[UNIT_MAX];

	unit_size(size, r->bytes);
	msg_warn("%zu file%s, %s bytes restored in %s", files,
		 files == 1 ? "" : "s", size, r->o->directory);
}

bool restoring_run(const struct btpack_options *o, const char *path,
		   const volatile sig_atomic_t *stop)
{
	struct restoring r = { .o = o, .stop = stop };
	size_t count;

	if (!packed_open(&r.packed, path))
		return false;
	packed_report_list(&r.packed);
	count = r.packed.list.count;
	if (!o->force && !are_free(&r)) {
		packed_close(&r.packed);
		return false;
	}
	reading_start(&r.reading, !o->no_progress);
	for (size_t i = 0; i < count && !*stop; i++)
		restore(&r, &r.packed.list.members[i]);
	reading_end(&r.reading);
	if (!r.failed)
		print_end(&r, count);
	packed_close(&r.packed);
	return !r.failed && !r.packed.damaged;
}
