/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Why tracing does not work here, and what to do about it: one line for the
 * kernel's EPERM, EBUSY or EIO, each of which has several causes.
 */
#ifndef CAPTURE_DOCTOR_H
#define CAPTURE_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DOCTOR_TEXT = 768 };	/* bytes of a line, with its NUL */

/* which step of a run failed */
enum stage {
	STAGE_OPEN,		/* finding and opening the device */
	STAGE_SETUP,		/* BLKTRACESETUP */
	STAGE_RELAY,		/* opening a relay file */
	STAGE_FTRACE,		/* finding tracefs, setting its tracer up */
	STAGE_KILL,		/* BLKTRACETEARDOWN of another's trace */
};

struct patient {
	const char *path;	/* of the device, as the user named it */
	const char *debugfs;	/* expected mount point */
	uint32_t buf_size, buf_nr;	/* requested per CPU */
	unsigned int cpus, devices;	/* with such buffers */
	const char *why;	/* STAGE_FTRACE: why it failed, or "" */
	bool tries_ftrace;	/* the run uses it if relay files are closed */
};

/* writes the cause of error (positive) at stage, and its cure, to text */
void doctor_explain(char text[DOCTOR_TEXT], const struct patient *p,
		    enum stage stage, int error);

/*
 * Whether the requested buffers exceed free memory.  The kernel does not check:
 * it kills processes for their memory, and then still fails.
 */
bool doctor_too_much(const struct patient *p);

/*
 * Tries whether a run could make its files: in directory (NULL: here; a missing
 * one is made by the run), with names that start with base (NULL: without a
 * path).  Leaves nothing.  0; or -errno, and text has the reason.
 */
int doctor_output(char text[DOCTOR_TEXT], const char *directory,
		  const char *base);

/* whether writing these files would be traced on the device at path; if so,
 * text has a line about it */
bool doctor_feedback(char text[DOCTOR_TEXT], const char *directory,
		     const char *base, const char *path);

#endif
