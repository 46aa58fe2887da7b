/* SPDX-License-Identifier: GPL-2.0-only */
/* Which CPUs issue and complete; see cpus.h. */
#include "base/wide.h"
#include "findings/cpus.h"
#include "request/io.h"

static uint32_t index_of(uint32_t cpu)
{
	return cpu < CPUS_SEEN ? cpu : CPUS_SEEN - 1;
}

void cpus_add(struct cpus *c, const struct io *io)
{
	if (io->cpu_d == IO_NO_CPU || io->cpu_c == IO_NO_CPU)
		return;
	c->issues[index_of(io->cpu_d)]++;
	c->completions[index_of(io->cpu_c)]++;
	c->count++;
}

void cpus_share(const struct cpus *c, struct cpus_share *share)
{
	struct wide sum = { 0, 0 };

	*share = (struct cpus_share){ 0 };
	for (uint32_t i = 0; i < CPUS_SEEN; i++) {
		wide_join(&sum, wide_product(c->issues[i], c->issues[i]));
		share->issuers += c->issues[i] > 0;
		if (c->completions[i] > share->completions) {
			share->completions = c->completions[i];
			share->cpu = i;
		}
	}
	share->issues = c->issues[share->cpu];
	if (!wide_is_zero(sum))
		share->alike = wide_divide(
			wide_times(wide_product(c->count, c->count), 1000),
			sum, NULL).low;
}
