/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Traces devices until a program has ended, or until a signal comes, and
 * samples what CPUs do meanwhile.
 */
#ifndef TOOLS_IOWATCHER_LIVE_H
#define TOOLS_IOWATCHER_LIVE_H

#include <signal.h>

struct live_plan {
	const char *const *devices;	/* paths */
	unsigned int count;
	const char *directory;	/* files go there, which is made; NULL: here */
	const char *base;	/* and are called so, of one device */
	const char *cpu_path;	/* CPU times go there */
	char *const *program;	/* with its arguments, NULL behind the last;
				 * NULL: until a signal */
	const volatile sig_atomic_t *stop;	/* which has come, or 0 */
};

/* 0; or -errno, reported: then there may be files that are not whole */
int live_run(const struct live_plan *plan);

#endif
