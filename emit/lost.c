/* SPDX-License-Identifier: GPL-2.0-only */
/* In words what is lost of a run; see lost.h. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "analysis/facts.h"
#include "base/unit.h"
#include "emit/lost.h"
#include "trace/device.h"

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

/* whether holes would show: not in dumps, which leave events out */
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

static void add_lost(const struct facts *f, struct text *t)
{
	unsigned long long lost = f->loss.missing, all = lost + f->records;
	char share[UNIT_MAX];

	if (!lost) {
		add(t, "nothing is told of");
		if (holes_show(f->reader))
			add(t, ", no holes in the numbers");
		return;
	}
	unit_share(share, lost, all);
	add(t, "%llu of %llu records (%s)", lost, all, share);
	if (f->ios)
		add(t, ": up to %llu ios are not measured",
		    (unsigned long long)facts_missing(f));
}

void lost_text(char text[LOST_MAX], const struct facts *f)
{
	const struct loss *l = &f->loss;
	struct text t = { .bytes = text };

	add_lost(f, &t);
	if (l->damages)
		add(&t, "; %llu damaged place%s in the input",
		    (unsigned long long)l->damages,
		    l->damages == 1 ? "" : "s");
	if (l->late)
		add(&t, "; %llu records came too late to be put in order",
		    (unsigned long long)l->late);
}
