/* What a replay would do; see plan.h. */
#include <inttypes.h>
#include <stdio.h>

#include "base/msg.h"
#include "replay/bunch_reader.h"
#include "tools/btreplay/job.h"
#include "tools/btreplay/options.h"
#include "tools/btreplay/plan.h"

/* Reads the device's files once more, looking at who is in the way. */
static int scan_target(struct job *l, unsigned int target, struct scan *s)
{
	const struct target *t = &l->targets[target];

	*s = (struct scan){ .regions = t->uses.list,
			      .region_count = t->uses.count,
			      .sectors = t->sectors };
	for (unsigned int i = 0; i < l->file_count; i++) {
		struct job_file *f = &l->files[i];

		if (f->target != target)
			continue;
		printf("  from %s\n", bunch_reader_path(f->reader));
		if (scan_read(s, f->reader) == -1) {
			msg_warn("%s: damaged: %s",
				 bunch_reader_path(f->reader),
				 bunch_reader_fault(f->reader));
			return 1;
		}
	}
	return 0;
}

static void show_use(const struct region *r, bool write)
{
	printf("  %s, ", r->what);
	if (r->end == UINT64_MAX)
		printf("all of it");
	else
		printf("sectors %" PRIu64 " to %" PRIu64, r->start, r->end);
	printf(": %" PRIu64 " I/Os there, %" PRIu64 " of them writes%s\n",
	       r->ios, r->writes, write ? "" : ", as reads");
}

static void show_sums(const struct scan *s, const struct replay_options *o)
{
	printf("  reads: %" PRIu64 " I/Os, %" PRIu64 " bytes\n", s->reads,
	       s->read_bytes);
	printf("  writes: %" PRIu64 " I/Os, %" PRIu64 " bytes%s\n", s->writes,
	       s->write_bytes, o->write ? "" : ", as reads");
	printf("  sectors: %" PRIu64 " to %" PRIu64 " of %" PRIu64 "\n",
	       s->first, s->last, s->sectors);
	if (s->beyond)
		printf("  behind the end: %" PRIu64 " I/Os, which will fail\n",
		       s->beyond);
	if (s->impossible)
		printf("  too long or too far: %" PRIu64 " I/Os, which will"
		       " fail\n", s->impossible);
}

static int show_target(struct job *l, unsigned int i,
		       const struct replay_options *o)
{
	const struct target *t = &l->targets[i];
	struct scan s;
	int status;

	printf("%s:\n", t->node);
	status = scan_target(l, i, &s);
	if (status)
		return status;
	show_sums(&s, o);
	for (unsigned int j = 0; j < t->uses.count; j++)
		show_use(&t->uses.list[j], o->write);
	if (t->uses.count && o->write && !o->force)
		printf("  refused, as it is in use: --force writes to it\n");
	return 0;
}

int plan_write(struct job *l, const struct replay_options *o)
{
	double seconds = (double)(l->end - l->genesis) / 1e9 / o->factor;
	int status = 0;

	for (unsigned int i = 0; !status && i < l->target_count; i++)
		status = show_target(l, i, o);
	if (o->no_stalls)
		printf("duration: as short as it can be");
	else
		printf("duration: %.6f s", seconds);
	printf(", %u time%s\n", o->iterations, o->iterations == 1 ? "" : "s");
	return status;
}
