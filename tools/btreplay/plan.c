/* SPDX-License-Identifier: GPL-2.0-only */
/* A replay's plan; see plan.h. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/msg.h"
#include "replay/bunch_reader.h"
#include "tools/btreplay/job.h"
#include "tools/btreplay/options.h"
#include "tools/btreplay/plan.h"
#include "tools/btreplay/report.h"

enum { FAILED = 1 };

struct plan {
	const struct job *job;
	const struct replay_options *o;
	struct scan *scans;	/* by target of the job */
};

/* --- looking ------------------------------------------------------------- */

/* Reads the device's files again, with the device's uses. */
static int scan_target(struct plan *p, unsigned int target)
{
	const struct target *t = &p->job->targets[target];
	struct scan *s = &p->scans[target];

	*s = (struct scan){ .regions = t->uses.list,
			    .region_count = t->uses.count,
			    .sectors = t->sectors };
	for (unsigned int i = 0; i < p->job->file_count; i++) {
		const struct job_file *f = &p->job->files[i];

		if (f->target != target || scan_read(s, f->reader) != -1)
			continue;
		msg_warn("%s: damaged: %s", bunch_reader_path(f->reader),
			 bunch_reader_fault(f->reader));
		return FAILED;
	}
	return 0;
}

static bool is_refused(const struct plan *p, unsigned int target)
{
	return p->job->targets[target].uses.count && p->o->write &&
	       !p->o->force;
}

/* ns of one iteration */
static double duration(const struct plan *p)
{
	return (double)(p->job->end - p->job->genesis) / p->o->factor;
}

/* --- as text ------------------------------------------------------------- */

/* Prints a name between before and after. */
static void print_name(const char *before, const char *name, const char *after)
{
	char shown[ESCAPE_MAX * PATH_MAX];

	escape_text(shown, sizeof(shown), name, strlen(name));
	printf("%s%s%s", before, shown, after);
}

static void print_files(const struct plan *p, unsigned int target)
{
	for (unsigned int i = 0; i < p->job->file_count; i++)
		if (p->job->files[i].target == target)
			print_name("  from ", bunch_reader_path(
				   p->job->files[i].reader), "\n");
}

static void print_use(const struct region *r, bool write)
{
	print_name("  ", r->what, ", ");
	if (r->end == UINT64_MAX)
		printf("all of it");
	else
		printf("sectors %" PRIu64 " to %" PRIu64, r->start, r->end);
	printf(": %" PRIu64 " I/Os there, %" PRIu64 " of them writes%s\n",
	       r->ios, r->writes, write ? "" : ", as reads");
}

/* For rare kinds, if there are any. */
static void print_kind(const struct plan *p, const struct scan *s, enum kind k)
{
	const struct kind_sums *sums = &s->kinds[k];
	enum kind as = kind_sent_as(k, p->o);

	if (!sums->ios)
		return;
	printf("  %s: %" PRIu64 " I/Os", kind_name(k), sums->ios);
	if (k != KIND_FLUSH)
		printf(", %" PRIu64 " bytes", sums->bytes);
	if (as == KINDS)
		printf(", left out");
	else if (as != k)
		printf(", as %s", kind_name(as));
	putchar('\n');
}

static void print_sums(const struct plan *p, const struct scan *s)
{
	const struct kind_sums *reads = &s->kinds[KIND_READ],
			       *writes = &s->kinds[KIND_WRITE];

	printf("  reads: %" PRIu64 " I/Os, %" PRIu64 " bytes\n", reads->ios,
	       reads->bytes);
	printf("  writes: %" PRIu64 " I/Os, %" PRIu64 " bytes%s\n",
	       writes->ios, writes->bytes, p->o->write ? "" : ", as reads");
	for (enum kind k = KIND_FUA; k < KINDS; k++)
		print_kind(p, s, k);
	printf("  sectors: %" PRIu64 " to %" PRIu64 " of %" PRIu64 "\n",
	       s->first, s->last, s->sectors);
	if (s->beyond)
		printf("  beyond the end: %" PRIu64 " I/Os, which will fail\n",
		       s->beyond);
	if (s->impossible)
		printf("  too long or too far: %" PRIu64 " I/Os, which will"
		       " fail\n", s->impossible);
}

static void print_target(const struct plan *p, unsigned int i)
{
	const struct target *t = &p->job->targets[i];

	print_name("", t->node, ":\n");
	print_files(p, i);
	print_sums(p, &p->scans[i]);
	for (unsigned int j = 0; j < t->uses.count; j++)
		print_use(&t->uses.list[j], p->o->write);
	if (is_refused(p, i))
		printf("  refused, as it is in use: --force writes to it\n");
}

static int print_text(const struct plan *p)
{
	for (unsigned int i = 0; i < p->job->target_count; i++)
		print_target(p, i);
	if (p->o->no_stalls)
		printf("duration: as short as it can be");
	else
		printf("duration: %.6f s", duration(p) / 1e9);
	printf(", %u time%s\n", p->o->iterations,
	       p->o->iterations == 1 ? "" : "s");
	if (!fflush(stdout) && !ferror(stdout))
		return 0;
	msg_warn("cannot write to standard output:");
	return FAILED;
}

/* --- as JSON ------------------------------------------------------------- */

static void write_files(FILE *f, const struct plan *p, unsigned int target)
{
	const char *comma = "";

	fputs("      \"files\": [", f);
	for (unsigned int i = 0; i < p->job->file_count; i++) {
		if (p->job->files[i].target != target)
			continue;
		fputs(comma, f);
		json_write_text(f, bunch_reader_path(p->job->files[i].reader));
		comma = ", ";
	}
	fputs("],\n", f);
}

static void write_kind(FILE *f, const struct plan *p, enum kind k,
		       const struct kind_sums *sums)
{
	enum kind as = kind_sent_as(k, p->o);

	fprintf(f, "      \"%s\": { \"ios\": %" PRIu64 ", \"bytes\": %" PRIu64
		", \"as\": ", kind_member(k), sums->ios, sums->bytes);
	if (as == KINDS)
		fputs("null },\n", f);
	else
		fprintf(f, "\"%s\" },\n", kind_member(as));
}

static void write_sums(FILE *f, const struct plan *p, const struct scan *s)
{
	for (enum kind k = 0; k < KINDS; k++)
		write_kind(f, p, k, &s->kinds[k]);
	fprintf(f, "      \"sectors\": { \"first\": %" PRIu64 ", \"end\": %"
		PRIu64 ", \"device\": %" PRIu64 " },\n", s->first, s->last,
		s->sectors);
	fprintf(f, "      \"failing\": { \"beyond\": %" PRIu64
		", \"impossible\": %" PRIu64 " },\n", s->beyond,
		s->impossible);
}

/* A use of the whole device has no end in JSON. */
static void write_use(FILE *f, const struct region *r, const char *comma)
{
	fprintf(f, "%s\n        { \"what\": ", comma);
	json_write_text(f, r->what);
	fprintf(f, ", \"first\": %" PRIu64 ", \"end\": ", r->start);
	if (r->end == UINT64_MAX)
		fputs("null", f);
	else
		fprintf(f, "%" PRIu64, r->end);
	fprintf(f, ", \"ios\": %" PRIu64 ", \"writes\": %" PRIu64 " }",
		r->ios, r->writes);
}

static void write_target(FILE *f, const struct plan *p, unsigned int i)
{
	const struct target *t = &p->job->targets[i];

	fprintf(f, "%s\n    {\n      \"device\": ", i ? "," : "");
	json_write_text(f, t->node);
	fputs(",\n", f);
	write_files(f, p, i);
	write_sums(f, p, &p->scans[i]);
	fputs("      \"uses\": [", f);
	for (unsigned int j = 0; j < t->uses.count; j++)
		write_use(f, &t->uses.list[j], j ? "," : "");
	fprintf(f, "],\n      \"refused\": %s\n    }",
		is_refused(p, i) ? "true" : "false");
}

static void write_plan(FILE *f, const struct plan *p)
{
	fputs("{\n  \"devices\": [", f);
	for (unsigned int i = 0; i < p->job->target_count; i++)
		write_target(f, p, i);
	fprintf(f, "],\n  \"write\": %s,\n  \"duration_ns\": ",
		p->o->write ? "true" : "false");
	if (p->o->no_stalls)
		fputs("null", f);
	else
		fprintf(f, "%.0f", duration(p));
	fprintf(f, ",\n  \"iterations\": %u\n}\n", p->o->iterations);
}

static int write_json(const struct plan *p)
{
	FILE *f;
	int err = json_open(&f, p->o->report_file);

	if (!err) {
		write_plan(f, p);
		err = json_close(f);
	}
	if (!err)
		return 0;
	msg_warn("cannot write the report to %s: %s", p->o->report_file,
		 strerror(-err));
	return FAILED;
}

/* --- both ---------------------------------------------------------------- */

static int write_all(const struct plan *p)
{
	bool text = !p->o->json || strcmp(p->o->report_file, "-");
	int status = text ? print_text(p) : 0;

	if (p->o->json && write_json(p))
		status = FAILED;
	return status;
}

int plan_write(struct job *l, const struct replay_options *o)
{
	struct plan p = { .job = l, .o = o };
	int status = 0;

	p.scans = calloc(l->target_count + 1, sizeof(*p.scans));
	if (!p.scans) {
		msg_warn("out of memory");
		return FAILED;
	}
	for (unsigned int i = 0; !status && i < l->target_count; i++)
		status = scan_target(&p, i);
	if (!status)
		status = write_all(&p);
	free(p.scans);
	return status;
}
