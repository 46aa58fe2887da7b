/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What receives an import in fuzzing: events must come in order of time, on
 * devices and of processes that were named before, and what is wrong must have
 * a reason.
 */
#ifndef FUZZ_RECEIVER_H
#define FUZZ_RECEIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

struct import_format;		/* import/import.h */
struct import_options;
struct source;			/* file/source.h */

struct received {
	bool about;
	uint64_t time;		/* of the last event */
	uint64_t events, faults;
	struct hash devices;
	uint32_t sum;		/* of payloads */
};

/* reads s, and closes it */
void receive(const struct import_format *f, struct source *s,
	     const struct import_options *o, struct received *r);

#endif
