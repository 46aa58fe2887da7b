/* SPDX-License-Identifier: GPL-2.0-only */
/* What a page shows of a run; see report.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/hint.h"
#include "report/report.h"
#include "request/io.h"
#include "run/device.h"
#include "stat/group_row.h"
#include "stat/pace.h"

/* longer runs are nonsense: 36 years */
#define TIME_MAX (UINT64_C(1) << 60)

int report_new(struct report **out, const struct report_options *o)
{
	struct report *r = calloc(1, sizeof(*r));

	*out = r;
	if (!r)
		return -ENOMEM;
	r->o = *o;
	r->kept = true;
	r->pids.name = o->name;
	r->pids.names = o->names;
	report_depths_init(&r->depths);
	if (!sequence_init(&r->sequence))
		return 0;
	report_free(r);
	*out = NULL;
	return -ENOMEM;
}

static void free_sums(struct report *r)
{
	for (uint32_t i = 0; r->sums && i < REPORT_STREAMS_ALL; i++)
		report_sums_free(&r->sums[i]);
	free(r->sums);
	r->sums = NULL;
	for (uint32_t i = 0; i < r->cgroup_count; i++)
		report_sums_free(&r->cgroups[i].sums);
}

void report_drop(struct report *r)
{
	size_t rows = r->rows.count;
	uint64_t width = r->cube.sizes.width;

	report_rows_free(&r->rows);
	r->rows.count = rows;
	if (r->binned)
		report_cube_free(&r->cube);
	r->binned = false;
	r->cube.sizes.width = width;
	report_rows_free(&r->excerpts.rows);
	report_lanes_drop(&r->lanes);
	report_depths_drop(&r->depths);
	free_sums(r);
	r->cgroup_count = 0;
	sequence_free(&r->sequence);
}

void report_free(struct report *r)
{
	if (!r)
		return;
	report_pids_free(&r->pids);
	report_streams_free(&r->streams);
	report_lanes_free(&r->lanes);
	report_depths_free(&r->depths);
	report_rows_free(&r->rows);
	report_rows_free(&r->open_rows);
	free(r->doubts);
	paces_free(&r->paces);
	if (r->binned)
		report_cube_free(&r->cube);
	report_excerpts_free(&r->excerpts);
	free_sums(r);
	sequence_free(&r->sequence);
	free(r);
}

/* --- rows that are counted ------------------------------------------------ */

/* the cgroup's place, or the last, which is for all that have none */
static struct report_cgroup *cgroup_of(struct report *r, uint32_t disk,
				       uint64_t id)
{
	struct report_cgroup *c;

	for (uint32_t i = 0; i < r->cgroup_count; i++)
		if (r->cgroups[i].id == id && r->cgroups[i].disk == disk)
			return &r->cgroups[i];
	c = &r->cgroups[r->cgroup_count];
	if (r->cgroup_count == REPORT_CGROUPS)
		return &r->cgroups[REPORT_CGROUPS - 1];
	*c = (struct report_cgroup){ .id = id, .disk = disk };
	r->cgroup_count++;
	return c;
}

static int add_sums(struct report *r, const struct report_row *row,
		    const struct report_times *t, uint32_t disk)
{
	int err = report_sums_add(&r->sums[row->stream], row, t);

	if (LIKELY(!row->cgroup) || row->op == REPORT_FLUSH)
		return err;
	return err | report_sums_add(&cgroup_of(r, disk, row->cgroup)->sums,
				     row, t);
}

/* In the cube, and in sums, which need none of it if rows are kept. */
static int count(struct report *r, const struct report_row *row, uint32_t disk,
		 bool sums)
{
	struct report_times t;
	int err;

	if (UNLIKELY(!report_row_ended(row)))
		return report_cube_add(&r->cube, row, NULL, disk,
				       &r->disks.list[disk]);
	report_row_times(&t, row);
	err = report_cube_add(&r->cube, row, &t, disk, &r->disks.list[disk]);
	err |= report_excerpts_add(&r->excerpts, row, t.end);
	return sums ? err | add_sums(r, row, &t, disk) : err;
}

static int start_cube(struct report *r)
{
	uint64_t last = 0;

	for (size_t i = 0; i < r->rows.count; i++) {
		const struct report_row *row = &r->rows.list[i];
		uint64_t end = report_row_ended(row) ?
			row->time + report_row_total(row) :
			report_row_begin(row);

		if (end > last)
			last = end;
	}
	r->binned = true;
	if (report_cube_init(&r->cube, last) |
	    report_excerpts_init(&r->excerpts, r->o.excerpt_rows))
		return -ENOMEM;
	if (r->holed)
		report_excerpts_hole(&r->excerpts, r->hole);
	return 0;
}

/* There are too many rows: from now on they are counted. */
static COLD int give_rows_up(struct report *r)
{
	int err = start_cube(r);

	r->kept = false;
	r->room = 0;
	r->sums = calloc(REPORT_STREAMS_ALL, sizeof(*r->sums));
	if (!r->sums)
		return -ENOMEM;
	for (size_t i = 0; !err && i < r->rows.count; i++) {
		const struct report_row *row = &r->rows.list[i];

		err = count(r, row, r->streams.list[row->stream].disk, true);
	}
	report_rows_free(&r->rows);
	return err ? -ENOMEM : 0;
}

/* Where the next row is made: in its place, if all are kept. */
static inline struct report_row *place_of(struct report *r,
					  struct report_row *elsewhere)
{
	return r->rows.count < r->room ? &r->rows.list[r->rows.count] :
					 elsewhere;
}

static COLD int keep_one_more(struct report *r, const struct report_row *row,
			      uint32_t disk)
{
	if (r->rows.count >= r->o.rows)
		return give_rows_up(r) ? -ENOMEM : count(r, row, disk, true);
	if (report_rows_add(&r->rows, row))
		return -ENOMEM;
	r->room = r->rows.size < r->o.rows ? r->rows.size : r->o.rows;
	return 0;
}

/* a row that has been made there */
static inline int keep(struct report *r, const struct report_row *row,
		       bool in_place, uint32_t disk)
{
	if (LIKELY(in_place)) {
		r->rows.count++;
		return 0;
	}
	return UNLIKELY(r->kept) ? keep_one_more(r, row, disk) :
				   count(r, row, disk, true);
}

/* --- what else is seen of a row ------------------------------------------- */

static int add_lanes(struct report *r, const struct report_row *row,
		     const struct io *io)
{
	uint64_t length = report_row_ended(row) ? report_row_total(row) : 0;
	uint64_t time = report_row_begin(row);
	int err = 0;

	if (row->op == REPORT_FLUSH && row->flags & REPORT_HAS_Q)
		err |= report_lanes_add(&r->lanes, REPORT_LANE_FLUSH,
					time, length);
	if (row->flags & REPORT_FUA)
		err |= report_lanes_add(&r->lanes, REPORT_LANE_FUA, time,
					length);
	if (row->op == REPORT_DISCARD)
		err |= report_lanes_add(&r->lanes, REPORT_LANE_DISCARD,
					time, length);
	if (row->error)
		err |= report_lanes_add(&r->lanes, REPORT_LANE_ERROR,
					time, length);
	if (io->requeues)
		err |= report_lanes_add(&r->lanes, REPORT_LANE_REQUEUE,
					time, length);
	return err;
}

static inline bool is_rare(const struct report_row *row, const struct io *io)
{
	return row->op == REPORT_FLUSH || row->op == REPORT_DISCARD ||
	       row->error || io->requeues || row->flags & REPORT_FUA;
}

static void add_slow(struct report *r, const struct report_row *row)
{
	uint64_t ns;

	if (report_row_span(row, REPORT_Q2C, &ns))
		report_slowest_add(&r->slowest[0], row, ns);
	else if (report_row_span(row, REPORT_D2C, &ns))
		report_slowest_add(&r->slowest[1], row, ns);
}

/* --- depths --------------------------------------------------------------- */

/* a span of an io, in the report's time, and its depths */
struct report_span_of {
	uint64_t from, to;
	unsigned int what;
	bool open;
};

/* its request's time at the device */
static inline struct report_span_of span_of_request(const struct report *r,
						    const struct io *io)
{
	uint64_t start = r->o.start;
	struct depth_span at;

	if (!at_device(io, &at) || at.to <= start)
		return (struct report_span_of){ .what = 0 };
	return (struct report_span_of){
		.from = at.from > start ? at.from - start : 0,
		.to = at.to - start,
		.what = REPORT_IN_REQUESTS | (io->rq ? REPORT_IN_ALL : 0),
		.open = io->ended == IO_ENDED_OPEN,
	};
}

/*
 * Its own, from D, or else from its begin, to its end.  One that is open counts
 * from its begin only if its device issues nothing: else it may still be
 * issued. What records were lost of may have completed.
 */
static inline struct report_span_of span_of_io(const struct report *r,
					       const struct report_row *row,
					       const struct io *io,
					       uint32_t disk)
{
	struct report_span_of s = {
		.from = report_row_issued(row),
		.open = io->ended == IO_ENDED_OPEN && !io->gap,
	};
	bool issued = row->flags & REPORT_HAS_D;

	if (row->op == REPORT_FLUSH || !(report_row_ended(row) || s.open))
		return s;
	if (s.open && !issued && r->disks.list[disk].has_d)
		return s;
	s.to = s.open ? io_over(io) - r->o.start :
			row->time + report_row_total(row);
	s.what = REPORT_IN_IOS | (issued ? REPORT_IN_ALL : 0);
	return s;
}

/* up to when it is sure to be open */
static uint64_t until(struct report *r, const struct io *io,
		      const struct report_span_of *s)
{
	uint64_t start = r->o.start;
	struct depth_span span = { s->from + start, s->to + start };

	return paces_until(&r->paces, r->o.reader, io, &span) - start;
}

static COLD int add_open_span(struct report *r, const struct io *io,
			      uint32_t disk, const struct report_span_of *s)
{
	uint64_t to = until(r, io, s);

	if (to < s->to)
		report_depths_doubt(&r->depths, disk, s->what);
	return report_depths_add_open(&r->depths, disk, s->what, s->from, to);
}

static inline int add_span(struct report *r, const struct io *io,
			   uint32_t disk, const struct report_span_of *s)
{
	if (!s->what)
		return 0;
	/* any two of the kernel's flushes could be each other */
	if (UNLIKELY(!io->sure || io->kind == IO_FLUSH) && s->to > s->from)
		report_depths_unsure(&r->depths, disk, s->what,
				     s->to - s->from);
	return LIKELY(!s->open) ?
		report_depths_add(&r->depths, disk, s->what, s->from, s->to) :
		add_open_span(r, io, disk, s);
}

/* Its request's times at the device that did not end it. */
static COLD int add_stays(struct report *r, const struct io *io,
			  uint32_t disk)
{
	uint64_t start = r->o.start;
	int err = 0;

	for (const struct io_stay *s = io->stays; s; s = s->before)
		if (s->to > start)
			err |= report_depths_add(&r->depths, disk,
				REPORT_IN_REQUESTS | REPORT_IN_ALL,
				s->from > start ? s->from - start : 0,
				s->to - start);
	return err;
}

/* Most ios are their request: both spans are one. */
static int add_depths(struct report *r, const struct report_row *row,
		      const struct io *io, uint32_t disk)
{
	struct report_span_of request = span_of_request(r, io);
	struct report_span_of own = span_of_io(r, row, io, disk);

	if (UNLIKELY(io->stays) && add_stays(r, io, disk))
		return -ENOMEM;
	if (LIKELY(request.from == own.from && request.to == own.to &&
		   (request.what ^ own.what) ==
		   (REPORT_IN_REQUESTS | REPORT_IN_IOS))) {
		own.what |= request.what;
		return add_span(r, io, disk, &own);
	}
	return add_span(r, io, disk, &request) | add_span(r, io, disk, &own);
}

/* What counts in no table may be at the device all the same. */
static int add_request(struct report *r, const struct io *io)
{
	struct report_span_of request = span_of_request(r, io);
	uint32_t disk = report_disks_number(io);

	return add_span(r, io, disk, &request) | add_stays(r, io, disk);
}

/* --- what else is seen of a row ------------------------------------------- */

static int add_doubt(struct report *r, const struct report_row *row,
		     const struct io *io)
{
	const struct report_span_of s = {
		.from = report_row_issued(row), .to = io_over(io) - r->o.start,
	};
	uint64_t to = until(r, io, &s);
	struct report_doubt *list;

	if (to >= s.to)
		return 0;
	list = array_reserve(r->doubts, r->doubt_count, &r->doubt_size, 64,
			     sizeof(*list));
	if (!list)
		return -ENOMEM;
	r->doubts = list;
	list[r->doubt_count++] = (struct report_doubt){ row->id, to };
	return 0;
}

/* What events were lost of may have completed. */
static int add_open(struct report *r, const struct report_row *row,
		    const struct io *io, uint32_t disk)
{
	struct report_open *o = &r->in_flight[disk];
	int err;

	if (io->ended != IO_ENDED_OPEN || io->gap)
		return 0;
	err = report_rows_add(&r->open_rows, row) | add_doubt(r, row, io);
	if (o->count++ && o->time <= io->time)
		return err;
	o->time = io->time;
	o->sector = io->bytes ? io->sector : IO_NONE;
	o->pid = io->pid;
	o->origin = io->origin;
	o->op = (uint8_t)io->op;
	return err;
}

static int add_rest(struct report *r, const struct report_row *row,
		    const struct io *io, uint32_t disk)
{
	int err = add_depths(r, row, io, disk);

	if (UNLIKELY(io->later))
		return err | add_open(r, row, io, disk);
	if (UNLIKELY(is_rare(row, io)))
		err |= add_lanes(r, row, io);
	if (!report_row_ended(row)) {
		r->open++;
		err |= add_open(r, row, io, disk);
		if (io->ended != IO_ENDED_OPEN && !io_completed(io))
			report_depths_doubt(&r->depths, disk, REPORT_IN_IOS |
					    REPORT_IN_REQUESTS | REPORT_IN_ALL);
	} else if (row->op != REPORT_FLUSH) {
		add_slow(r, row);
	}
	return err;
}

/* --- an io ---------------------------------------------------------------- */

static int find_stream(struct report *r, struct report_row *row,
		       const struct io *io, uint32_t disk)
{
	int64_t pid = report_pids_find(&r->pids, io->origin, io->pid);
	int64_t stream;

	if (pid < 0)
		return -ENOMEM;
	row->pid = (uint32_t)pid;
	stream = report_streams_add(&r->streams, disk, row->op,
				    !(row->flags & REPORT_HAS_Q),
				    r->pids.list[pid].process);
	row->stream = (uint32_t)stream;
	return stream < 0 ? -ENOMEM : 0;
}

/* Times from the window's start, before which it may have started. */
static void set_time(struct report *r, struct report_row *row)
{
	row->time -= r->o.start;
	if (UNLIKELY(report_row_begin(row) != row->time) &&
	    0 - row->time > r->early)
		r->early = 0 - row->time;
}

static inline bool is_sane(const struct io *io)
{
	return io->time < TIME_MAX && io_over(io) - io->time < TIME_MAX;
}

/* the pace of its device, whatever the window; it is sane */
static inline int add_pace(struct report *r, const struct io *io)
{
	struct depth_span span;

	return io_completed(io) && at_device(io, &span) ?
		paces_add(&r->paces, io, &span) : 0;
}

int report_settle(struct report *r, uint64_t time)
{
	return report_depths_count(&r->depths, time > r->o.start ?
				   time - r->o.start : 0);
}

int report_add(struct report *r, const struct io *io, bool in)
{
	bool sane = is_sane(io);
	struct report_row elsewhere, *row;
	uint32_t disk;
	int err;

	if (sane && add_pace(r, io))
		return -ENOMEM;
	if (UNLIKELY(!in || !report_row_counts(io) || !sane)) {
		r->passthrough += in && io->kind == IO_PASS && !io->later;
		sequence_add(&r->sequence, io->id, NULL, 0, 0);
		return in && sane ? add_request(r, io) : 0;
	}
	r->count += !io->later;
	disk = report_disks_add(&r->disks, io);
	row = place_of(r, &elsewhere);
	report_row_make(row, io);
	if (row->cgroup) {
		row->cgroup = group_key_of_cgroup(r->o.cgroups, io->origin,
						  row->cgroup);
		r->grouped = true;
	}
	sequence_add(&r->sequence, io->id, io->bytes && row->end ?
		     &r->runs[disk][row->op] : NULL, io->sector,
		     io->sector + row->blocks);
	err = find_stream(r, row, io, disk);
	if (err)
		return err;
	set_time(r, row);
	err = keep(r, row, row != &elsewhere, disk);
	return err | add_rest(r, row, io, disk) ? -ENOMEM : 0;
}

int report_add_loss(struct report *r, uint64_t from, uint64_t to)
{
	if (to < r->o.start || from > to)
		return 0;
	from = from > r->o.start ? from - r->o.start : 0;
	if (!r->holed)
		r->hole = to - r->o.start;
	r->holed = true;
	if (r->binned)
		report_excerpts_hole(&r->excerpts, r->hole);
	return report_lanes_add(&r->lanes, REPORT_LANE_LOST, from,
				to - r->o.start - from);
}

/* --- the end -------------------------------------------------------------- */

/* sums go where their streams went */
static int map_sums(struct report *r)
{
	struct report_sums *old = r->sums;
	int err = 0;

	if (!old)
		return 0;
	r->sums = calloc(REPORT_STREAMS_ALL, sizeof(*r->sums));
	for (uint32_t i = 0; r->sums && i < r->folding.before; i++)
		if (r->folding.map[i] != REPORT_NO_STREAM)
			err |= report_sums_merge(
				&r->sums[r->folding.map[i]], &old[i]);
	for (uint32_t i = 0; i < REPORT_STREAMS_ALL; i++)
		report_sums_free(&old[i]);
	free(old);
	return err || !r->sums ? -ENOMEM : 0;
}

static void map_slowest(struct report_slowest *s, const uint32_t *map)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < s->count; i++) {
		uint32_t stream = map[s->list[i].row.stream];

		if (stream == REPORT_NO_STREAM)
			continue;
		s->list[n] = s->list[i];
		s->list[n++].row.stream = stream;
	}
	s->count = n;
}

/* all that has streams gets their new numbers */
static int map_all(struct report *r)
{
	const uint32_t *map = r->folding.map;
	int err = map_sums(r);

	map_slowest(&r->slowest[0], map);
	map_slowest(&r->slowest[1], map);
	report_excerpts_map(&r->excerpts, map);
	report_rows_map(&r->open_rows, map);
	if (r->kept)
		report_rows_map(&r->rows, map);
	if (r->binned)
		report_cube_map(&r->cube, map);
	return err;
}

static void count_ghosts(struct report *r)
{
	for (uint32_t i = 0; i < r->folding.before; i++)
		if (r->folding.map[i] == REPORT_NO_STREAM)
			r->ghosts += r->streams.list[i].count;
}

/* What is open is in the device up to the end. */
static int add_open_busy(struct report *r)
{
	int err = 0;

	for (size_t i = 0; !err && i < r->open_rows.count; i++) {
		const struct report_row *row = &r->open_rows.list[i];
		uint32_t disk = r->streams.list[row->stream].disk;

		if (!row->q2d && r->disks.list[disk].has_d)
			continue;
		err = scalars_add_busy(&r->cube.scalars, row->stream,
				       report_row_issued(row),
				       report_until(r, row));
	}
	return err;
}

static int end_cube(struct report *r)
{
	uint64_t width = r->depths.width;
	int err = add_open_busy(r);

	if (!err)
		err = report_cube_end(&r->cube, r->length, &width);
	if (err)
		return err;
	r->width = width;
	report_depths_widen(&r->depths, width / r->depths.width);
	return 0;
}

static int by_id(const void *a, const void *b)
{
	const struct report_doubt *one = a, *two = b;

	return one->id < two->id ? -1 : one->id > two->id;
}

uint64_t report_until(const struct report *r, const struct report_row *row)
{
	const struct report_doubt key = { .id = row->id }, *found = NULL;

	if (r->doubt_count)
		found = bsearch(&key, r->doubts, r->doubt_count, sizeof(key),
				by_id);
	return found && found->until < r->length ? found->until : r->length;
}

int report_end(struct report *r, uint64_t length)
{
	int err = report_pids_end(&r->pids);

	if (r->doubt_count)
		qsort(r->doubts, r->doubt_count, sizeof(*r->doubts), by_id);

	r->length = length;
	report_disks_end(&r->disks);
	sequence_flush(&r->sequence);
	report_lanes_end(&r->lanes);
	report_slowest_sort(&r->slowest[0]);
	report_slowest_sort(&r->slowest[1]);
	if (!err)
		err = report_depths_end(&r->depths, length);
	if (!err && r->binned)
		err = end_cube(r);
	if (!err)
		err = report_folding_make(&r->folding, &r->streams,
					  &r->pids, &r->disks);
	if (err)
		return err;
	count_ghosts(r);
	err = map_all(r);
	if (!err)
		err = report_rows_sort(&r->open_rows);
	if (!err && r->kept)
		err = report_rows_sort(&r->rows);
	return err ? err : report_excerpts_end(&r->excerpts, r->folding.map);
}

/* streams have their new numbers already */
static const uint32_t *unchanged(struct report *r)
{
	for (uint32_t i = 0; i < r->folding.count; i++)
		r->folding.map[i] = i;
	return r->folding.map;
}

int report_bin(struct report *r)
{
	/* as they would have come */
	uint32_t *order = report_rows_by_end(&r->rows);
	int err = order ? start_cube(r) : -ENOMEM;

	for (size_t i = 0; !err && i < r->rows.count; i++) {
		const struct report_row *row = &r->rows.list[order[i]];

		err = count(r, row, r->folding.list[row->stream].disk, false);
	}
	free(order);
	if (!err)
		err = report_excerpts_end(&r->excerpts, unchanged(r));
	return err ? -ENOMEM : end_cube(r);
}

int report_fold(struct report *r, uint32_t streams)
{
	int err;

	/* they would only be numbered anew */
	if (r->folding.count <= streams)
		return 0;
	err = report_folding_fold(&r->folding, streams);
	return err ? err : map_all(r);
}

int report_widen(struct report *r, uint32_t bins)
{
	uint64_t times = 1;
	int err;

	while (r->length / (r->width * times) >= bins)
		times *= 2;
	err = report_cube_widen(&r->cube, times);
	report_depths_widen(&r->depths, times);
	r->width *= times;
	return err;
}
