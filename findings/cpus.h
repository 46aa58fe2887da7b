/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which CPUs issue requests with data, and which complete them.  CPUs from
 * 1,023 on count as one.
 */
#ifndef FINDINGS_CPUS_H
#define FINDINGS_CPUS_H

#include <stdint.h>

struct io;			/* request/io.h */

enum { CPUS_SEEN = 1024 };

struct cpus {
	uint64_t issues[CPUS_SEEN], completions[CPUS_SEEN];
	uint64_t count;		/* requests of which both are known */
};

struct cpus_share {
	uint32_t cpu;		/* which completes most */
	uint64_t completions;
	uint64_t issues;	/* its own */
	uint32_t issuers;	/* CPUs that issue */
	uint64_t alike;		/* times 1,000: so many CPUs would issue, if
				 * all that do did equally much */
};

/* a request with data that completed */
void cpus_add(struct cpus *c, const struct io *io);

void cpus_share(const struct cpus *c, struct cpus_share *share);

#endif
