/* SPDX-License-Identifier: GPL-2.0-only */
/* The job; see job.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/msg.h"
#include "base/sysfs.h"
#include "base/time.h"
#include "machine/card.h"
#include "replay/bunch.h"
#include "replay/bunch_files.h"
#include "replay/bunch_reader.h"
#include "tools/btreplay/device_map.h"
#include "tools/btreplay/job.h"
#include "tools/btreplay/options.h"
#include "tools/btreplay/target.h"

/* --- fit ------------------------------------------------------------------ */

enum { SECTOR = 512 };

typedef unsigned long long ull;

/* The card of that name, or NULL. */
static struct card *read_card(const char *dir, const char *name,
			      const char *base)
{
	char *path, why[CARD_WHY];
	struct card *c = NULL;
	int err;

	if (asprintf(&path, "%s/%s.%s.json", dir, name, base) < 0)
		return NULL;
	err = card_read(&c, path, why);
	if (err && err != -ENOENT && err != -EOPNOTSUPP)
		msg_warn("%s: %s; it is not compared", path, why);
	free(path);
	return c;
}

static void compare_size(const char *name, const struct card *c,
			 const struct target *t)
{
	uint64_t was, is = t->sectors * SECTOR;

	if (card_number(c, "device.size", &was) && was != is)
		msg_warn("%s: was recorded on a device of %llu bytes, but %s"
			 " has %llu", name, (ull)was, t->node, (ull)is);
}

/* A partition has its disk's block sizes. */
static void compare_blocks(const char *name, const struct card *c,
			   const struct target *t)
{
	static const struct {
		const char *keys[2], *files[2], *words;
	} blocks[] = {
		{ { "device.logical_block_size",
		    "device.disk.logical_block_size" },
		  { "queue/logical_block_size",
		    "../queue/logical_block_size" }, "logical" },
		{ { "device.physical_block_size",
		    "device.disk.physical_block_size" },
		  { "queue/physical_block_size",
		    "../queue/physical_block_size" }, "physical" },
	};
	struct stat st;

	if (stat(t->node, &st))
		return;
	for (size_t i = 0; i < sizeof(blocks) / sizeof(*blocks); i++) {
		uint64_t was, is;

		if (!card_number(c, blocks[i].keys[0], &was) &&
		    !card_number(c, blocks[i].keys[1], &was))
			continue;
		if (sysfs_number(st.st_rdev, blocks[i].files[0], &is) &&
		    sysfs_number(st.st_rdev, blocks[i].files[1], &is))
			continue;
		if (was != is)
			msg_warn("%s: was recorded on %s blocks of %llu bytes,"
				 " but %s has %llu", name, blocks[i].words,
				 (ull)was, t->node, (ull)is);
	}
}

/*
 * Warns on stderr if the device's size or block sizes differ from the recorded
 * device's card with the replay files: btrecord's NAME.BASE.json, or the
 * trace's NAME.blktrace.json.
 */
static void fit_check(const struct replay_options *o, const char *name,
		      const struct target *t)
{
	struct card *c = read_card(o->dir, name, o->base);

	if (!c)
		c = read_card(o->dir, name, "blktrace");
	if (!c)
		return;
	compare_size(name, c, t);
	compare_blocks(name, c, t);
	card_free(c);
}

/* --- job ------------------------------------------------------------------ */

enum { BAD_INPUT = 1, BAD_SYSTEM = 2 };

static int no_memory(void)
{
	msg_warn("out of memory");
	return BAD_SYSTEM;
}

static void file_free(struct job_file *f)
{
	bunch_reader_close(f->reader);
	free(f->name);
}

void job_free(struct job *l)
{
	for (unsigned int i = 0; i < l->file_count; i++)
		file_free(&l->files[i]);
	for (unsigned int i = 0; i < l->target_count; i++)
		target_close(&l->targets[i]);
	free(l->files);
	free(l->targets);
	*l = (struct job){ 0 };
}

/* --- a replay file ------------------------------------------------------- */

/* Refuses other versions, and with a hint the other byte order. */
static int check_version(const struct bunch_reader *r)
{
	const struct bunch_file *h = bunch_reader_header(r);

	if (h->version == BUNCH_VERSION)
		return 0;
	if (h->version == __builtin_bswap64(BUNCH_VERSION))
		msg_warn("%s: BT version mismatch: it is in the other byte"
			 " order, make it anew of the trace with btrecord",
			 bunch_reader_path(r));
	else
		msg_warn("%s: BT version mismatch: %" PRIx64 " versus my %x",
			 bunch_reader_path(r), h->version, BUNCH_VERSION);
	return BAD_INPUT;
}

static int read_through(struct job_file *f)
{
	const char *path = bunch_reader_path(f->reader);
	int got = scan_read(&f->scan, f->reader);

	if (got == -1)
		msg_warn("%s: damaged: %s", path,
			 bunch_reader_fault(f->reader));
	else if (got == -2)
		msg_warn("%s: damaged: %" PRIu64 " bunches, not %" PRIu64
			 " as in the header", path, f->scan.bunches,
			 bunch_reader_header(f->reader)->bunches);
	return got ? BAD_INPUT : 0;
}

/* Leaves out an empty file, which -v reports. */
static int open_reader(struct job_file *f, const char *path, bool verbose)
{
	int err = bunch_reader_open(&f->reader, path);

	if (err == -ENODATA) {
		if (verbose)
			fprintf(stderr, "\t%s empty\n", path);
		return 0;
	}
	if (err == -EBADMSG) {
		msg_warn("%s: damaged: cut inside its header", path);
		return BAD_INPUT;
	}
	if (err) {
		msg_warn("Unable to open %s: %s", path, strerror(-err));
		return BAD_SYSTEM;
	}
	err = check_version(f->reader);
	return err ? err : read_through(f);
}

/* 1.3.0: these texts. */
static void print_added(struct job *l, const struct job_file *f, int verbose)
{
	uint64_t genesis = f->scan.genesis;

	if (verbose > 1 && (!l->file_count || genesis < l->genesis))
		fprintf(stderr, "Setting genesis to %" PRIu64 ".%" PRIu64 "\n",
			genesis / NS_PER_SECOND, genesis % NS_PER_SECOND);
	if (verbose)
		fprintf(stderr, "Added %s %" PRIu64 "\n",
			bunch_reader_path(f->reader), genesis);
}

/* Takes *f over. */
static int add_file(struct job *l, struct job_file *f)
{
	struct job_file *files = realloc(l->files, (l->file_count + 1) *
							    sizeof(*files));

	if (!files) {
		file_free(f);
		return no_memory();
	}
	l->files = files;
	if (!l->file_count || f->scan.genesis < l->genesis)
		l->genesis = f->scan.genesis;
	if (f->scan.end > l->end)
		l->end = f->scan.end;
	files[l->file_count++] = *f;
	return 0;
}

static int add_path(struct job *l, const struct replay_options *o,
		    const char *name, uint32_t cpu, const char *path)
{
	struct job_file f = { .name = strdup(name), .cpu = cpu };
	int status = f.name ? open_reader(&f, path, o->verbose > 0) :
			      no_memory();

	if (status || !f.scan.bunches) {
		file_free(&f);
		return status;
	}
	print_added(l, &f, o->verbose);
	return add_file(l, &f);
}

/* --- a device's files ---------------------------------------------------- */

static int add_device(struct job *l, const struct replay_options *o,
		      const char *name)
{
	uint32_t cpu = bunch_files_next_cpu(o->dir, name, o->base, 0);
	int status = 0;

	if (cpu == BUNCH_FILES_CPUS) {
		msg_warn("No traces found for %s", name);
		return BAD_INPUT;
	}
	while (!status && cpu < BUNCH_FILES_CPUS) {
		char *path = bunch_files_path(o->dir, name, o->base, cpu);

		status = path ? add_path(l, o, name, cpu, path) : no_memory();
		free(path);
		cpu = bunch_files_next_cpu(o->dir, name, o->base, cpu + 1);
	}
	return status;
}

static int add_all(struct job *l, const struct replay_options *o)
{
	char **names = NULL;
	int count = bunch_files_names(o->dir, o->base, &names), status = 0;

	if (count == -ENOMEM)
		return no_memory();
	if (count <= 0 && !o->names.count) {
		msg_warn("Missing required input dev name(s): no replay files"
			 " in %s", o->dir);
		status = BAD_INPUT;
	}
	for (int i = 0; i < count; i++) {
		if (!status && !named_has(&o->names, names[i]))
			status = add_device(l, o, names[i]);
		free(names[i]);
	}
	free(names);
	return status;
}

/* --- devices to replay on ------------------------------------------------ */

static unsigned int find_target(const struct job *l, const char *node)
{
	unsigned int i = 0;

	while (i < l->target_count && strcmp(l->targets[i].node, node))
		i++;
	return i;
}

static int add_target(struct job *l, const struct replay_options *o,
		      const char *node)
{
	const struct target_options to = { .write = o->write,
					   .force = o->force,
					   .look_only = o->dry_run };
	struct target *targets = realloc(l->targets, (l->target_count + 1) *
							     sizeof(*targets));
	int status;

	if (!targets)
		return no_memory();
	l->targets = targets;
	status = target_open(&targets[l->target_count], node, &to);
	if (!status)
		l->target_count++;
	return status;
}

static int find_or_open_target(struct job *l, const struct replay_options *o,
			       struct job_file *f)
{
	const char *name = device_map_find(&o->map, f->name);
	char *node = device_map_node(name);
	int status = 0;

	if (!node && errno == EINVAL)
		msg_warn("%s: %s is not a device under /dev: Failed device"
			 " open", f->name, name);
	if (!node)
		return errno == EINVAL ? BAD_SYSTEM : no_memory();
	f->target = find_target(l, node);
	if (f->target == l->target_count)
		status = add_target(l, o, node);
	free(node);
	/* once per device, whose files are adjacent */
	if (!status && (f == l->files || strcmp(f->name, f[-1].name)))
		fit_check(o, f->name, &l->targets[f->target]);
	return status;
}

/* Opens all files before the first device, to find damage first. */
int job_open(struct job *l, const struct replay_options *o)
{
	int status = 0;

	*l = (struct job){ 0 };
	for (int i = 0; !status && i < o->names.count; i++)
		status = add_device(l, o, o->names.list[i]);
	if (!status && o->find)
		status = add_all(l, o);
	for (unsigned int i = 0; !status && i < l->file_count; i++)
		status = find_or_open_target(l, o, &l->files[i]);
	return status;
}
