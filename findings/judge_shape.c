/* SPDX-License-Identifier: GPL-2.0-only */
/* Rules about what requests look like; see judge.h. */
#include "findings/judge.h"
#include "request/io.h"

/* --- judge others --------------------------------------------------------- */

static bool waits_behind(const struct behind_kind *k,
			 const struct rule_limits *l, struct finding *f)
{
	struct behind_proof proof;
	bool proven = behind_proves(k, l->ios, l->ratio, l->span, &proof);

	f->numbers[FINDING_TIMES] = k->count;
	if (!proven)
		return false;
	f->numbers[FINDING_COUNT] = proof.count;
	f->numbers[FINDING_SLOW] = proof.during;
	f->numbers[FINDING_USUAL] = proof.else_;
	f->numbers[FINDING_RATIO] =
		wide_share(proof.during, 1000, proof.else_);
	f->time_lost = judge_clamp(wide_product(proof.count,
						proof.during - proof.else_));
	return k->count >= l->count;
}

bool judge_behind_writes(const struct evidence *e, const struct rule *r,
			 struct finding *f)
{
	judge_who(e, PEOPLE_LARGE_WRITES, f);
	return waits_behind(&e->behind.kinds[BEHIND_WRITES], &r->limits, f);
}

bool judge_behind_discards(const struct evidence *e, const struct rule *r,
			   struct finding *f)
{
	return waits_behind(&e->behind.kinds[BEHIND_DISCARDS], &r->limits, f);
}

bool judge_neighbour(const struct evidence *e, const struct rule *r,
		     struct finding *f)
{
	for (int i = BEHIND_PROCESSES; i < BEHIND_WHATS; i++) {
		const struct behind_kind *k = &e->behind.kinds[i];
		const struct person *who;

		if (!k->followed)
			continue;
		who = &e->people.list[k->person];
		if (!judge_reaches(who->bytes, r->limits.share,
				   e->shape.bytes))
			continue;
		f->numbers[FINDING_CULPRIT] = who->pid;
		f->numbers[FINDING_SHARE] = judge_share(who->bytes,
							e->shape.bytes);
		if (waits_behind(k, &r->limits, f))
			return true;
	}
	return false;
}

bool judge_one_cpu(const struct evidence *e, const struct rule *r,
		   struct finding *f)
{
	uint64_t count = e->cpus.count;
	struct cpus_share share;

	cpus_share(&e->cpus, &share);
	f->numbers[FINDING_COUNT] = count;
	f->numbers[FINDING_RATE] = judge_rate(e, count);
	if (!count)
		return false;
	f->numbers[FINDING_CPU] = share.cpu;
	f->numbers[FINDING_CPUS] = share.issuers;
	f->numbers[FINDING_SHARE] = judge_share(share.completions, count);
	f->numbers[FINDING_OFTEN] = judge_share(share.issues, count);
	f->numbers[FINDING_ALIKE] = share.alike;
	return count >= r->limits.ios &&
	       f->numbers[FINDING_RATE] >= r->limits.rate * 1000 &&
	       judge_reaches(share.completions, r->limits.share, count) &&
	       f->numbers[FINDING_OFTEN] <= r->limits.often &&
	       share.alike >= r->limits.ratio;
}

/* --- judge shape ---------------------------------------------------------- */

static bool is_sequential(const struct evidence *e, enum served_op op,
			  const struct rule_limits *l, struct finding *f)
{
	const struct shape_stream *s = &e->shape.streams[op];

	f->numbers[FINDING_OP] = op == SERVED_READ ? IO_READ : IO_WRITE;
	f->numbers[FINDING_COUNT] = s->sequential;
	f->numbers[FINDING_OF] = s->count;
	f->numbers[FINDING_OFTEN] = judge_share(s->merged, s->count);
	if (s->sizes.count)
		f->numbers[FINDING_BYTES] =
			histogram_kth_low(&s->sizes, s->sizes.count / 2 + 1);
	judge_who(e, op == SERVED_READ ? PEOPLE_SEQUENTIAL_READS
				       : PEOPLE_SEQUENTIAL_WRITES, f);
	return s->count >= l->ios &&
	       judge_reaches(s->sequential, l->share, s->count) &&
	       wide_less(wide_product(s->merged, 1000),
			 wide_product(s->count, l->often));
}

bool judge_small_sequential(const struct evidence *e, const struct rule *r,
			    struct finding *f)
{
	return is_sequential(e, SERVED_WRITE, &r->limits, f) ||
	       is_sequential(e, SERVED_READ, &r->limits, f);
}

/* what a request takes that need not wait for others: 9 in 10 take longer */
static uint64_t unhindered(const struct histogram *h)
{
	return histogram_kth(h, histogram_rank(h->count,
					       10 * HISTOGRAM_PERCENT));
}

/*
 * Whether requests of this size take hardly longer than small ones do, and how
 * long both take: then each cut costs what a request costs.  Where the time
 * goes with the bytes, cutting costs nothing.  Without smaller requests to
 * compare with, the size must do.
 */
static bool cut_costs(const struct evidence *e, enum served_op op,
		      uint32_t bytes, const struct rule_limits *l,
		      struct finding *f)
{
	const struct histogram *sizes = e->times.device[op];
	int size = served_size(bytes), small = 0;
	uint64_t fixed, whole;

	if (sizes[size].count < l->count)
		return false;
	while (small + 1 < size && sizes[small].count < l->count)
		small++;
	if (small + 1 >= size)
		return bytes < l->bytes;
	fixed = unhindered(&sizes[small]);
	whole = unhindered(&sizes[size]);
	f->numbers[FINDING_USUAL] = fixed;
	f->numbers[FINDING_SLOW] = whole;
	return !wide_less(wide_product(fixed, 1000),
			  wide_product(whole, l->ratio));
}

bool judge_split(const struct evidence *e, const struct rule *r,
		 struct finding *f)
{
	const struct shape *h = &e->shape;
	uint64_t cuts = h->parts > h->wholes ? h->parts - h->wholes : 0;
	uint64_t size = shape_part_size(h);

	f->numbers[FINDING_COUNT] = cuts;
	f->numbers[FINDING_SHARE] = judge_share(h->part_bytes, h->bytes);
	if (size)
		f->numbers[FINDING_BYTES] = size;
	if (size && size == e->facts.largest)
		f->numbers[FINDING_LIMIT] = e->facts.largest;
	judge_who(e, PEOPLE_PARTS, f);
	return cuts >= r->limits.count &&
	       judge_reaches(h->part_bytes, r->limits.share, h->bytes) &&
	       (cut_costs(e, SERVED_READ, (uint32_t)size, &r->limits, f) ||
		cut_costs(e, SERVED_WRITE, (uint32_t)size, &r->limits, f));
}

bool judge_misaligned(const struct evidence *e, const struct rule *r,
		      struct finding *f)
{
	uint32_t block = e->facts.block ? e->facts.block
					: (uint32_t)r->limits.bytes;
	uint64_t count = shape_misaligned(&e->shape, block);

	f->numbers[FINDING_COUNT] = count;
	f->numbers[FINDING_OF] = e->shape.writes;
	f->numbers[FINDING_SHARE] = judge_share(count, e->shape.writes);
	f->numbers[FINDING_BLOCK] = block;
	judge_who(e, PEOPLE_MISALIGNED, f);
	return e->shape.writes >= r->limits.ios &&
	       judge_reaches(count, r->limits.share, e->shape.writes);
}

bool judge_writeback(const struct evidence *e, const struct rule *r,
		     struct finding *f)
{
	const struct shape *h = &e->shape;

	f->numbers[FINDING_OF] = h->writes;
	f->numbers[FINDING_BYTES] = h->kworker_bytes;
	f->numbers[FINDING_SHARE] = judge_share(h->kworker_bytes,
						h->write_bytes);
	return h->writes >= r->limits.ios && h->kworker_bytes &&
	       judge_reaches(h->kworker_bytes, r->limits.share,
			     h->write_bytes);
}
