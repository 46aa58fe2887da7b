/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The commands that print, or change, what is known of one watched file.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/msg.h"
#include "base/time.h"
#include "tools/iotracer/commands.h"
#include "tools/iotracer/found.h"
#include "tools/iotracer/log.h"
#include "tools/iotracer/missing.h"
#include "tools/iotracer/options.h"
#include "tools/iotracer/output.h"
#include "tools/iotracer/paths.h"
#include "tools/iotracer/watched.h"

/* --- list -------------------------------------------------------------- */

static int by_added(const void *a, const void *b)
{
	const struct bpf_file *const *x = a, *const *y = b;

	return ((*x)->added > (*y)->added) - ((*x)->added < (*y)->added);
}

/* a line of list: the name, and a blank before each path */
static void list_one(struct buf *out, const struct pins *p,
		     const struct bpf_file *f, const struct path_entry *paths,
		     int count)
{
	buf_append(out, f->name, strnlen(f->name, sizeof(f->name)));
	for (int i = 0; i < count; i++)
		if (&p->bpf.files[paths[i].file] == f) {
			buf_append(out, " ", 1);
			buf_append(out, paths[i].text, strlen(paths[i].text));
		}
	buf_append(out, "\n", 1);
}

static int list_all(struct pins *p, struct buf *out)
{
	const struct bpf_file *files[BPF_FILES_MAX];
	struct path_entry *paths;
	int count = paths_read(p->paths, &paths);
	size_t n = 0;

	if (count < 0) {
		msg_warn("the list of paths: %s", strerror(-count));
		return 1;
	}
	for (int i = 0; i < BPF_FILES_MAX; i++)
		if (p->bpf.files[i].used)
			files[n++] = &p->bpf.files[i];
	qsort(files, n, sizeof(*files), by_added);
	for (size_t i = 0; i < n; i++) {
		list_one(out, p, files[i], paths, count);
		missing_warn_paths(p, (uint32_t)(files[i] - p->bpf.files),
				   paths, count);
	}
	free(paths);
	return 0;
}

int command_list(const struct options *o)
{
	struct pins p;
	struct buf out;
	int err, status;

	(void)o;
	if (output_open(&out))
		return 1;
	err = pins_open(&p);
	status = err ? err != -ENOENT : list_all(&p, &out);
	pins_close(&p);
	return output_close(&out) | status;
}

/* --- one file ---------------------------------------------------------- */

int command_status(const struct options *o)
{
	struct found found;
	const struct bpf_file *f;
	struct pins p;
	struct buf out;

	if (found_open(&p, o->words[0], &found))
		return 1;
	if (output_open(&out)) {
		pins_close(&p);
		return 1;
	}
	f = &p.bpf.files[found.file];
	buf_printf(&out, "%d %" PRIu64 ".%09" PRIu64
		   " %" PRIu64 " %" PRIu64 "\n",
		   !f->stopped, (uint64_t)f->zero_time / NS_PER_SECOND,
		   (uint64_t)f->zero_time % NS_PER_SECOND, (uint64_t)f->room,
		   log_get_count(&p.bpf, found.file));
	missing_warn(&p, found.file);
	pins_close(&p);
	return output_close(&out);
}

/* all lines of a log, the file called path in extended ones */
static int show_lines(const struct options *o, const struct pins *p,
		      uint32_t file, const struct bpf_line *lines, int64_t n,
		      const char *path)
{
	uint64_t zero_time = p->bpf.files[file].zero_time;
	size_t room = LINE_FIXED + strlen(path);
	struct buf out;
	char *at;

	if (output_open(&out))
		return 1;
	for (int64_t i = 0; i < n && (at = buf_room(&out, room)); i++)
		buf_commit(&out, line_format(at, &lines[i], zero_time,
					     &o->style, path));
	return output_close(&out);
}

int command_log(const struct options *o)
{
	struct found found;
	struct bpf_line *lines;
	struct pins p;
	int64_t n;
	int status;

	if (found_open(&p, o->words[0], &found))
		return 1;
	n = log_read(&p.bpf, found.file, &lines);
	if (n < 0) {
		msg_warn("the log of %s: %s", o->words[0], strerror((int)-n));
		status = 1;
	} else {
		status = show_lines(o, &p, found.file, lines, n,
				    found.by_name ? o->words[0] : found.path);
		free(lines);
	}
	missing_warn(&p, found.file);
	pins_close(&p);
	return status;
}

/* --- changes ----------------------------------------------------------- */

static void stop(struct bpf *b, uint32_t file)
{
	b->files[file].stopped = 1;
}

static void start(struct bpf *b, uint32_t file)
{
	b->files[file].stopped = 0;
}

/* as if it had been added now */
static void timereset(struct bpf *b, uint32_t file)
{
	b->files[file].zero_time = time_now();
	log_reset(b, file);
}

/* finds the file and changes it */
static int change(const struct options *o, void (*how)(struct bpf *, uint32_t))
{
	struct found found;
	struct pins p;

	if (found_open(&p, o->words[0], &found))
		return 1;
	how(&p.bpf, found.file);
	pins_close(&p);
	return 0;
}

int command_stop(const struct options *o)
{
	return change(o, stop);
}

int command_start(const struct options *o)
{
	return change(o, start);
}

int command_reset(const struct options *o)
{
	return change(o, log_reset);
}

int command_timereset(const struct options *o)
{
	return change(o, timereset);
}
