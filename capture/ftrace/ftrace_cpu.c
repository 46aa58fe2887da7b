/* SPDX-License-Identifier: GPL-2.0-only */
/* One CPU's events from tracefs; see ftrace_cpu.h. */
#include "capture/ftrace/ftrace_cpu.h"
#include "capture/ftrace/ftrace_pipe.h"

int ftrace_cpu_open(struct tap **t, struct ftrace *f, uint32_t cpu, bool stamps)
{
	return ftrace_pipe_open(t, f, cpu, stamps);
}
