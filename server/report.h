/*
 * What the server says: the original's lines on standard output, and
 * complaints on standard error, which strangers cause and so are rationed.
 */
#ifndef SERVER_REPORT_H
#define SERVER_REPORT_H

#include <stdbool.h>
#include <time.h>

#include "base/buf.h"

/* complaints a second; the others are counted */
enum { REPORT_RATE = 50 };

struct report {
	struct buf out;		/* standard output */
	bool verbose;
	time_t second;		/* the one that is being counted in */
	unsigned int said;
	unsigned int unsaid;
};

/* lines to the descriptor, and notes if verbose; 0 or -ENOMEM */
int report_open(struct report *r, int fd, bool verbose);

/* one line on standard error, or none if there are too many */
void report_warn(struct report *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* the same, for those who want to know everything */
void report_note(struct report *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* tells how many were left out; called every now and then, and at the end */
void report_flush(struct report *r);

/* writes what waits; 0, or -errno of the first write that failed */
int report_close(struct report *r);

#endif
