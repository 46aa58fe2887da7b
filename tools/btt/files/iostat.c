/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables as of iostat; see iostat.h. */
#include "tools/btt/datafile.h"
#include "tools/btt/disk.h"
#include "tools/btt/files/iostat.h"
#include "tools/btt/seconds.h"

enum { LABEL = 10 };		/* characters of a device's */

static const char headline[] =
	"Device:       rrqm/s   wrqm/s     r/s     w/s    rsec/s    wsec/s"
	"     rkB/s     wkB/s avgrq-sz avgqu-sz   await   svctm  %util"
	"   Stamp\n";

/* --- lines --------------------------------------------------------------- */

/* the columns; rates are per second */
struct line {
	double merges[2], issues[2], blocks[2], kib[2];
	double size;		/* blocks of a request */
	double queue;		/* mean length */
	double wait, service;	/* ms */
	double used;		/* percent of the time */
};

/* first is the direction in the columns for reads */
static void write_line(struct iostat *io, const char *label,
		       const struct line *l, int first)
{
	int other = !first;

	datafile_printf(io->file, "%-11s %8.2f %8.2f %7.2f %7.2f "
			"%9.2f %9.2f %9.2f %9.2f %8.2f %8.2f %7.2f %7.2f %6.2f",
			label, l->merges[first], l->merges[other],
			l->issues[first], l->issues[other], l->blocks[first],
			l->blocks[other], l->kib[first], l->kib[other],
			l->size, l->queue, l->wait, l->service, l->used);
}

static void write_stamp(struct iostat *io, uint64_t time, bool total)
{
	if (total)
		datafile_printf(io->file, "%8s\n", "TOTAL");
	else
		datafile_printf(io->file, "%8.2f\n", seconds_of_span(time));
}

static void fill_rates(struct line *l, const struct iostat_sums *s,
		       double seconds)
{
	for (int i = 0; i < 2; i++) {
		l->merges[i] = (double)s->merges[i] / seconds;
		l->issues[i] = (double)s->issues[i] / seconds;
		l->blocks[i] = (double)s->blocks[i] / seconds;
		l->kib[i] = (double)(s->blocks[i] / 2) / seconds;
	}
	l->queue = s->queue / seconds;
}

static void fill_means(struct line *l, const struct iostat_sums *s,
		       double seconds)
{
	double issues = (double)(s->issues[0] + s->issues[1]);
	double merges = (double)(s->merges[0] + s->merges[1]);

	if (issues > 0) {
		l->size = (double)(s->blocks[0] + s->blocks[1]) / issues;
		l->service = 1000 * seconds_of_span(s->service) / issues;
	}
	if (issues + merges > 0)
		l->wait = 1000 * seconds_of_span(s->wait) / (issues + merges);
	if (s->idle <= seconds)
		l->used = 100.0 * (1.0 - s->idle / seconds);
}

static void add_line(struct line *sum, const struct line *l)
{
	for (int i = 0; i < 2; i++) {
		sum->merges[i] += l->merges[i];
		sum->issues[i] += l->issues[i];
		sum->blocks[i] += l->blocks[i];
	}
	sum->size += l->size;
	sum->queue += l->queue;
	sum->wait += l->wait;
	sum->service += l->service;
	sum->used += l->used;
}

/* --- tables -------------------------------------------------------------- */

/* Writes a device's line, and adds it to *sum.  After an interval its sums are
 * reset first, so that *sum gets no rates. */
static void device_line(struct iostat *io, struct disk *disk, uint64_t time,
			bool total, struct line *sum)
{
	struct iostat_device *d = &disk->iostat;
	struct iostat_sums *s = total ? &d->all : &d->interval;
	double seconds = (double)(total ? time : time - io->start) / 1.0e9;
	double now = seconds_of_span(time);
	struct line l = { .size = 0 };
	char label[DISK_LABEL];

	iostat_pass(d, now);
	fill_rates(&l, s, seconds);
	fill_means(&l, s, seconds);
	disk_label(disk, label, LABEL);
	write_line(io, label, &l, IOSTAT_READ);
	write_stamp(io, time, total);
	if (!total) {
		*s = (struct iostat_sums){ .wait = 0 };
		fill_rates(&l, s, seconds);
	}
	add_line(sum, &l);
}

/* Sums and means over devices, reads and writes exchanged. */
static void total_line(struct iostat *io, uint64_t time, bool total,
		       struct line *sum, size_t devices)
{
	double n = (double)devices;

	sum->size /= n;
	sum->queue /= n;
	sum->wait /= n;
	sum->service /= n;
	sum->used /= n;
	for (int i = 0; i < 2; i++)
		sum->kib[i] = sum->blocks[i] / 2.0;
	write_line(io, "TOTAL", sum, IOSTAT_WRITE);
	write_stamp(io, time, total);
}

static void write_table(struct iostat *io, const struct iostat_rows *rows,
			uint64_t time, bool total)
{
	struct line sum = { .size = 0 };

	for (size_t i = 0; i < rows->count; i++)
		device_line(io, rows->disks[i], time, total, &sum);
	if (rows->count > 1)
		total_line(io, time, total, &sum, rows->count);
}

bool iostat_open(struct iostat *io, const struct opener *by, const char *path,
		 unsigned int seconds)
{
	*io = (struct iostat){ .interval = seconds * NS_PER_SECOND,
				.start = NEVER };
	if (!path)
		return true;
	io->file = datafile_open(by, path);
	datafile_printf(io->file, "%s", headline);
	return io->file;
}

void iostat_table(struct iostat *io, const struct iostat_rows *rows,
		  uint64_t time)
{
	if (io->start != NEVER) {
		write_table(io, rows, time, false);
		datafile_printf(io->file, "\n");
	}
	io->start = time;
}

bool iostat_close(struct iostat *io, const struct iostat_rows *rows,
		  uint64_t time)
{
	if (!io->file)
		return true;
	datafile_printf(io->file, "\n%s", headline);
	write_table(io, rows, time, true);
	return datafile_close(io->file, DATAFILE_DROP_EMPTY);
}
