/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The programs that run in the kernel, for iotracer and for blktrace
 * --via=bpf.  They are loaded together, so that they share their maps, and
 * attached as they are needed.
 *
 * `make bpf` compiles them to programs.lskel, which is kept beside this
 * file: clang and bpftool are needed for that and for nothing else.
 */
#include "bpf/kernel.bpf.h"
#include "bpf/layout.h"
#include "bpf/state.bpf.h"
#include "bpf/registers.bpf.h"
#include "bpf/lines.bpf.h"
#include "bpf/trees.bpf.h"
#include "bpf/owner.bpf.h"
#include "bpf/bios.bpf.h"
#include "bpf/calls.bpf.h"
#include "bpf/probes.bpf.h"
#include "bpf/records.bpf.h"

/* some of the kernel's functions are only for programs with such a licence */
char licence[] SEC("license") = "Dual BSD/GPL";
