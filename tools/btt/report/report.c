/* SPDX-License-Identifier: GPL-2.0-only */
/* The report; see report.h. */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/buf.h"
#include "tools/btt/options.h"
#include "tools/btt/outputs.h"
#include "tools/btt/report/report.h"
#include "tools/btt/select.h"
#include "tools/btt/state.h"

/* --- sections ------------------------------------------------------------- */

void section_title(const struct report *r, const char *title)
{
	static const char bar[] = "====================";

	buf_printf(r->out, "%s %s %s\n\n", bar, title, bar);
}

/* --- report --------------------------------------------------------------- */

static void write_sections(const struct report *r)
{
	bool all = r->s->o->all_data;

	if (all && r->per_process)
		report_per_process(r);
	if (all)
		report_per_device(r);
	report_all_devices(r);
	report_overhead(r);
	report_merges(r);
	report_queue_seeks(r);
	report_issue_seeks(r);
	report_plugs(r);
	report_active(r);
	report_periods(r);
	if (all)
		report_waits(r);
	report_ranges(r);
}

void report_write(struct state *s, struct outputs *out)
{
	const struct options *o = s->o;
	struct report r = {
		.s = s,
		.per_process = !o->exes || *o->exes,
		.out = out->report,
		.easy = out->easy,
		.ranges = out->ranges,
	};

	processes_sort(&s->processes);
	r.disks = select_disks(&s->disks, o->devices, &r.disk_count);
	r.processes = select_processes(&s->processes, o->exes,
				       &r.process_count);
	write_sections(&r);
	free(r.disks);
	free(r.processes);
}
