/* The load to be replayed; see load.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "replay/bunch.h"
#include "replay/recording.h"
#include "replay/shelf.h"
#include "tools/btreplay/devmap.h"
#include "tools/btreplay/load.h"
#include "tools/btreplay/options.h"

enum { BAD_INPUT = 1, BAD_SYSTEM = 2, NS_PER_S = 1000000000 };

static int no_memory(void)
{
	warn("out of memory");
	return BAD_SYSTEM;
}

static void file_free(struct load_file *f)
{
	recording_free(f->recording);
	free(f->name);
}

void load_free(struct load *l)
{
	for (unsigned int i = 0; i < l->file_count; i++)
		file_free(&l->files[i]);
	for (unsigned int i = 0; i < l->target_count; i++)
		target_close(&l->targets[i]);
	free(l->files);
	free(l->targets);
	*l = (struct load){ 0 };
}

/* --- a replay file ------------------------------------------------------- */

/* Another version is refused; one that reads backwards is of other machines. */
static int check_version(const struct recording *r)
{
	const struct bunch_file *h = recording_header(r);

	if (h->version == BUNCH_VERSION)
		return 0;
	if (h->version == __builtin_bswap64(BUNCH_VERSION))
		warn("%s: BT version mismatch: it is in the other byte order,"
		     " make it anew of the trace with btrecord",
		     recording_path(r));
	else
		warn("%s: BT version mismatch: %" PRIx64 " versus my %x",
		     recording_path(r), h->version, BUNCH_VERSION);
	return BAD_INPUT;
}

static int take_survey(struct load_file *f)
{
	const char *path = recording_path(f->recording);
	int got = survey_take(&f->survey, f->recording);

	if (got == -1)
		warn("%s: damaged: %s", path, recording_fault(f->recording));
	else if (got == -2)
		warn("%s: damaged: %" PRIu64 " bunches, the header tells of %"
		     PRIu64, path, f->survey.bunches,
		     recording_header(f->recording)->bunches);
	return got ? BAD_INPUT : 0;
}

/* An empty file is no file: it is left out, and that is said with -v. */
static int open_recording(struct load_file *f, const char *path, bool verbose)
{
	int err = recording_open(&f->recording, path);

	if (err == -ENODATA) {
		if (verbose)
			fprintf(stderr, "\t%s empty\n", path);
		return 0;
	}
	if (err == -EBADMSG) {
		warn("%s: damaged: cut inside its header", path);
		return BAD_INPUT;
	}
	if (err) {
		warn("Unable to open %s: %s", path, strerror(-err));
		return BAD_SYSTEM;
	}
	err = check_version(f->recording);
	return err ? err : take_survey(f);
}

/* In the original's words. */
static void tell_added(struct load *l, const struct load_file *f, int verbose)
{
	uint64_t genesis = f->survey.genesis;

	if (verbose > 1 && (!l->file_count || genesis < l->genesis))
		fprintf(stderr, "Setting genesis to %" PRIu64 ".%" PRIu64 "\n",
			genesis / NS_PER_S, genesis % NS_PER_S);
	if (verbose)
		fprintf(stderr, "Added %s %" PRIu64 "\n",
			recording_path(f->recording), genesis);
}

/* Takes *f over. */
static int add_file(struct load *l, struct load_file *f)
{
	struct load_file *files = realloc(l->files, (l->file_count + 1) *
							    sizeof(*files));

	if (!files) {
		file_free(f);
		return no_memory();
	}
	l->files = files;
	if (!l->file_count || f->survey.genesis < l->genesis)
		l->genesis = f->survey.genesis;
	if (f->survey.end > l->end)
		l->end = f->survey.end;
	files[l->file_count++] = *f;
	return 0;
}

static int add_path(struct load *l, const struct replay_options *o,
		    const char *name, uint32_t cpu, const char *path)
{
	struct load_file f = { .name = strdup(name), .cpu = cpu };
	int status = f.name ? open_recording(&f, path, o->verbose > 0) :
			      no_memory();

	if (status || !f.survey.bunches) {
		file_free(&f);
		return status;
	}
	tell_added(l, &f, o->verbose);
	return add_file(l, &f);
}

/* --- a device's files ---------------------------------------------------- */

static int add_device(struct load *l, const struct replay_options *o,
		      const char *name)
{
	uint32_t cpu = shelf_next_cpu(o->dir, name, o->base, 0);
	int status = 0;

	if (cpu == SHELF_CPUS) {
		warn("No traces found for %s", name);
		return BAD_INPUT;
	}
	while (!status && cpu < SHELF_CPUS) {
		char *path = shelf_path(o->dir, name, o->base, cpu);

		status = path ? add_path(l, o, name, cpu, path) : no_memory();
		free(path);
		cpu = shelf_next_cpu(o->dir, name, o->base, cpu + 1);
	}
	return status;
}

static int add_all(struct load *l, const struct replay_options *o)
{
	char **names = NULL;
	int count = shelf_names(o->dir, o->base, &names), status = 0;

	if (count == -ENOMEM)
		return no_memory();
	if (count <= 0 && !o->names.count) {
		warn("Missing required input dev name(s): no replay files in"
		     " %s", o->dir);
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

static unsigned int find_target(const struct load *l, const char *node)
{
	unsigned int i = 0;

	while (i < l->target_count && strcmp(l->targets[i].node, node))
		i++;
	return i;
}

static int add_target(struct load *l, const struct replay_options *o,
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

static int aim(struct load *l, const struct replay_options *o,
	       struct load_file *f)
{
	const char *name = devmap_find(&o->map, f->name);
	char *node = devmap_node(name);
	int status = 0;

	if (!node && errno == EINVAL)
		warn("%s: %s is no name of a device below /dev: Failed device"
		     " open", f->name, name);
	if (!node)
		return errno == EINVAL ? BAD_SYSTEM : no_memory();
	f->target = find_target(l, node);
	if (f->target == l->target_count)
		status = add_target(l, o, node);
	free(node);
	return status;
}

/* All files before the first device: a damaged one is found before all else. */
int load_open(struct load *l, const struct replay_options *o)
{
	int status = 0;

	*l = (struct load){ 0 };
	for (int i = 0; !status && i < o->names.count; i++)
		status = add_device(l, o, o->names.list[i]);
	if (!status && o->find)
		status = add_all(l, o);
	for (unsigned int i = 0; !status && i < l->file_count; i++)
		status = aim(l, o, &l->files[i]);
	return status;
}
