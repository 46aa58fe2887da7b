/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Gives a joiner damaged traces, and says what of check.h then does not hold.
 *
 *	damaged FIRST COUNT DIRECTORY...
 *
 * for COUNT seeds from FIRST on, each with one of the directories and bounds
 * of its own.  The first fault ends it; its seed alone gives it again.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/msg.h"
#include "request/joiner.h"
#include "tests/requests/check.h"
#include "tests/requests/damage.h"
#include "tests/requests/dice.h"
#include "tests/requests/trace.h"

/* Whether all held.  Seeds that follow each other give unlike numbers. */
static bool one(uint64_t seed, const struct trace *traces, char *const *names,
		size_t count)
{
	struct dice d = { seed };
	size_t which = (size_t)dice_below(&d, count);
	struct check *c = check_new(false);
	struct joiner_bounds bounds;
	uint8_t *payloads;
	struct run run;
	const char *fault;

	if (!c)
		msg_die("no memory");
	damage_make(&run, &payloads, &traces[which], &d);
	damage_bounds(&bounds, &d);
	run_join(&run, &bounds, c, NULL, NULL);
	fault = check_fault(c);
	if (fault)
		printf("seed %" PRIu64 ", %s, ios %u, looks %u: %s\n", seed,
		       names[which], bounds.ios, bounds.looks, fault);
	run_free(&run);
	free(payloads);
	check_free(c);
	return !fault;
}

int main(int argc, char **argv)
{
	bool holds = true;
	uint64_t first, seeds;
	struct trace *traces;
	size_t count;

	if (argc < 4) {
		fputs("usage: damaged FIRST COUNT DIRECTORY...\n", stderr);
		return 2;
	}
	count = (size_t)argc - 3;
	traces = calloc(count, sizeof(*traces));
	if (!traces)
		msg_die("no memory");
	for (size_t i = 0; i < count; i++)
		trace_load(&traces[i], argv[i + 3]);
	first = strtoull(argv[1], NULL, 10);
	seeds = strtoull(argv[2], NULL, 10);
	for (uint64_t i = 0; holds && i < seeds; i++)
		holds = one(first + i, traces, argv + 3, count);
	for (size_t i = 0; i < count; i++)
		trace_free(&traces[i]);
	free(traces);
	return holds ? 0 : 1;
}
