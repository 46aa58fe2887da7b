/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What findings are told beside the ios.
 */
#ifndef FINDINGS_FACTS_H
#define FINDINGS_FACTS_H

#include <stdint.h>

/* what is not in the ios of a device; 0: nothing, or not known */
struct findings_facts {
	uint64_t lost;		/* records, in all */
	uint64_t dropped;	/* those that the kernel told of: no hole shows
				 * where they were */
	uint64_t missing;	/* ios that are not measured, at most */
	uint32_t largest;	/* bytes of a request: max_sectors_kb */
	uint32_t block;		/* bytes: the physical block size */
};

/* the name of a process, or NULL; good until the findings are freed */
typedef const char *findings_name(const void *names, uint16_t origin,
				  uint32_t pid);

#endif
