/*
 * Three files of the same lines: for reads, for writes, and for both.
 */
#ifndef TOOLS_BTT_TRIO_H
#define TOOLS_BTT_TRIO_H

#include <stdbool.h>
#include <stddef.h>

struct datafile;		/* tools/btt/datafile.h */

struct trio {
	bool wanted;		/* else there are no files */
	struct datafile *reads, *writes, *both;
};

/* prefix_label + stem + "_r.dat", "_w.dat", "_c.dat"; none if prefix is NULL */
void trio_open(struct trio *t, const char *prefix, const char *label,
	       const char *stem);

/* a line of a read or a write */
void trio_write(struct trio *t, bool read, const char *line, size_t len);

/* false: not all is in the files, which has been said */
bool trio_close(struct trio *t);

#endif
