/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * naps sleeps until moments it is told, and tells how late each sleep ended:
 * what a replay would be at best if it only slept.
 *
 * Standard input has a moment a line, in ns after the beginning, ascending;
 * standard output gets, for each, the ns after the beginning at which the
 * sleep until it had ended.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { NS_PER_S = 1000000000, HEAD_START = 2000000 };

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

static void sleep_until(uint64_t ns)
{
	const struct timespec t = { .tv_sec = (time_t)(ns / NS_PER_S),
				    .tv_nsec = (long)(ns % NS_PER_S) };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

/* All moments of standard input; dies if there is no memory. */
static uint64_t *read_moments(size_t *count)
{
	uint64_t *list = NULL, moment;
	size_t room = 0;

	*count = 0;
	while (scanf("%" SCNu64, &moment) == 1) {
		if (*count == room) {
			room = room * 2 + 1024;
			list = realloc(list, room * sizeof(*list));
			if (!list)
				exit(1);
		}
		list[(*count)++] = moment;
	}
	return list;
}

int main(void)
{
	size_t count;
	uint64_t *moments = read_moments(&count), begin = now() + HEAD_START;

	for (size_t i = 0; i < count; i++) {
		sleep_until(begin + moments[i]);
		moments[i] = now() - begin;
	}
	for (size_t i = 0; i < count; i++)
		printf("%" PRIu64 "\n", moments[i]);
	free(moments);
	return 0;
}
