/* SPDX-License-Identifier: GPL-2.0-only */
/* How far the reading has come; see progress.h. */
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/time.h"
#include "record/record.h"
#include "tools/btt/progress.h"

enum {
	LOOK = 1024,		/* events between two looks at the clock */
	WIDTH = 80,		/* of the line that covers what was there */
};

void progress_begin(struct progress *p, struct buf *out, const char *path)
{
	struct stat st;

	*p = (struct progress){ .out = out, .start = time_now() };
	p->shown = out && isatty(STDERR_FILENO);
	p->last = p->start;
	if (path && !stat(path, &st) && S_ISREG(st.st_mode))
		p->size = (uint64_t)st.st_size;
}

void progress_show(struct progress *p, const struct event *ev, uint64_t count)
{
	uint64_t at;

	p->seen += ev->pdu_len + (ev->version == BLK_VERSION_8 ?
				  (unsigned int)BLK_HEADER_8 : BLK_HEADER_7);
	if (++p->events % LOOK)
		return;
	at = time_now();
	if (at - p->last < NS_PER_SECOND)
		return;
	p->last = at;
	p->begun = true;
	fprintf(stderr, "%10" PRIu64 " t", count);
	if (p->size)
		fprintf(stderr, " (%6.2f%%)",
			100.0 * (double)p->seen / (double)p->size);
	fputc('\r', stderr);
}

void progress_end(struct progress *p, uint64_t count)
{
	double seconds = (double)(time_now() - p->start) / NS_PER_SECOND;

	if (p->begun)
		fprintf(stderr, "\r%*s\r", WIDTH, "");
	if (!p->out)
		return;
	buf_printf(p->out, "\r%*s\r", WIDTH, "");
	buf_printf(p->out, "%10" PRIu64 " traces @ %.1f Ktps in %.6f seconds\n",
		   count, (double)count / 1000 / seconds, seconds);
	buf_flush(p->out);
}
