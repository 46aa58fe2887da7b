/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Why tracing does not work here, and what to do about it.
 *
 * The kernel answers EPERM, EBUSY or EIO, each of which has several causes.
 * The doctor looks around and names the one, with its cure, in one line.
 */
#ifndef CAPTURE_DOCTOR_H
#define CAPTURE_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DOCTOR_TEXT = 768 };	/* bytes of a line, its end included */

/* where in a run it went wrong */
enum stage {
	STAGE_OPEN,		/* finding and opening the device */
	STAGE_SETUP,		/* BLKTRACESETUP */
	STAGE_RELAY,		/* opening a relay file */
	STAGE_FTRACE,		/* finding tracefs, setting its tracer up */
	STAGE_KILL,		/* BLKTRACETEARDOWN of another's trace */
};

struct patient {
	const char *path;	/* of the device, as the user named it */
	const char *debugfs;	/* where it should be */
	uint32_t buf_size, buf_nr;	/* as asked for, for each CPU */
	unsigned int cpus, devices;	/* that want such buffers */
	const char *why;	/* STAGE_FTRACE: why it failed, or "" */
	bool tries_ftrace;	/* by itself, where relay files are closed */
};

/* The cause of error (positive) at stage, and its cure, to text. */
void doctor_explain(char text[DOCTOR_TEXT], const struct patient *p,
		    enum stage stage, int error);

/*
 * Whether the buffers asked for are more than the memory that is free.  The
 * kernel does not look: it ends processes to get their memory, and then fails
 * all the same.
 */
bool doctor_too_much(const struct patient *p);

/*
 * Whether files can be made where a run would: in directory (NULL: here),
 * with names that begin like base (NULL: like no path).  A directory that is
 * missing is made by the run, so that counts for the one it would be in.
 * Tries it, and leaves nothing.  0; or -errno, and text has the reason.
 */
int doctor_output(char text[DOCTOR_TEXT], const char *directory,
		  const char *base);

/*
 * Whether writing these files would itself be traced on the device at path;
 * then text has a line about it.
 */
bool doctor_feedback(char text[DOCTOR_TEXT], const char *directory,
		     const char *base, const char *path);

#endif
