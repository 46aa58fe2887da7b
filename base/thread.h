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

/* a condition whose timed waits end by CLOCK_MONOTONIC */
void thread_cond_init(pthread_cond_t *cond);

#endif
