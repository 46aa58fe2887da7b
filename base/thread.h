/* SPDX-License-Identifier: GPL-2.0-only */
/* Threads beside the main one, and what they wait by. */
#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include <pthread.h>

/*
 * Starts a thread that gets no signals: these end the main thread's waiting.
 * 0, and it is the caller's to join or detach; or -errno.
 */
int thread_start(pthread_t *thread, void *(*run)(void *), void *arg);

/* CPUs that we may run on beside the one that asks, or most if there are more;
 * 0: it is not known, too */
unsigned int thread_spare_cpus(unsigned int most);

/* a condition whose timed waits end by CLOCK_MONOTONIC */
void thread_cond_init(pthread_cond_t *cond);

#endif
