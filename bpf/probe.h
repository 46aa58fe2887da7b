/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Probes on functions of the kernel, by perf_event_open(2): where kprobes are
 * configured, and nothing forbids them.
 */
#ifndef BPF_PROBE_H
#define BPF_PROBE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Sets prog on the function at address, or with `name` on that one; at its
 * return if `exit`.  A link, or -errno; -EOPNOTSUPP: there are no probes here.
 */
int bpf_probe_open(int prog, uint64_t address, const char *name, bool exit);

#endif
