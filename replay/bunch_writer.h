/*
 * One replay file that is being written: the I/Os of one CPU of a device.
 *
 * With text, a file of the same name with .rec behind it shows the bunches.
 * The header is written last: until then it is that of release 1.3.0 before
 * its end, without counts.
 */
#ifndef REPLAY_BUNCH_WRITER_H
#define REPLAY_BUNCH_WRITER_H

#include <stdbool.h>
#include <stdint.h>

struct bunch_builder_options;		/* replay/bunch_builder.h */
struct packet;			/* replay/bunch.h */
struct bunch_writer;

struct bunch_writer_sums {
	uint64_t packets, bunches;
	uint64_t genesis;	/* ns, the earliest time there is; 0: none */
	uint64_t early;		/* I/Os earlier than the first */
};

/*
 * Begins path, over whatever was there.  0 and *r, or -errno.
 */
int bunch_writer_open(struct bunch_writer **r, const char *path,
		      const struct bunch_builder_options *o, bool text);

const char *bunch_writer_path(const struct bunch_writer *r);

/* one more I/O; 0 or -errno */
int bunch_writer_add(struct bunch_writer *r, uint64_t time,
		     const struct packet *p);

/*
 * Writes what is left, and the header.  0, or -errno of whatever could not be
 * written since the beginning; *sums is right in either case.
 */
int bunch_writer_flush(struct bunch_writer *r, struct bunch_writer_sums *sums);

/* frees r; what has not been finished is without a header's counts */
void bunch_writer_close(struct bunch_writer *r);

#endif
