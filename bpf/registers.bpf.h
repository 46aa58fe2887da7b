/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Arguments and results out of registers, on the machines that we know; on
 * others they read as 0.
 */
#ifndef CAPTURE_BPF_REGISTERS_H
#define CAPTURE_BPF_REGISTERS_H

#include "bpf/state.bpf.h"

/*
 * Of a system call, from 0; n is a constant.  Registers are read as they lie,
 * without a helper, as the calls of all processes come by here.
 */
INLINE __u64 call_argument(struct pt_regs *regs, int n)
{
	struct pt_regs___x86 *x86 = (void *)regs;
	struct pt_regs___arm64 *arm = (void *)regs;

	if (!bpf_core_field_exists(x86->di))
		return bpf_core_field_exists(arm->regs) ? arm->regs[n] : 0;
	switch (n) {
	case 0: return x86->di;
	case 1: return x86->si;
	case 2: return x86->dx;
	case 3: return x86->r10;
	case 4: return x86->r8;
	default: return x86->r9;
	}
}

/*
 * Of a function of the kernel, from 0; n is a constant.  These registers are
 * the probe's own, which only a helper may read at places known so late.
 */
INLINE __u64 function_argument(struct pt_regs *regs, int n)
{
	struct pt_regs___x86 *x86 = (void *)regs;
	struct pt_regs___arm64 *arm = (void *)regs;

	if (!bpf_core_field_exists(x86->di))
		return bpf_core_field_exists(arm->regs) ?
			BPF_CORE_READ(arm, regs[n]) : 0;
	switch (n) {
	case 0: return BPF_CORE_READ(x86, di);
	case 1: return BPF_CORE_READ(x86, si);
	case 2: return BPF_CORE_READ(x86, dx);
	default: return BPF_CORE_READ(x86, cx);
	}
}

INLINE long function_result(struct pt_regs *regs)
{
	struct pt_regs___x86 *x86 = (void *)regs;

	if (bpf_core_field_exists(x86->ax))
		return BPF_CORE_READ(x86, ax);
	return function_argument(regs, 0);
}

#endif
