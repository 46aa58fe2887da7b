/* SPDX-License-Identifier: GPL-2.0-only */
/* Keeps what capture reports to its program, of any thread, a line each. */
#ifndef TESTS_UNIT_CAPTURE_REPORTS_H
#define TESTS_UNIT_CAPTURE_REPORTS_H

#include <pthread.h>

#include "capture/reporter.h"
#include "make.h"

struct reports {
	pthread_mutex_t lock;
	char text[4096];
};

static struct reports reports = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void keep_report(void *ctx, const char *text)
{
	struct reports *r = ctx;

	pthread_mutex_lock(&r->lock);
	assert_true(strlen(r->text) + strlen(text) + 2 < sizeof(r->text));
	strcat(strcat(r->text, text), "\n");
	pthread_mutex_unlock(&r->lock);
}

static const struct capture_reporter keeper = { keep_report, &reports };

static inline void forget_reports(void)
{
	reports.text[0] = '\0';
}

/* what has come since the last check is just this */
static inline void check_reports(const char *text)
{
	assert_string_equal(reports.text, text);
	forget_reports();
}

#endif
