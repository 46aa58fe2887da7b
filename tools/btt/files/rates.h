/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How much was completed in each second, written always:
 * <dev>_iops_fp.dat and <dev>_mbps_fp.dat, and sys_... for all devices.
 */
#ifndef TOOLS_BTT_FILES_RATES_H
#define TOOLS_BTT_FILES_RATES_H

#include <stdbool.h>
#include <stdint.h>

struct datafile;		/* tools/btt/datafile.h */
struct opener;			/* base/opener.h */

struct rates {
	struct datafile *iops, *mbps;
	int64_t second;		/* that is being counted; -1: none yet */
	uint64_t requests, blocks;
};

void rates_open(struct rates *r, const struct opener *by, const char *label);

/* whether both files could be opened */
bool rates_are_open(const struct rates *r);

/* slow path of rates_add(): a second begins */
void rates_begin(struct rates *r, int64_t second);

/* so many blocks were completed in this second */
static inline void rates_add(struct rates *r, int64_t second, uint64_t blocks)
{
	if (second > r->second)
		rates_begin(r, second);
	r->requests++;
	r->blocks += blocks;
}

/* false: not all is in the files, after a warning */
bool rates_close(struct rates *r);

#endif
