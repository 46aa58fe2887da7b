/* How far the reading has come; see progress.h. */
#include <inttypes.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "tools/btt/progress.h"
#include "trace/record.h"

enum { LOOK = 1024 };		/* events between two looks at the clock */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void progress_begin(struct progress *p, struct buf *out, const char *path)
{
	struct stat st;

	*p = (struct progress){ .out = out, .begun = now() };
	p->told = (time_t)p->begun;
	if (path && !stat(path, &st) && S_ISREG(st.st_mode))
		p->size = (uint64_t)st.st_size;
}

void progress_tell(struct progress *p, const struct event *ev, uint64_t count)
{
	time_t second;

	p->seen += ev->pdu_len + (ev->version == BLK_VERSION_8 ?
				  (unsigned int)BLK_HEADER_8 : BLK_HEADER_7);
	if (++p->events % LOOK)
		return;
	second = (time_t)now();
	if (second == p->told)
		return;
	p->told = second;
	buf_printf(p->out, "%10" PRIu64 " t", count);
	if (p->size)
		buf_printf(p->out, " (%6.2f%%)",
			   100.0 * (double)p->seen / (double)p->size);
	buf_printf(p->out, "\r");
	buf_flush(p->out);
}

void progress_end(struct progress *p, uint64_t count)
{
	double seconds = now() - p->begun;

	if (!p->out)
		return;
	buf_printf(p->out, "\r%80s\r", "");
	buf_printf(p->out, "%10" PRIu64 " traces @ %.1f Ktps in %.6f seconds\n",
		   count, (double)count / 1000 / seconds, seconds);
	buf_flush(p->out);
}
