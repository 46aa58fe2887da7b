/* The block of totals; see totals.h. */
#include <inttypes.h>
#include <stdio.h>

#include "base/buf.h"
#include "capture/totals.h"

static uint64_t kib(uint64_t bytes)
{
	return (bytes + 1023) / 1024;
}

void totals_print(struct buf *out, const char *name,
		  const struct totals_cpu *cpus, unsigned int count,
		  uint64_t drops)
{
	struct totals_cpu sum = { 0, 0 };

	buf_printf(out, "=== %s ===\n", name);
	for (unsigned int i = 0; i < count; i++) {
		buf_printf(out, "  CPU%3u: %20" PRIu64 " events, %8" PRIu64
			   " KiB data\n", i, cpus[i].events,
			   kib(cpus[i].bytes));
		sum.events += cpus[i].events;
		sum.bytes += cpus[i].bytes;
	}
	buf_printf(out, "  Total:  %20" PRIu64 " events (dropped %" PRIu64
		   "), %8" PRIu64 " KiB data\n", sum.events, drops,
		   kib(sum.bytes));
}

/* 1.3.0: these two lines, which scripts look for */
void totals_warn(uint64_t events, uint64_t drops)
{
	double all = (double)events + (double)drops;

	if (!drops)
		return;
	fprintf(stderr, "\nYou have %" PRIu64 " (%5.1lf%%) dropped events\n"
		"Consider using a larger buffer size (-b) and/or more buffers"
		" (-n)\n", drops, 100.0 * (double)drops / all);
}
