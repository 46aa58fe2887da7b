/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What btstat and btreport count of a trace, for libFuzzer: whatever times,
 * sectors and sizes it has, all of it ends, and stays within a table.
 *
 * Inputs are those of tests/fuzz/blkparse.c, all files as one.  The first byte:
 * 1 btreport's, else btstat's; 2 requests are counted, 4 as of a pipe, 8 csv, and
 * calls that wait for the disk, 16 and 32 the interval.
 */
#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/look.h"
#include "base/time.h"
#include "record/run_time.h"
#include "report/gathering.h"
#include "request/ios.h"
#include "run/reader.h"
#include "stat/facts.h"
#include "stat/series.h"
#include "tests/fuzz/must.h"
#include "tools/btstat/options.h"
#include "tools/btstat/tally.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEADER = 10, PAGE = 1, REQUESTS = 2, LIVE = 4, CSV = 8, INTERVAL = 4 };

/* rows that were written are none of more than so many bytes */
enum { ROW_MOST = 400 };

struct run {
	struct ios *ios;
	struct stat_options o;
	struct tally tally;
	struct intervals intervals;
	struct gathering_options page;
	struct gathering gathering;
	struct buf b;
	uint64_t ended;		/* ios */
};

static void take_row_io(struct run *r, const struct io *io)
{
	uint64_t oldest = ios_oldest(r->ios);

	must(intervals_show(&r->intervals,
			    oldest < io->time ? oldest : io->time,
			    ios_time(r->ios)) >= 0);
	must(!tally_add(&r->tally, io));
	r->ended++;
}

static void take_page_io(struct run *r, const struct io *io)
{
	must(!gathering_add(&r->gathering, io));
}

static void read_ios(struct run *r, void (*take)(struct run *r,
						 const struct io *io))
{
	const struct io *io;
	int got;

	while ((got = ios_next(r->ios, &io)))
		if (got == 1) {
			must(io->time <= RUN_TIME_MOST);
			must(io->total == IO_NONE ||
			     io->total <= RUN_TIME_MOST);
			take(r, io);
		} else if (got != -EAGAIN && got != -EINTR) {
			return;
		}
}

/* all that is bounded is bounded by what was read */
static void check_rows(struct run *r)
{
	uint64_t rows = SERIES_IDLE + 200 + r->ended * (1 + SERIES_IDLE_MORE);

	must(!buf_flush(&r->b));
	must(lseek(r->b.fd, 0, SEEK_END) <= (off_t)(rows * ROW_MOST));
}

static void count_rows(struct run *r, uint8_t head)
{
	static const volatile sig_atomic_t stop;
	const struct look look = { .width = 80 };

	must(!buf_init(&r->b, memfd_create("rows", MFD_CLOEXEC), 1 << 16));
	must(!tally_init(&r->tally, &r->o, r->ios));
	must(!intervals_init(&r->intervals, &r->o, &r->b, &look, head & LIVE,
			     &stop));
	tally_set_intervals(&r->tally, &r->intervals);
	read_ios(r, take_row_io);
	must(!tally_end(&r->tally));
	must(intervals_end(&r->intervals, ios_end(r->ios)) >= 0);
	check_rows(r);
	tally_free(&r->tally);
	intervals_free(&r->intervals);
	close(r->b.fd);
	buf_free(&r->b);
}

static void count_page(struct run *r)
{
	must(!gathering_init(&r->gathering, &r->page, r->ios));
	read_ios(r, take_page_io);
	must(!gathering_end(&r->gathering));
	gathering_free(&r->gathering);
}

static void count_file(const char *path, uint8_t head)
{
	static const uint64_t intervals[] = { NS_PER_US, 10 * NS_PER_MS,
					      NS_PER_SECOND,
					      3600 * NS_PER_SECOND };
	const struct reader_options o = { .window = WINDOW_ALL };
	struct run r = {
		.o = { .mask = UINT32_MAX, .window = WINDOW_ALL, .rule = -1,
		       .histogram = -1, .heatmap = -1,
		       .per_request = head & REQUESTS,
		       .interval = intervals[head >> INTERVAL & 3],
		       .intervals = true, .series = true,
		       .format = head & CSV ? STAT_CSV : STAT_TEXT,
		       .commits = head & CSV },
		.page = { .window = WINDOW_ALL, .size = 1 << 16 },
	};

	must(!ios_open(&r.ios, &o));
	if (!reader_add(ios_reader(r.ios), path)) {
		if (head & PAGE)
			count_page(&r);
		else
			count_rows(&r, head);
	}
	ios_close(r.ios);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[40];
	int fd;

	if (size <= HEADER)
		return 0;
	fd = memfd_create("fuzz", MFD_CLOEXEC);
	must(fd >= 0);
	must(write(fd, data + HEADER, size - HEADER) ==
	     (ssize_t)(size - HEADER));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	count_file(path, data[0]);
	close(fd);
	return 0;
}
