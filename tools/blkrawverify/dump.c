/* SPDX-License-Identifier: GPL-2.0-only */
/* A piece of a trace as text; see dump.h. */
#include <inttypes.h>

#include "act_mask.h"
#include "file/scan.h"
#include "tools/blkrawverify/dump.h"

/* 1.3.0: number 0, which is no action, is shown as the first */
static const char *const actions[BLK_TA_COUNT] = {
	[0] = "QUEUE",
	[BLK_TA_QUEUE] = "QUEUE",
	[BLK_TA_BACKMERGE] = "BACKMERGE",
	[BLK_TA_FRONTMERGE] = "FRONTMERGE",
	[BLK_TA_GETRQ] = "GETRQ",
	[BLK_TA_SLEEPRQ] = "SLEEPRQ",
	[BLK_TA_REQUEUE] = "REQUEUE",
	[BLK_TA_ISSUE] = "ISSUE",
	[BLK_TA_COMPLETE] = "COMPLETE",
	[BLK_TA_PLUG] = "PLUG",
	[BLK_TA_UNPLUG_IO] = "UNPLUG_IO",
	[BLK_TA_UNPLUG_TIMER] = "UNPLUG_TIMER",
	[BLK_TA_INSERT] = "INSERT",
	[BLK_TA_SPLIT] = "SPLIT",
	[BLK_TA_BOUNCE] = "BOUNCE",
	[BLK_TA_REMAP] = "REMAP",
	[BLK_TA_ABORT] = "ABORT",
	[BLK_TA_DRV_DATA] = "DRV_DATA",
	[BLK_TA_ZONE_PLUG] = "ZONE_PLUG",
	[BLK_TA_ZONE_UNPLUG] = "ZONE_UNPLUG",
};

static void begin(FILE *out, const char *name)
{
	fprintf(out, "        %8s: ", name);
}

static void line(FILE *out, const char *name, uint64_t value)
{
	begin(out, name);
	fprintf(out, "%" PRIu64 "\n", value);
}

/* The action's name, then those of its categories, a blank behind each. */
static void action_line(FILE *out, const struct event *ev)
{
	uint32_t number = event_number(ev);
	uint32_t categories = event_categories(ev);

	begin(out, "action");
	if (number >= BLK_TA_COUNT) {
		fprintf(out, "Invalid action=%08" PRIx32 "\n", ev->action);
		return;
	}
	fprintf(out, "__BLK_TA_%s ", actions[number]);
	for (unsigned int nr = 0; nr < BLK_TC_COUNT; nr++)
		if (categories & BLK_TC_BIT(nr))
			fprintf(out, "| BLK_TC_%s ", act_mask_name(nr));
	fputc('\n', out);
}

static void header_lines(FILE *out, const struct piece *p)
{
	const struct event *ev = &p->ev;

	begin(out, "magic");
	fprintf(out, "%08" PRIx32 "\n", p->magic);
	line(out, "sequence", ev->sequence);
	line(out, "time", ev->time);
	line(out, "sector", ev->sector);
	line(out, "bytes", ev->bytes);
	action_line(out, ev);
	/* 1.3.0: twice */
	line(out, "bytes", ev->bytes);
	line(out, "cpu", ev->cpu);
	line(out, "error", ev->error);
	line(out, "pdu_len", ev->pdu_len);
	begin(out, "device");
	fprintf(out, "(%" PRIu32 ",%" PRIu32 ")\n", BLK_MAJOR(ev->device),
		BLK_MINOR(ev->device));
}

void dump_piece(FILE *out, const char *name, const struct piece *p)
{
	fprintf(out, "    Dump %s\n", name);
	if (p->header)
		header_lines(out, p);
	else
		line(out, "there", p->len);
	fputc('\n', out);
}
