/* SPDX-License-Identifier: GPL-2.0-only */
/* How far a capture was exported; see checkpoint.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/outfile.h"
#include "tools/btexport/checkpoint.h"
#include "tools/btexport/manifest.h"

#define HEADING "btexport-follow 1\n"

#define MANIFEST "manifest "

enum { BUFFER = 16384, LINE = 8192 };

/* --- points --------------------------------------------------------------- */

const struct point *checkpoint_point(const struct checkpoint *c,
				     unsigned int segment)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->points[i].segment == segment)
			return &c->points[i];
	return NULL;
}

unsigned int checkpoint_segment_at(const struct checkpoint *c, uint64_t time)
{
	size_t i = c->count;

	/* at the time of the last event before a segment, that event was it */
	while (i > 1 && c->points[i - 1].time >= time)
		i--;
	return i ? c->points[i - 1].segment : 0;
}

unsigned int checkpoint_restart(const struct checkpoint *c)
{
	const struct point *next = checkpoint_point(c, c->last + 1);
	const struct point *from = next ? checkpoint_point(c, next->oldest) :
					  NULL;

	if (!next)
		return c->last;
	return from ? from->oldest : next->oldest;
}

/* Drops the points before a segment. */
static void drop_before(struct checkpoint *c, unsigned int segment)
{
	size_t n = 0;

	while (n < c->count && c->points[n].segment < segment)
		n++;
	c->count -= n;
	memmove(c->points, c->points + n, c->count * sizeof(*c->points));
}

static int append(struct checkpoint *c, const struct point *p)
{
	struct point *list = array_reserve(c->points, c->count, &c->size, 8,
					   sizeof(*list));

	if (!list)
		return -ENOMEM;
	c->points = list;
	list[c->count++] = *p;
	return 0;
}

int checkpoint_add(struct checkpoint *c, const struct point *p)
{
	int err = append(c, p);

	if (!err && c->last)
		drop_before(c, checkpoint_restart(c));
	return err;
}

void checkpoint_free(struct checkpoint *c)
{
	free(c->points);
	free(c->manifest);
	*c = (struct checkpoint){ .last = 0 };
}

/* --- the file ------------------------------------------------------------- */

bool checkpoint_save(const struct checkpoint *c, const struct opener *o,
		     const char *path)
{
	struct outfile f;

	if (!outfile_open_whole(&f, o, path, BUFFER))
		return false;
	buf_printf(&f.buf, HEADING "last %u\nended %d\ntrace %s\nzero %" PRIu64
		   "\n", c->last, c->ended, c->trace, c->zero);
	if (c->timed)
		buf_printf(&f.buf, "start %" PRIi64 "\n", c->start);
	for (size_t i = 0; i < c->count; i++) {
		const struct point *p = &c->points[i];

		buf_printf(&f.buf, "point %u %" PRIu64 " %" PRIu64 " %u\n",
			   p->segment, p->time, p->ids, p->oldest);
	}
	if (c->manifest)
		buf_printf(&f.buf, "manifest %s\n", c->manifest);
	buf_printf(&f.buf, "end\n");
	outfile_flush(&f, "");
	return outfile_close(&f);
}

/* Whether a line has all that it should have. */
static bool take_line(struct checkpoint *c, const char *line)
{
	struct point p;
	int ended;

	if (sscanf(line, "point %u %" SCNu64 " %" SCNu64 " %u", &p.segment,
		   &p.time, &p.ids, &p.oldest) == 4)
		return !append(c, &p);
	if (!strncmp(line, MANIFEST, strlen(MANIFEST))) {
		free(c->manifest);
		c->manifest = strndup(line + strlen(MANIFEST),
				      strcspn(line + strlen(MANIFEST), "\n"));
		return c->manifest;
	}
	if (sscanf(line, "ended %d", &ended) == 1) {
		c->ended = ended;
		return true;
	}
	if (sscanf(line, "start %" SCNi64, &c->start) == 1) {
		c->timed = true;
		return true;
	}
	return sscanf(line, "last %u", &c->last) == 1 ||
	       sscanf(line, "trace %16[0-9a-f]", c->trace) == 1 ||
	       sscanf(line, "zero %" SCNu64, &c->zero) == 1;
}

static int read_lines(struct checkpoint *c, FILE *in)
{
	char line[LINE];

	if (!fgets(line, sizeof(line), in) || strcmp(line, HEADING))
		return -EBADMSG;
	while (fgets(line, sizeof(line), in)) {
		if (!strcmp(line, "end\n"))
			return c->last && c->count ? 0 : -EBADMSG;
		if (!take_line(c, line))
			return -EBADMSG;
	}
	return -EBADMSG;
}

/* The last segment's manifest was not written: it is the next. */
static void take_back(struct checkpoint *c)
{
	if (!c->manifest || manifest_is_there(c->manifest))
		return;
	c->ended = false;
	c->last--;
	if (c->count > 1)
		c->count--;
	else
		checkpoint_free(c);
}

int checkpoint_load(struct checkpoint *c, const char *path)
{
	FILE *in = fopen(path, "re");
	int err;

	*c = (struct checkpoint){ .last = 0 };
	if (!in)
		return errno == ENOENT ? 0 : -errno;
	err = read_lines(c, in);
	fclose(in);
	if (err)
		checkpoint_free(c);
	else
		take_back(c);
	return err;
}
