/* SPDX-License-Identifier: GPL-2.0-only */
/* Probes on functions; see probe.h. */
#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf/probe.h"
#include "bpf/syscall.h"

#define PMU "/sys/bus/event_source/devices/kprobe/"

/* the number behind a text in a file of the PMU; -EOPNOTSUPP: there is none */
static int number_in(const char *path, const char *format)
{
	FILE *f = fopen(path, "re");
	int n = -EOPNOTSUPP;

	if (!f)
		return -EOPNOTSUPP;
	if (fscanf(f, format, &n) != 1 || n < 0)
		n = -EOPNOTSUPP;
	fclose(f);
	return n;
}

static int event_open(uint64_t address, const char *name, bool exit)
{
	int type = number_in(PMU "type", "%d");
	int bit = number_in(PMU "format/retprobe", "config:%d");
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.config1 = (uintptr_t)name,	/* kprobe_func */
		.config2 = name ? 0 : address,	/* offset, or kprobe_addr */
		.sample_period = 1,
		.wakeup_events = 1,
	};
	long fd;

	if (type < 0 || bit < 0 || bit > 63)
		return -EOPNOTSUPP;
	attr.type = (uint32_t)type;
	attr.config = exit ? 1ull << bit : 0;
	fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1,
		     PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : (int)fd;
}

/* The link keeps the event. */
static int link_event(int prog, int event, uint64_t cookie)
{
	int link;

	if (event < 0)
		return event;
	link = bpf_event_link_new(prog, event, cookie);
	close(event);
	return link;
}

int bpf_probe_open(int prog, uint64_t address, const char *name,
		   uint64_t cookie)
{
	return link_event(prog, event_open(address, name, false), cookie);
}

int bpf_probe_return(int prog, uint64_t address)
{
	return link_event(prog, event_open(address, NULL, true), 0);
}
