/* SPDX-License-Identifier: GPL-2.0-only */
/* The CPUs of this machine that are online. */
#ifndef CAPTURE_CPUS_H
#define CAPTURE_CPUS_H

#include <stdint.h>

struct cpus {
	uint32_t *online;	/* ascending */
	unsigned int count;
	uint32_t max;		/* the highest online plus one */
};

/* parses a list in the kernel's format, "0-3,8"; 0, -EINVAL or -ENOMEM */
int cpus_parse(struct cpus *c, const char *list);

/* those of this machine: 0 or -errno */
int cpus_online(struct cpus *c);

void cpus_free(struct cpus *c);

#endif
