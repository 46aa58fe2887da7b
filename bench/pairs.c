/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compares recordings in pairs, and prints what came of it, for bench/compare:
 *
 *	pairs PROCESS PAIRS SECONDS SCALE [RUNS [SPREAD [TAIL]]]
 *		made ones: B's spans times SCALE; RUNS a side (1), which differ
 *		from each other by SPREAD (0: the deviation of the logarithm);
 *		2 % of B's spans times TAIL (1)
 *	pairs --slices <TSV			recorded ones, all pairs of a
 *						device's runs
 *	pairs --runs=K DEALS <TSV		K runs a side, dealt that often
 *	pairs --apart=K 1 <TSV			the first K runs beside the next
 *
 * TSV has rows of device, run, time of issue and span in ns, and operation.
 * A line is printed per set of pairs: name, pairs, how many cannot be told,
 * alarms (a row was told); and for each row its name, how often it was told,
 * and how many intervals there were and held the truth.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "bench/process.h"
#include "compare/compare.h"

struct row_sums {
	unsigned int told, intervals, held;
};

struct sums {
	unsigned int pairs, cannot, alarms;
	struct row_sums row[COMPARE_ROWS];
};

static void fail(const char *what)
{
	fprintf(stderr, "pairs: %s\n", what);
	exit(2);
}

static void must(int error)
{
	if (error)
		fail(strerror(-error));
}

/* --- what came of a comparison ------------------------------------------- */

static bool is_told(const struct compare_row *r)
{
	return r->verdict == COMPARE_SLOWER || r->verdict == COMPARE_FASTER;
}

static void count_row(struct row_sums *s, const struct compare_row *r,
		      double truth)
{
	s->told += is_told(r);
	if (!r->interval)
		return;
	s->intervals++;
	s->held += r->low <= truth + 1e-9 && r->high >= truth - 1e-9;
}

static unsigned int row_place(const struct compare_row *r)
{
	static const uint32_t usual[] = { 50000, 90000, 99000, 99900 };

	for (unsigned int i = 0; r->kind == COMPARE_PERCENTILE && i < 4; i++)
		if (usual[i] == r->percentile)
			return COMPARE_PERCENTILE + i;
	return r->kind;
}

/* Only the first table counts for rows: the one of all operations. */
static void count_pair(struct sums *s, struct compare *c, double scale)
{
	const struct compare_result *result;
	const struct compare_table *t;
	bool alarm = false;

	must(compare_end(c, &result));
	if (!result->tables)
		fail("nothing to compare");
	t = &result->table[0];
	s->pairs++;
	s->cannot += t->state == COMPARE_DRIFTS;
	for (unsigned int i = 0; i < t->rows; i++) {
		double truth = t->row[i].kind == COMPARE_RATE ? 0 : scale - 1;

		count_row(&s->row[row_place(&t->row[i])], &t->row[i], truth);
	}
	for (unsigned int i = 0; i < result->tables; i++)
		for (unsigned int k = 0; k < result->table[i].rows; k++)
			alarm |= is_told(&result->table[i].row[k]);
	s->alarms += alarm;
	compare_free(c);
}

static void print_sums(const char *name, const struct sums *s)
{
	static const char *const rows[] = {
		"mean", "IO/s", "p50", "p90", "p99", "p99.9"
	};

	printf("%s %u %u %u", name, s->pairs, s->cannot, s->alarms);
	for (unsigned int i = 0; i < 6; i++)
		printf(" %s %u %u %u", rows[i], s->row[i].told,
		       s->row[i].intervals, s->row[i].held);
	printf("\n");
	fflush(stdout);
}

static struct compare *new_compare(unsigned int runs)
{
	struct compare_options o = { .runs = { runs, runs } };
	struct compare *c;

	must(compare_new(&c, &o));
	return c;
}

/* --- made recordings ----------------------------------------------------- */

struct made {
	const struct process *process;
	unsigned int pairs, runs;
	double seconds, scale, spread, tail;
};

static void add_made(struct compare *c, enum compare_side side,
		     unsigned int run, const struct process_run *x)
{
	for (unsigned int i = 0; i < x->count; i++) {
		uint64_t span = (uint64_t)x->ios[i].span;
		struct io io = {
			.op = IO_READ, .bytes = 4096, .total = span,
			/* later than the longest span */
			.time = (uint64_t)((x->ios[i].end + 1000) * 1e9) - span,
			.issued = IO_NONE, .served = IO_NONE,
		};

		must(compare_io(c, side, run, &io, span));
	}
}

static void add_tail(struct process_run *x, struct random *r, double tail)
{
	for (unsigned int i = 0; i < x->count; i++)
		if (random_part(r) < 0.02)
			x->ios[i].span *= tail;
}

static void add_recording(struct compare *c, enum compare_side side,
			  unsigned int run, const struct made *m,
			  struct random *r)
{
	double scale = side == COMPARE_B ? m->scale : 1;
	struct process_run x;

	if (m->spread > 0)
		scale *= exp(m->spread * process_normal(r));
	process_record(&x, m->process, r, m->seconds, scale);
	if (!x.count)
		fail("no ios");
	if (side == COMPARE_B && m->tail > 1)
		add_tail(&x, r, m->tail);
	add_made(c, side, run, &x);
	free(x.ios);
}

static const struct process *find_process(const char *name)
{
	for (const struct process *p = PROCESSES; p->name; p++)
		if (!strcmp(p->name, name))
			return p;
	fail("no such process");
	return NULL;
}

static void made_pairs(const struct made *m)
{
	struct sums s = { 0 };
	struct random r;

	random_init(&r, 777);
	for (unsigned int i = 0; i < m->pairs; i++) {
		struct compare *c = new_compare(m->runs);

		for (unsigned int run = 0; run < 2 * m->runs; run++)
			add_recording(c, run < m->runs ? COMPARE_A : COMPARE_B,
				      run % m->runs, m, &r);
		count_pair(&s, c, m->scale);
	}
	print_sums(m->process->name, &s);
}

static void made(int argc, char **argv)
{
	const struct made m = {
		.process = find_process(argv[1]),
		.pairs = (unsigned int)atoi(argv[2]),
		.seconds = atof(argv[3]), .scale = atof(argv[4]),
		.runs = argc > 5 ? (unsigned int)atoi(argv[5]) : 1,
		.spread = argc > 6 ? atof(argv[6]) : 0,
		.tail = argc > 7 ? atof(argv[7]) : 1,
	};

	made_pairs(&m);
}

/* --- recorded ones ------------------------------------------------------- */

enum { DEVICES = 8, RUNS = 64 };

struct run {
	struct io *ios;
	size_t count, size;
};

struct recorded {
	char name[32];
	unsigned int runs;
	struct run run[RUNS];
};

static int by_end(const void *one, const void *other)
{
	const struct io *x = one, *y = other;
	uint64_t a = x->time + x->total, b = y->time + y->total;

	return (a > b) - (a < b);
}

static struct recorded *find_recorded(struct recorded *of, const char *name)
{
	for (unsigned int i = 0; i < DEVICES; i++) {
		if (!of[i].name[0])
			snprintf(of[i].name, sizeof(of[i].name), "%s", name);
		if (!strcmp(of[i].name, name))
			return &of[i];
	}
	fail("too many devices");
	return NULL;
}

static void add_line(struct recorded *of, const char *line)
{
	struct io io = { .bytes = 4096, .issued = IO_NONE, .served = IO_NONE };
	char device[32], op[8];
	unsigned int number;
	struct recorded *d;
	struct run *run;

	if (sscanf(line, "%31s %u %" SCNu64 " %" SCNu64 " %7s", device, &number,
		   &io.time, &io.total, op) != 5 || number < 1 || number > RUNS)
		fail("a line that cannot be read");
	d = find_recorded(of, device);
	if (number > d->runs)
		d->runs = number;
	io.op = strcmp(op, "read") ? IO_WRITE : IO_READ;
	run = &d->run[number - 1];
	run->ios = array_reserve(run->ios, run->count, &run->size, 4096,
				 sizeof(io));
	if (!run->ios)
		fail("no memory");
	run->ios[run->count++] = io;
}

static struct recorded *read_recorded(void)
{
	struct recorded *of = calloc(DEVICES, sizeof(*of));
	char line[256];

	if (!of || !fgets(line, sizeof(line), stdin))
		fail("no recordings");
	while (fgets(line, sizeof(line), stdin))
		add_line(of, line);
	for (unsigned int i = 0; i < DEVICES; i++)
		for (unsigned int run = 0; run < of[i].runs; run++)
			qsort(of[i].run[run].ios, of[i].run[run].count,
			      sizeof(struct io), by_end);
	return of;
}

static void add_run(struct compare *c, enum compare_side side,
		    unsigned int run, const struct run *from)
{
	for (size_t i = 0; i < from->count; i++)
		must(compare_io(c, side, run, &from->ios[i],
				from->ios[i].total));
}

static void recorded_pairs(const struct recorded *d)
{
	struct sums s = { 0 };

	for (unsigned int a = 0; a < d->runs; a++) {
		for (unsigned int b = a + 1; b < d->runs; b++) {
			struct compare *c = new_compare(1);

			add_run(c, COMPARE_A, 0, &d->run[a]);
			add_run(c, COMPARE_B, 0, &d->run[b]);
			count_pair(&s, c, 1);
		}
	}
	print_sums(d->name, &s);
}

/* the first so many runs beside as many that follow them */
static void recorded_apart(const struct recorded *d, unsigned int runs)
{
	struct compare *c = new_compare(runs);
	struct sums s = { 0 };

	for (unsigned int i = 0; i < 2 * runs; i++)
		add_run(c, i < runs ? COMPARE_A : COMPARE_B, i % runs,
			&d->run[i]);
	count_pair(&s, c, 1);
	print_sums(d->name, &s);
}

/* so many runs of the device a side, by chance, and no run twice */
static void recorded_deals(const struct recorded *d, unsigned int runs,
			   unsigned int deals)
{
	unsigned int list[RUNS];
	struct sums s = { 0 };
	struct random r;

	random_init(&r, 5);
	for (unsigned int i = 0; i < d->runs; i++)
		list[i] = i;
	for (unsigned int deal = 0; deal < deals; deal++) {
		struct compare *c = new_compare(runs);

		for (unsigned int i = 0; i < 2 * runs; i++) {
			unsigned int other =
				i + random_below(&r, d->runs - i);
			unsigned int kept = list[i];

			list[i] = list[other];
			list[other] = kept;
			add_run(c, i < runs ? COMPARE_A : COMPARE_B, i % runs,
				&d->run[list[i]]);
		}
		count_pair(&s, c, 1);
	}
	print_sums(d->name, &s);
}

static void recorded_device(const struct recorded *d, int argc, char **argv)
{
	unsigned int runs;

	if (argc == 2)
		recorded_pairs(d);
	else if (sscanf(argv[1], "--runs=%u", &runs) == 1 &&
		 runs * 2 <= d->runs)
		recorded_deals(d, runs, (unsigned int)atoi(argv[2]));
	else if (sscanf(argv[1], "--apart=%u", &runs) == 1 &&
		 runs * 2 <= d->runs)
		recorded_apart(d, runs);
	else
		fail("too few runs");
}

int main(int argc, char **argv)
{
	struct recorded *of;

	if (argc >= 5 && argc <= 8) {
		made(argc, argv);
		return 0;
	}
	if (argc != 2 && argc != 3)
		fail("see the top of its source for arguments");
	of = read_recorded();
	for (unsigned int i = 0; i < DEVICES && of[i].runs; i++)
		recorded_device(&of[i], argc, argv);
	return 0;
}
