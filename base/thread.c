/* SPDX-License-Identifier: GPL-2.0-only */
/* Starting threads; see thread.h. */
#include <sched.h>
#include <signal.h>
#include <time.h>

#include "base/thread.h"

int thread_start(pthread_t *thread, void *(*run)(void *), void *arg)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(thread, NULL, run, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -err;
}

unsigned int thread_spare_cpus(unsigned int most)
{
	cpu_set_t set;
	unsigned int spare;

	if (sched_getaffinity(0, sizeof(set), &set))
		return 0;
	spare = (unsigned int)CPU_COUNT(&set) - 1;
	return spare < most ? spare : most;
}

void thread_cond_init(pthread_cond_t *cond)
{
	pthread_condattr_t monotonic;

	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(cond, &monotonic);
	pthread_condattr_destroy(&monotonic);
}
