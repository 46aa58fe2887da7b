/* SPDX-License-Identifier: GPL-2.0-only */
/* The block of totals; see totals.h. */
#include <inttypes.h>
#include <stdio.h>

#include "base/buf.h"
#include "capture/totals.h"

static uint64_t kib(uint64_t bytes)
{
	return (bytes + 1023) / 1024;
}

static void print_cpu(struct buf *out, unsigned int cpu,
		      const struct totals_cpu *c)
{
	buf_printf(out, "  CPU%3u: %20" PRIu64 " events, %8" PRIu64
		   " KiB data\n", cpu, c->events, kib(c->bytes));
}

void totals_print(struct buf *out, const char *name,
		  const struct totals_cpu *cpus, unsigned int count,
		  uint64_t drops)
{
	totals_print_shown(out, name, cpus, NULL, count, drops);
}

void totals_print_shown(struct buf *out, const char *name,
			const struct totals_cpu *cpus, const bool *shown,
			unsigned int count, uint64_t drops)
{
	struct totals_cpu sum = { 0, 0 };

	buf_printf(out, "=== %s ===\n", name);
	for (unsigned int i = 0; i < count; i++) {
		if (!shown || shown[i])
			print_cpu(out, i, &cpus[i]);
		sum.events += cpus[i].events;
		sum.bytes += cpus[i].bytes;
	}
	buf_printf(out, "  Total:  %20" PRIu64 " events (dropped %" PRIu64
		   "), %8" PRIu64 " KiB data\n", sum.events, drops,
		   kib(sum.bytes));
}

/* 1.3.0: these two lines, which scripts match */
void totals_warning(uint64_t events, uint64_t drops, char text[TOTALS_WARNING])
{
	double all = (double)events + (double)drops;

	*text = '\0';
	if (!drops)
		return;
	snprintf(text, TOTALS_WARNING,
		 "\nYou have %" PRIu64 " (%5.1lf%%) dropped events\n"
		 "Consider using a larger buffer size (-b) and/or more buffers"
		 " (-n)\n", drops, 100.0 * (double)drops / all);
}
