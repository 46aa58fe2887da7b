/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * blkrawverify: checks the files of a trace for damage, and dumps faults to
 * DEVICE.verify.out.
 *
 * Passes each file's pieces from file/scan to check.  Manual:
 * doc/blkrawverify.1.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

#include "base/folder.h"
#include "base/msg.h"
#include "base/opener.h"
#include "cli/confined.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "cli/reading.h"
#include "file/files.h"
#include "file/hooks.h"
#include "file/scan.h"
#include "file/shelf.h"
#include "file/source.h"
#include "file/source_chain.h"
#include "tools/blkrawverify/check.h"

#define REPORT_SUFFIX ".verify.out"

struct report {
	char *path;		/* NAME + REPORT_SUFFIX */
	FILE *out;		/* NULL: it cannot be written */
};

/* the progress on the files of one device */
struct progress {
	struct reading reading;
	uint64_t done, total;	/* bytes of finished files, of all files */
};

struct options {
	bool no_progress;
	struct opener opener;	/* makes reports */
};

static const struct cli_option rows[] = {
	{ READING_OPTION(struct options, no_progress), .group = "Options" },
};

static const struct cli_program program = {
	.name = "blkrawverify",
	.usage = "[OPTION] NAME...",
	.purpose = "Check the files NAME.blktrace.CPU, and write"
		   " NAME.verify.out.",
	.options = rows,
	.option_count = sizeof(rows) / sizeof(*rows),
	.operands = CLI_TRACE,
	.examples =
		"blkrawverify sda                sda.blktrace.* of this"
		" directory\n"
		"blkrawverify run/sda && blkparse -D run sda\n",
	.status = "0 if all is well; 1 if anything is wrong with a file, a name"
		  " has no files, or the report could not be written.",
	.section = 1,
	.version_letters = "V",
};

static const char *reason(int err)
{
	if (err == -EBADMSG)
		return "the compressed data is broken or cut short";
	return err == -EACCES ? inputs_why(err) : strerror(-err);
}

/* --- the report --------------------------------------------------------- */

static bool report_open(struct report *r, const struct opener *o,
			const char *name)
{
	int fd;

	if (asprintf(&r->path, "%s" REPORT_SUFFIX, name) < 0)
		msg_die("out of memory");
	fd = opener_open(o, r->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
			 0666);
	r->out = fd < 0 ? NULL : fdopen(fd, "w");
	if (!r->out) {
		msg_warn("cannot write %s, faults are only counted: %s",
			 r->path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return false;
	}
	fprintf(r->out, "\n---------------\nVerifying %s\n", name);
	return true;
}

/* prints whether the report was written; false: it was not */
static bool report_close(struct report *r)
{
	bool written = false;

	if (r->out) {
		bool failed = ferror(r->out);

		written = !fclose(r->out) && !failed;
		if (written)
			printf("Wrote output to %s\n", r->path);
		else
			msg_warn("cannot write %s:", r->path);
	}
	free(r->path);
	return written;
}

/* --- one file ----------------------------------------------------------- */

static void report_first(const struct check *c, const char *path)
{
	unsigned long long at = c->first_at, all = c->invalid;

	msg_warn("%s: byte %llu: %s%s%llu bad in all", path, at, c->first,
		 c->out ? "; see the dump, " : "; ", all);
}

static void show_progress(struct progress *at, const struct source *src)
{
	uint64_t done = at->done, unused = 0;

	source_progress(src, &done, &unused);
	reading_show(&at->reading, done, at->total);
}

static void on_damage(void *ctx, const struct damage *d)
{
	*(bool *)ctx = true;
	inputs_print_damage(d);
}

/* checks a file; whether all of it could be read */
static bool walk(struct check *c, struct source *src, const char *path,
		 struct progress *at)
{
	bool damaged = false;
	const struct hooks hooks = { .ctx = &damaged, .damage = on_damage };
	struct scan *ps = scan_new(src, c->cpu, &hooks);
	uint64_t unused = 0;
	struct piece p;
	int got;

	if (!ps)
		msg_die("out of memory");
	while ((got = scan_next(ps, &p)) == 1) {
		if (reading_due(&at->reading))
			show_progress(at, src);
		check_piece(c, &p);
	}
	source_progress(src, &at->done, &unused);
	scan_free(ps);
	if (got)
		msg_warn("%s: cannot be read to its end: %s", path,
			 reason(got));
	return !got && !damaged;
}

/* checks a file and prints the result; whether it is undamaged */
static bool verify_file(const struct file_entry *e, FILE *out,
			struct progress *at)
{
	struct check c = { .out = out, .cpu = e->cpu };
	struct source *src;
	int err = files_open(e, &src);
	bool readable = false;

	printf("    CPU %u ", (unsigned int)e->cpu);
	if (err) {
		msg_warn("%s: cannot be opened: %s", e->path, reason(err));
	} else {
		readable = walk(&c, src, e->path, at);
		if (out)
			check_summary(&c);
	}
	if (c.invalid) {
		printf("-- %llu bad", (unsigned long long)c.invalid);
		report_first(&c, e->path);
	}
	/* the newline flushes the line to a terminal */
	reading_erase(&at->reading);
	putchar('\n');
	return readable && !c.invalid;
}

/* --- devices ------------------------------------------------------------ */

/* bytes of a regular file, else 0 */
static uint64_t size_of(const char *path)
{
	struct stat st;

	return path && !stat(path, &st) ? (uint64_t)st.st_size : 0;
}

/* with its segments, if any */
static uint64_t size_of_entry(const struct file_entry *e)
{
	uint64_t size = size_of(e->payloads);

	for (size_t i = 0; i < e->link_count; i++)
		size += size_of(e->links[i].path);
	return e->links ? size : size + size_of(e->path);
}

static void progress_start(struct progress *at, const struct files *files,
			   bool wanted)
{
	at->done = at->total = 0;
	for (size_t i = 0; i < files->count; i++)
		at->total += size_of_entry(&files->list[i]);
	reading_start(&at->reading, wanted);
}

static bool verify_files(const struct files *files, FILE *out,
			 const struct options *o)
{
	struct progress progress;
	bool good = true;

	progress_start(&progress, files, !o->no_progress);
	for (size_t i = 0; i < files->count; i++)
		if (!verify_file(&files->list[i], out, &progress))
			good = false;
	reading_end(&progress.reading);
	return good;
}

/* What name stands for, in dir: a device, or in a packed file each of them. */
static bool verify_device(const char *dir, const char *name,
			  const struct options *o, struct report *r)
{
	struct files files;
	int err = files_find(&files, dir, name);
	bool good = !err;

	printf("Verifying %s%s%s\n", dir, *dir ? "/" : "", name);
	if (err == -ENOENT)
		msg_warn("No tracefiles found for %s", name);
	else if (err)
		msg_warn("%s: %s", name, reason(err));
	if (!err && !r->path)
		good = report_open(r, &o->opener, *dir ? dir : name);
	if (!err)
		good = verify_files(&files, r->out, o) && good;
	files_free(&files);
	return good;
}

/* The devices in a packed file, which have one report. */
static bool verify_packed(const char *path, const struct options *o,
			  struct report *r)
{
	char **names = NULL;
	int count = files_devices(path, &names);
	bool good = true;

	for (int i = 0; i < count; i++)
		good = verify_device(path, names[i], o, r) && good;
	folder_free(names, count > 0 ? count : 0);
	if (count > 0)
		return good;
	msg_warn("%s: %s", path, count ? reason(count) : "no tracefiles in it");
	return false;
}

static bool verify(const char *name, const struct options *o)
{
	struct report r = { .path = NULL };
	bool good = shelf_is_packed(name) ? verify_packed(name, o, &r) :
					    verify_device("", name, o, &r);

	return r.path ? report_close(&r) && good : good;
}

static void confine(struct options *o, const char *const *names, size_t count)
{
	struct writable *reports = calloc(count, sizeof(*reports));
	char *path;

	for (size_t i = 0; i < count; i++) {
		if (!reports || asprintf(&path, "%s" REPORT_SUFFIX,
					 names[i]) < 0)
			msg_die("out of memory");
		reports[i].name = path;
	}
	o->opener = confined_enter(&(struct confined){
		.traces = { .names = names, .count = count,
			    .meaning = READABLE_ALONE },
		.outputs = reports, .output_count = count,
	});
	for (size_t i = 0; i < count; i++)
		free((char *)(uintptr_t)reports[i].name);
	free(reports);
}

int main(int argc, char **argv)
{
	struct options o = { .no_progress = false };
	bool good = true;
	int first;

	msg_guard_fds();
	first = cli_parse(&program, &o, argc, argv);
	if (first == argc)
		cli_usage_error(&program, "no trace is named");
	confine(&o, (const char *const *)argv + first, (size_t)(argc - first));
	for (int i = first; i < argc; i++)
		if (!verify(argv[i], &o))
			good = false;
	if (fflush(stdout) || ferror(stdout))
		msg_die("cannot write to standard output:");
	return !good;
}
