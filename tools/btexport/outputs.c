/* SPDX-License-Identifier: GPL-2.0-only */
/* All outputs of a run; see outputs.h. */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/msg.h"
#include "base/opener.h"
#include "base/time.h"
#include "run/device.h"
#include "run/reader.h"
#include "tools/btexport/manifest.h"
#include "tools/btexport/naming.h"
#include "tools/btexport/options.h"
#include "tools/btexport/outputs.h"
#include "tools/btexport/row_table.h"

/* --- partition ------------------------------------------------------------ */

enum {
	DATE_MAX = 32,
	DISKS_MAX = 128,	/* longer lists are cut */
	ENDING_MAX = 32,
	HOUR = 2,		/* digits */
};

size_t outputs_hour_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return (size_t)(slash ? slash + 1 - path : 0) + HOUR;
}

static void date_of(const struct partition *p, char date[DATE_MAX])
{
	time_t seconds = (time_t)(p->start / (int64_t)NS_PER_SECOND);
	struct tm tm;

	if (!p->has_start || p->start < 0 || !gmtime_r(&seconds, &tm) ||
	    !strftime(date, DATE_MAX, "%Y-%m-%d", &tm))
		strcpy(date, "unknown");
}

/* appends _ and a disk */
static void add_disk(char disks[DISKS_MAX], const struct device *disk)
{
	char number[32], *to = disks + strlen(disks);
	const char *name = disk->label;

	if (!name) {
		snprintf(number, sizeof(number), "%u-%u", disk->number >> 20,
			 disk->number & 0xfffff);
		name = number;
	}
	if (to > disks)
		*to++ = '_';
	for (; *name && to < disks + DISKS_MAX - 2; name++)
		*to++ = naming_is_plain(*name) ? *name : '_';
	*to = '\0';
}

static void disks_of(const struct partition *p, char disks[DISKS_MAX])
{
	const struct devices *d = reader_devices(p->reader);

	disks[0] = '\0';
	for (uint32_t i = 0; i < d->count && strlen(disks) < DISKS_MAX - 4; i++)
		add_disk(disks, d->list[i]);
	if (!d->count)
		strcpy(disks, "none");
}

static void name_of(const struct partition *p, char name[NAME_MAX])
{
	int64_t hour = p->start / (int64_t)(3600 * NS_PER_SECOND) % 24;
	char disks[DISKS_MAX];

	if (p->trace) {
		snprintf(name, NAME_MAX, "%02d-%s-%06u",
			 p->has_start && hour > 0 ? (int)hour : 0, p->trace,
			 p->segment);
		return;
	}
	disks_of(p, disks);
	snprintf(name, NAME_MAX, "%lld-%s",
		 p->has_start ? (long long)p->start : 0, disks);
}

/* Makes all folders of a path, up to its last /. */
static int make_folders(const struct opener *o, char *path)
{
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		if (opener_mkdir(o, path, 0777) && errno != EEXIST)
			return -errno;	/* path ends at the failed folder */
		*slash = '/';
	}
	return 0;
}

size_t outputs_folder_length(const char *directory)
{
	size_t length = strlen(directory);

	while (length && directory[length - 1] == '/')
		length--;
	return length;
}

/*
 * Makes the folders of a table's file, or of the manifest: 0 and its *path, to be
 * freed; -ENOMEM; or another -errno, with *path the folder that could not be
 * made.
 */
static int partition_path(const struct partition *p, const char *table,
			  const char *ending, char **path)
{
	char date[DATE_MAX], name[NAME_MAX];

	date_of(p, date);
	name_of(p, name);
	if (asprintf(path, "%.*s/%s/host=%s/date=%s/%s%s",
		     (int)outputs_folder_length(p->directory), p->directory, table, p->host,
		     date, name, ending) < 0) {
		*path = NULL;
		return -ENOMEM;
	}
	return make_folders(p->opener, *path);
}

/* --- outputs -------------------------------------------------------------- */

static bool open_one(struct outputs *s, const char *path, unsigned int tables)
{
	struct output *out = &s->list[s->count];

	if (!output_begin(out, &s->o->out, path, tables))
		return false;
	out->ios = s->ios;
	s->count++;
	for (int kind = 0; kind < TABLES; kind++)
		if (tables >> kind & 1)
			s->of[kind] = out;
	return true;
}

static void report_path(const char *path, int err)
{
	errno = -err;
	if (path)
		msg_warn("cannot make the directory %s:", path);
	else
		msg_warn("out of memory");
}

/* a file for each table */
static bool open_parts(struct outputs *s, const struct partition *p)
{
	for (int kind = 0; kind < TABLES; kind++) {
		const struct row_table *t = tables_get((enum table_kind)kind);
		char *path;
		int err;

		if (!export_has(s->o, (enum table_kind)kind))
			continue;
		err = partition_path(p, t->name, p->ending, &path);
		s->paths[kind] = path;
		if (err)
			report_path(path, err);
		if (err || !open_one(s, path, TABLE_BIT(kind)))
			return false;
		output_sum(s->of[kind], t);
	}
	return true;
}

/* A folder may have tables in several formats. */
static int manifest_path(struct outputs *s, const struct partition *p)
{
	char ending[ENDING_MAX];

	snprintf(ending, sizeof(ending), "%s.json", p->ending);
	return partition_path(p, "manifest", ending, &s->manifest);
}

static bool open_folder(struct outputs *s, const struct partition *p)
{
	int err = manifest_path(s, p);

	s->skipped = outputs_folder_length(p->directory) + 1;
	if (err)
		report_path(s->manifest, err);
	return !err && open_parts(s, p);
}

bool outputs_begin(struct outputs *s, const struct export_options *o,
		  const struct partition *p)
{
	bool good;

	s->o = o;
	s->open = true;
	good = p ? open_folder(s, p) : open_one(s, o->output, o->tables);
	if (!good)
		outputs_discard(s);
	return good;
}

void outputs_from(struct outputs *s, const struct ios *ios)
{
	s->ios = ios;
	for (unsigned int i = 0; i < s->count; i++)
		s->list[i].ios = ios;
}

bool outputs_quiet(struct outputs *s)
{
	bool good = true;

	for (unsigned int i = 0; i < s->count; i++)
		good &= output_quiet(&s->list[i]);
	return good;
}

static struct manifest_table table_of(const struct outputs *s,
				      const struct output *out)
{
	enum table_kind kind = (enum table_kind)__builtin_ctz(out->tables);
	const struct fields *f = &s->o->out.fields[kind];
	struct manifest_table t = {
		.table = tables_get(kind)->name,
		.file = out->path + s->skipped,
		.rows = out->rows, .bytes = out->bytes,
		.checksum = out->checksum,
	};

	for (unsigned int i = 0; i < out->sum_count; i++) {
		t.columns[i] = f->columns[out->sum_at[i]]->name;
		t.sums[i] = out->sums[i];
	}
	return t;
}

/* The tables, as they are now in place. */
static bool write_manifest(const struct outputs *s, const struct manifest *m)
{
	struct manifest all = *m;

	for (unsigned int i = 0; i < s->count; i++)
		all.tables[all.count++] = table_of(s, &s->list[i]);
	return manifest_write(&all, &s->o->out.opener, s->manifest);
}

bool outputs_finish(struct outputs *s, const struct manifest *m,
		    bool (*placed)(void *ctx, const char *manifest),
		    void *ctx)
{
	bool good = true;

	for (unsigned int i = 0; i < s->count && good; i++)
		good = output_end(&s->list[i]);
	for (unsigned int i = 0; i < s->count && good; i++) {
		good = output_place(&s->list[i]);
		s->rows += s->list[i].rows;
		s->bytes += s->list[i].bytes;
	}
	if (good && placed)
		good = placed(ctx, s->manifest);
	if (good && s->manifest)
		good = write_manifest(s, m);
	outputs_discard(s);
	return good;
}

void outputs_discard(struct outputs *s)
{
	for (unsigned int i = 0; i < s->count; i++)
		output_discard(&s->list[i]);
	for (int kind = 0; kind < TABLES; kind++) {
		free(s->paths[kind]);
		s->paths[kind] = NULL;
		s->of[kind] = NULL;
	}
	free(s->manifest);
	s->manifest = NULL;
	s->count = 0;
	s->open = false;
}
