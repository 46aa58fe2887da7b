/* SPDX-License-Identifier: GPL-2.0-only */
/* The known losses of a run, in words; see lost.h. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/time.h"
#include "base/unit.h"
#include "emit/lost.h"
#include "run/device.h"
#include "run/reader.h"
#include "stat/facts.h"

enum { DEVICE_NAME = 128 };

struct text {
	char *bytes;
	size_t len;
};

static __attribute__((format(printf, 2, 3))) void add(struct text *t,
						      const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(t->bytes + t->len, LOST_MAX - t->len, fmt, ap);
	va_end(ap);
	if (n > 0)
		t->len += (size_t)n;
	if (t->len >= LOST_MAX)
		t->len = LOST_MAX - 1;
}

/* dumps leave events out, so they do not show holes */
static bool holes_show(const struct reader *r)
{
	const struct devices *d = reader_devices(r);

	for (uint32_t i = 0; i < d->count; i++)
		for (uint32_t cpu = 0; cpu < d->list[i]->cpus; cpu++)
			if (d->list[i]->lanes[cpu] &&
			    d->list[i]->lanes[cpu]->filtered)
				return false;
	return true;
}

/* --- ends of CPUs' files -------------------------------------------------- */

static void add_moment(struct text *t, uint64_t ns)
{
	add(t, "%llu.%03u s", (unsigned long long)(ns / NS_PER_SECOND),
	    (unsigned int)(ns % NS_PER_SECOND / NS_PER_MS));
}

static void add_cpu(const struct facts *f, const struct reach *r,
		    struct text *t)
{
	const struct devices *d = reader_devices(f->reader);
	char name[DEVICE_NAME];

	if (r->cpu == READER_NO_CPU)
		add(t, "a CPU");
	else
		add(t, "CPU %u", r->cpu);
	if (d->count < 2 || r->device >= d->count)
		return;
	device_text(d->list[r->device], name, sizeof(name));
	add(t, " of %s", name);
}

/* Names the first that ends, and counts the others. */
static void add_reach(const struct facts *f, const struct reach *r,
		      struct text *t)
{
	if (r->missing) {
		add_cpu(f, r, t);
		add(t, " has no file, or an empty one");
	} else if (r->killed) {
		add(t, "the end of the capture is missing: complete up to ");
		add_moment(t, r->time);
		return;
	} else {
		add_cpu(f, r, t);
		add(t, " ends ");
		add_moment(t, r->before);
		add(t, " before the trace");
	}
	if (r->cpus > 1)
		add(t, ", and %u more end early", r->cpus - 1);
}

/* --- records -------------------------------------------------------------- */

static void add_lost(const struct facts *f, bool whole, struct text *t)
{
	unsigned long long lost = f->loss.missing, all = lost + f->records;
	char share[UNIT_MAX];

	if (!lost && !whole)
		return;
	if (!lost) {
		add(t, "none (no drops reported%s)", holes_show(f->reader) ?
		       ", sequence numbers complete" : "");
		return;
	}
	unit_share(share, lost, all);
	add(t, "%llu of %llu records (%s)", lost, all, share);
	if (f->ios)
		add(t, ": up to %llu I/Os are not measured",
		    (unsigned long long)facts_missing(f));
}

void lost_text(char text[LOST_MAX], const struct facts *f)
{
	const struct loss *l = &f->loss;
	struct text t = { .bytes = text };
	struct reach reach;

	reader_reach(f->reader, READER_ALL, &reach);
	add_lost(f, !reach.cpus, &t);
	if (reach.cpus && t.len)
		add(&t, "; ");
	if (reach.cpus)
		add_reach(f, &reach, &t);
	if (l->damages)
		add(&t, "; %llu damaged place%s in the input",
		    (unsigned long long)l->damages,
		    l->damages == 1 ? "" : "s");
	if (l->late)
		add(&t, "; %llu records came too late to be put in order",
		    (unsigned long long)l->late);
}
