/* SPDX-License-Identifier: GPL-2.0-only */
/* The letters of actions. */
#include <stdbool.h>
#include <stddef.h>

#include "blktrace.h"
#include "record/action.h"

static const struct {
	const char *text;
	bool pc;		/* known for packet commands, too */
} actions[BLK_TA_COUNT] = {
	[BLK_TA_QUEUE] = { "Q", true },
	[BLK_TA_BACKMERGE] = { "M", false },
	[BLK_TA_FRONTMERGE] = { "F", false },
	[BLK_TA_GETRQ] = { "G", true },
	[BLK_TA_SLEEPRQ] = { "S", true },
	[BLK_TA_REQUEUE] = { "R", true },
	[BLK_TA_ISSUE] = { "D", true },
	[BLK_TA_COMPLETE] = { "C", true },
	[BLK_TA_PLUG] = { "P", false },
	[BLK_TA_UNPLUG_IO] = { "U", false },
	[BLK_TA_UNPLUG_TIMER] = { "UT", false },
	[BLK_TA_INSERT] = { "I", true },
	[BLK_TA_SPLIT] = { "X", false },
	[BLK_TA_BOUNCE] = { "B", false },
	[BLK_TA_REMAP] = { "A", false },
	[BLK_TA_ZONE_PLUG] = { "ZP", false },
	[BLK_TA_ZONE_UNPLUG] = { "ZU", false },
};

const char *action_text(uint32_t nr)
{
	return nr < BLK_TA_COUNT ? actions[nr].text : NULL;
}

const char *action_text_pc(uint32_t nr)
{
	return nr < BLK_TA_COUNT && actions[nr].pc ? actions[nr].text : NULL;
}
