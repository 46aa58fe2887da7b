/* SPDX-License-Identifier: GPL-2.0-only */
/* When devices were busy; see periods.h. */
#include <stdio.h>
#include <string.h>

#include "tools/btt/busy.h"
#include "tools/btt/datafile.h"
#include "tools/btt/files/periods.h"
#include "tools/btt/seconds.h"

enum { HEIGHT_TEXT = 32 };

/* a height as it ends a line */
struct height {
	char text[HEIGHT_TEXT];
	size_t len;
};

static struct height height_of(float y)
{
	struct height h;

	h.len = (size_t)snprintf(h.text, sizeof(h.text), " %.1f\n", (double)y);
	return h;
}

static char *point(char *p, uint64_t time, const struct height *h)
{
	p = seconds_nano(p, time, 0);
	memcpy(p, h->text, h->len);
	return p + h->len;
}

static void write_period(struct datafile *f, uint64_t before,
			 const struct period *period, const struct height *low,
			 const struct height *high)
{
	char *p = datafile_room(f, 5 * (SECONDS_MAX + HEIGHT_TEXT));

	if (!p)
		return;
	p = point(p, before, low);
	p = point(p, period->start, low);
	p = point(p, period->start, high);
	p = point(p, period->end, high);
	p = point(p, period->end, low);
	datafile_commit(f, p);
}

bool periods_write(const struct busy *b, const struct opener *by,
		   const char *label, int height)
{
	struct datafile *f = datafile_open_here(by, label, "_live.dat");
	float y = (float)height;
	struct height low = height_of(y), high = height_of((float)(y + 0.9));
	uint64_t before = 0;

	for (size_t i = 0; i < b->count; i++) {
		write_period(f, before, &b->list[i], &low, &high);
		before = b->list[i].end;
	}
	return datafile_close(f, DATAFILE_DROP_EMPTY);
}
