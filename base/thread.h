/* SPDX-License-Identifier: GPL-2.0-only */
/* Starting threads, and what they wait by. */
#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include <pthread.h>

/*
 * Starts a thread that gets no signals, which must interrupt the main thread.
 * 0, and the caller joins or detaches it; or -errno.
 */
int thread_start(pthread_t *thread, void *(*run)(void *), void *arg);

/* the process's CPUs minus one, at most most; 0 if unknown */
unsigned int thread_spare_cpus(unsigned int most);

/* a condition whose timed waits end by CLOCK_MONOTONIC */
void thread_cond_init(pthread_cond_t *cond);

#endif
