/* SPDX-License-Identifier: GPL-2.0-only */
/* One CPU's events from tracefs; see ftrace_cpu.h. */
#include "capture/from/ftrace_cpu.h"
#include "capture/from/ftrace_pages.h"
#include "capture/from/ftrace_pipe.h"

int ftrace_cpu_open(struct tap **t, struct ftrace *f, uint32_t cpu, bool stamps)
{
	int err = ftrace_pages_open(t, f, cpu, stamps);

	return err ? ftrace_pipe_open(t, f, cpu, stamps) : 0;
}
