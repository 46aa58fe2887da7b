/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What -l may take, in all or with "/source" from each sender.  Each function is
 * a cli_option's set() of such limits, and does not return from a mistake.
 */
#ifndef TOOLS_BLKTRACE_OPTIONS_LIMITS_H
#define TOOLS_BLKTRACE_OPTIONS_LIMITS_H

#include <stdint.h>

#include "server/senders.h"

/* 0: no limit */
struct options_limits {
	unsigned int max_clients;	/* runs at a time */
	uint64_t max_bytes, max_files;
	struct sender_limits each;	/* the same for each sender */
};

void options_set_max_clients(void *limits, const char *text);
void options_set_max_runs(void *limits, const char *text);
void options_set_max_bytes(void *limits, const char *text);
void options_set_max_files(void *limits, const char *text);

#endif
