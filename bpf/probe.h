/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Probes on functions of the kernel, by perf_event_open(2): where kprobes are
 * configured, and nothing forbids them.
 */
#ifndef BPF_PROBE_H
#define BPF_PROBE_H

#include <stdint.h>

/* Both return a link, or -errno; -EOPNOTSUPP: there are no probes here. */

/*
 * Sets prog on the function at address, or with `name` on that one.  The
 * program learns `cookie`, by which it tells its probes apart.
 */
int bpf_probe_open(int prog, uint64_t address, const char *name,
		   uint64_t cookie);

/* on its return, by its address only */
int bpf_probe_return(int prog, uint64_t address);

#endif
