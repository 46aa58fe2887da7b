/*
 * One replay file that is being written: the I/Os of one CPU of a device.
 *
 * With text, a file of the same name with .rec behind it shows the bunches.
 * The header is written last: until then it is that of release 1.3.0 before
 * its end, without counts.
 */
#ifndef REPLAY_RECORDER_H
#define REPLAY_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

struct bundle_options;		/* replay/bundle.h */
struct packet;			/* replay/bunch.h */
struct recorder;

struct recorder_sums {
	uint64_t packets, bunches;
	uint64_t genesis;	/* ns, the earliest time there is; 0: none */
	uint64_t early;		/* I/Os earlier than the first */
};

/*
 * Begins path, over whatever was there.  0 and *r, or -errno.
 */
int recorder_open(struct recorder **r, const char *path,
		  const struct bundle_options *o, bool text);

const char *recorder_path(const struct recorder *r);

/* one more I/O; 0 or -errno */
int recorder_add(struct recorder *r, uint64_t time, const struct packet *p);

/*
 * Writes what is left, and the header.  0, or -errno of whatever could not be
 * written since the beginning; *sums is right in either case.
 */
int recorder_finish(struct recorder *r, struct recorder_sums *sums);

/* frees r; what has not been finished is without a header's counts */
void recorder_free(struct recorder *r);

#endif
