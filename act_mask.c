/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of categories and their bits. */
#include <stddef.h>
#include <strings.h>

#include "act_mask.h"
#include "blktrace.h"

static const char *const names[BLK_TC_COUNT] = {
	[BLK_TC_READ] = "READ",
	[BLK_TC_WRITE] = "WRITE",
	[BLK_TC_FLUSH] = "FLUSH",
	[BLK_TC_SYNC] = "SYNC",
	[BLK_TC_QUEUE] = "QUEUE",
	[BLK_TC_REQUEUE] = "REQUEUE",
	[BLK_TC_ISSUE] = "ISSUE",
	[BLK_TC_COMPLETE] = "COMPLETE",
	[BLK_TC_FS] = "FS",
	[BLK_TC_PC] = "PC",
	[BLK_TC_NOTIFY] = "NOTIFY",
	[BLK_TC_AHEAD] = "AHEAD",
	[BLK_TC_META] = "META",
	[BLK_TC_DISCARD] = "DISCARD",
	[BLK_TC_DRV_DATA] = "DRV_DATA",
	[BLK_TC_FUA] = "FUA",
	[BLK_TC_ZONE_APPEND] = "ZONE_APPEND",
	[BLK_TC_ZONE_RESET] = "ZONE_RESET",
	[BLK_TC_ZONE_RESET_ALL] = "ZONE_RESET_ALL",
	[BLK_TC_ZONE_FINISH] = "ZONE_FINISH",
	[BLK_TC_ZONE_OPEN] = "ZONE_OPEN",
	[BLK_TC_ZONE_CLOSE] = "ZONE_CLOSE",
	[BLK_TC_WRITE_ZEROES] = "WRITE_ZEROES",
};

static const char prefix[] = "BLK_TC_";

uint32_t act_mask_bit(const char *name)
{
	if (!strncasecmp(name, prefix, sizeof(prefix) - 1))
		name += sizeof(prefix) - 1;
	for (unsigned int nr = 0; nr < BLK_TC_COUNT; nr++)
		if (!strcasecmp(name, names[nr]))
			return BLK_TC_BIT(nr);
	return 0;
}

const char *act_mask_name(unsigned int nr)
{
	return nr < BLK_TC_COUNT ? names[nr] : NULL;
}
