/*
 * Why tracing does not work here, and what to do about it.
 *
 * The kernel says EPERM, EBUSY or EIO; behind each stand several causes.  The
 * doctor looks around and names the one.
 */
#ifndef CAPTURE_DOCTOR_H
#define CAPTURE_DOCTOR_H

#include <stddef.h>

/* where in a run it went wrong */
enum stage {
	STAGE_OPEN,		/* opening the device */
	STAGE_SETUP,		/* BLKTRACESETUP */
	STAGE_RELAY,		/* opening a relay file */
};

struct patient {
	const char *path;	/* of the device, as the user named it */
	const char *debugfs;	/* where it should be */
	unsigned long buf_size, buf_nr;	/* as asked for */
};

/* The cause of error (positive) at stage, and its cure, in one line to text. */
void doctor_explain(char *text, size_t size, const struct patient *p,
		    enum stage stage, int error);

/*
 * --check: one line per finding on standard output, for the machine and for
 * each of the count devices; output files would go to directory (NULL: here).
 * 0: tracing will work; 1: it will not.
 */
int doctor_check(const char *debugfs, const char *const *paths, int count,
		 const char *directory);

/* whether the kernel is locked down for integrity, as far as can be told */
int doctor_locked_down(void);

/* whether debugfs is mounted at path */
int doctor_has_debugfs(const char *path);

/* whether the files in directory would be on the disk at path */
int doctor_on_disk(const char *directory, const char *path);

#endif
