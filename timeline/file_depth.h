/*
 * How many requests a device has been given and not completed, as it changes:
 * <name>_<dev>_aqd.dat (-Q).
 */
#ifndef TIMELINE_FILE_DEPTH_H
#define TIMELINE_FILE_DEPTH_H

#include <stdint.h>

struct datafile;		/* timeline/datafile.h */

struct depth {
	struct datafile *file;
	uint32_t requests;
};

void depth_issue(struct depth *d, uint64_t time);
void depth_complete(struct depth *d, uint64_t time);

#endif
