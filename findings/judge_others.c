/* SPDX-License-Identifier: GPL-2.0-only */
/* Rules about who is in whose way; see judge.h. */
#include "findings/judge.h"

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
