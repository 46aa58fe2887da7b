/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sections "Device Q2Q Seek Information" and "Device D2D Seek Information":
 * distances between queued and between issued requests, in sectors.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/bracket.h"
#include "base/buf.h"
#include "base/msg.h"
#include "tools/btt/disk.h"
#include "tools/btt/report/report.h"
#include "tools/btt/seeks.h"

/* --- the mode of all devices --------------------------------------------- */

/* a device's modes, in order of distance */
struct part {
	const struct seeks *seeks;
	uint32_t at;		/* the number of the next mode */
};

/* the mode of all devices; counts of equal modes are added */
struct overall {
	uint64_t distance, times;
	uint32_t more;		/* other distances with this count */
	/* to find the first one listed */
	uint32_t part, mode;	/* its first device, and its number there */
};

/* whether new, with equal count and greater distance, is listed before best */
static bool is_before(const struct part *parts, const struct overall *new,
		      const struct overall *best)
{
	if (new->part != best->part)
		return new->part < best->part;
	return seeks_mode_before(parts[best->part].seeks, new->mode,
				 best->mode);
}

static void compare(const struct part *parts, const struct overall *new,
		    struct overall *best)
{
	uint32_t more = best->more + 1;

	if (new->times < best->times)
		return;
	if (new->times > best->times)
		more = 0;
	if (!more || is_before(parts, new, best))
		*best = *new;
	best->more = more;
}

static void enter(struct bracket *b, struct part *parts, uint32_t part)
{
	struct part *p = &parts[part];

	p->at = seeks_greater_mode(p->seeks, p->at);
	if (p->at)
		bracket_set(b, part, p->seeks->nodes[p->at].key, part);
	else
		bracket_set(b, part, BRACKET_OUT, BRACKET_OUT);
}

/* Visits all devices' modes in order of distance, equal ones in order of
 * devices. */
static struct overall find_overall(struct bracket *b, struct part *parts)
{
	struct overall best = { 0 }, now = { 0 };
	uint32_t part;

	while (part = bracket_winner(b), b->stamps[part] != BRACKET_OUT) {
		const struct part *p = &parts[part];
		uint64_t distance = p->seeks->nodes[p->at].key;

		if (!now.times || distance != now.distance) {
			if (now.times)
				compare(parts, &now, &best);
			now = (struct overall){ distance, 0, 0, part, p->at };
		}
		now.times += p->seeks->modes.times;
		enter(b, parts, part);
	}
	compare(parts, &now, &best);
	return best;
}

static struct overall overall_mode(struct part *parts, uint32_t count)
{
	struct bracket b;
	struct overall best;

	if (bracket_init(&b, count))
		msg_die("out of memory");
	for (uint32_t i = 0; i < count; i++)
		enter(&b, parts, i);
	best = find_overall(&b, parts);
	bracket_free(&b);
	return best;
}

/* --- rows ---------------------------------------------------------------- */

static void write_head(const struct report *r, const char *first)
{
	buf_printf(r->out, "%10s | %15s %15s %15s | %-15s\n", first, "NSEEKS",
		   "MEAN", "MEDIAN", "MODE");
}

static void write_line(const struct report *r)
{
	buf_printf(r->out, "---------- | --------------- --------------- "
		   "--------------- | ---------------\n");
}

static void write_row(const struct report *r, const char *label,
		      uint64_t seeks, double mean, uint64_t median,
		      uint64_t mode, uint64_t times)
{
	buf_printf(r->out, "%10s | %15" PRId64 " %15.1f %15" PRId64
		   " | %" PRId64 "(%d)", label, seeks, mean, median, mode,
		   (int)times);
}

static void write_more(const struct report *r, uint32_t more)
{
	buf_printf(r->out, "\n%10s   %15s %15s %15s   ...(%d more)\n", "", "",
		   "", "", (int)more);
}

/* the modes after the first */
static void write_modes(struct buf *out, const struct seeks *s, uint32_t first)
{
	uint32_t mode = first;

	for (uint32_t i = 1; i < s->modes.count; i++) {
		mode = seeks_mode(s, mode);
		buf_printf(out, " %" PRId64, s->nodes[mode].key);
	}
	buf_printf(out, "\n");
}

static void device_row(const struct report *r, const struct disk *d,
		       const struct seeks *s, uint32_t first)
{
	char label[DISK_LABEL];

	disk_label(d, label, DISK_COLUMN);
	write_row(r, label, s->count, seeks_mean(s), s->median,
		  s->nodes[first].key, s->modes.times);
	if (s->modes.count > 2)
		write_more(r, s->modes.count - 1);
	else
		write_modes(r->out, s, first);
}

/* lists all modes */
static void easy_row(const struct report *r, const struct disk *d,
		     const struct seeks *s, uint32_t first, const char *tag)
{
	char label[DISK_LABEL];

	if (!r->easy)
		return;
	disk_plain_label(d, label);
	buf_printf(r->easy, "%s %s %" PRId64 " %.9f %" PRId64 " %" PRId64 " %d",
		   tag, label, s->count, seeks_mean(s), s->median,
		   s->nodes[first].key, (int)s->modes.times);
	write_modes(r->easy, s, first);
}

static void overall_rows(const struct report *r, struct part *parts,
			 uint32_t count)
{
	struct overall mode = overall_mode(parts, count);
	uint64_t seeks = 0, medians = 0;
	double way = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct seeks *s = parts[i].seeks;

		seeks += s->count;
		way += (double)s->count * seeks_mean(s);
		medians += s->count * s->median;
	}
	write_line(r);
	write_head(r, "Overall");
	write_row(r, "Average", seeks, way / (double)seeks, medians / seeks,
		  mode.distance, mode.times);
	if (mode.more)
		write_more(r, mode.more);
	buf_printf(r->out, "\n");
}

/* --- sections ------------------------------------------------------------ */

static void write_rows(const struct report *r, const char *tag,
		       const struct seeks *(*of)(const struct disk *d))
{
	struct part *parts = calloc(r->disk_count + 1, sizeof(*parts));
	uint32_t count = 0;

	if (!parts)
		msg_die("out of memory");
	write_head(r, "DEV");
	write_line(r);
	for (size_t i = 0; i < r->disk_count; i++) {
		const struct seeks *s = of(r->disks[i]);
		uint32_t first;

		if (!s->count)
			continue;
		parts[count++].seeks = s;
		first = seeks_mode(s, 0);
		device_row(r, r->disks[i], s, first);
		easy_row(r, r->disks[i], s, first, tag);
	}
	if (count)
		overall_rows(r, parts, count);
	free(parts);
	buf_printf(r->out, "\n");
}

static const struct seeks *queue_seeks(const struct disk *d)
{
	return &d->queue_seeks;
}

static const struct seeks *issue_seeks(const struct disk *d)
{
	return &d->issue_seeks;
}

void report_queue_seeks(const struct report *r)
{
	section_title(r, "Device Q2Q Seek Information");
	write_rows(r, "QSK", queue_seeks);
}

void report_issue_seeks(const struct report *r)
{
	section_title(r, "Device D2D Seek Information");
	write_rows(r, "DSK", issue_seeks);
}
