/* SPDX-License-Identifier: GPL-2.0-only */
/* Resolving in a thread that can be left behind; see resolve.h. */
#include <netdb.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/thread.h"
#include "base/time.h"
#include "capture/to/resolve.h"

enum { STEP_NS = 100 * NS_PER_MS };	/* between looks at *stop */

/* Shared by two threads; the last that leaves frees it. */
struct job {
	pthread_mutex_t lock;
	pthread_cond_t done_now;
	bool done, left;
	char *host, *port;
	struct addrinfo *list;
	int error;		/* of getaddrinfo() */
};

static int look_up(const char *host, const char *port, int flags,
		   struct addrinfo **list)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
					.ai_flags = AI_CANONNAME | flags };

	return getaddrinfo(host, port, &hints, list);
}

static void job_free(struct job *j)
{
	pthread_mutex_destroy(&j->lock);
	pthread_cond_destroy(&j->done_now);
	free(j->host);
	free(j->port);
	free(j);
}

static struct job *job_new(const char *host, const char *port)
{
	struct job *j = calloc(1, sizeof(*j));

	if (!j)
		return NULL;
	pthread_mutex_init(&j->lock, NULL);
	pthread_cond_init(&j->done_now, NULL);
	j->host = strdup(host);
	j->port = strdup(port);
	if (j->host && j->port)
		return j;
	job_free(j);
	return NULL;
}

static void *job_run(void *arg)
{
	struct job *j = arg;
	bool left;

	j->error = look_up(j->host, j->port, 0, &j->list);
	pthread_mutex_lock(&j->lock);
	j->done = true;
	left = j->left;
	pthread_cond_signal(&j->done_now);
	pthread_mutex_unlock(&j->lock);
	if (left) {
		if (!j->error)
			freeaddrinfo(j->list);
		job_free(j);
	}
	return NULL;
}

static int job_start(struct job *j)
{
	pthread_t thread;
	int err = thread_start(&thread, job_run, j);

	if (!err)
		pthread_detach(thread);
	return err;
}

static struct timespec in_a_moment(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return time_to_timespec(time_of_timespec(&t) + STEP_NS);
}

/* Whether the job is done; if not, it is left to its thread. */
static bool job_wait(struct job *j, const atomic_bool *stop)
{
	bool done;

	pthread_mutex_lock(&j->lock);
	while (!j->done && !*stop) {
		struct timespec t = in_a_moment();

		pthread_cond_timedwait(&j->done_now, &j->lock, &t);
	}
	done = j->done;
	j->left = !done;
	pthread_mutex_unlock(&j->lock);
	return done;
}

/* The job's result, which is the end of it. */
static int job_end(struct job *j, struct addrinfo **list)
{
	int error = j->error;

	*list = j->list;
	job_free(j);
	return error;
}

struct addrinfo *resolve_host(const char *host, const char *port,
			      const atomic_bool *stop, const char **why)
{
	struct addrinfo *list = NULL;
	struct job *j;
	int error;

	*why = NULL;
	/* addresses need no name server */
	if (!look_up(host, port, AI_NUMERICHOST, &list))
		return list;
	j = job_new(host, port);
	if (!j || job_start(j)) {
		if (j)
			job_free(j);
		*why = "out of memory";
		return NULL;
	}
	if (!job_wait(j, stop))
		return NULL;
	error = job_end(j, &list);
	if (!error)
		return list;
	*why = gai_strerror(error);
	return NULL;
}
