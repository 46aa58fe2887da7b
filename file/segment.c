/* SPDX-License-Identifier: GPL-2.0-only */
/* One directory of a trace that was written in several; see segment.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blktrace.h"
#include "file/segment.h"
#include "record/record.h"

/* No kernel leaves these in a note: "again" and "segm" as it would be read. */
enum { MARK_SEQUENCE = 0x61676169, MARK_PID = 0x7365676d };

enum { NUMBER_MAX = 9 };	/* digits */

void segment_name(char name[SEGMENT_NAME], unsigned int number, time_t begin)
{
	struct tm tm = { .tm_mday = 1 };
	int len = snprintf(name, SEGMENT_NAME, "%04u", number);

	localtime_r(&begin, &tm);
	strftime(name + len, SEGMENT_NAME - (size_t)len, "-%Y-%m-%d-%H:%M:%S",
		 &tm);
}

/* whether text has a digit wherever shape has a 0, and else is the same */
static bool has_shape(const char *text, const char *shape)
{
	for (; *shape; text++, shape++)
		if (*shape == '0' ? *text < '0' || *text > '9' :
				    *text != *shape)
			return false;
	return true;
}

unsigned int segment_number(const char *name)
{
	static const char time[] = "-0000-00-00-00:00:00";
	size_t digits = strspn(name, "0123456789");
	const char *end = name + digits + sizeof(time) - 1;

	if (digits < 4 || digits > NUMBER_MAX ||
	    !has_shape(name + digits, time) ||
	    (*end && strcmp(end, SEGMENT_PARTIAL)))
		return 0;
	return (unsigned int)strtoul(name, NULL, 10);
}

void segment_head_mark(struct event *stamp, const struct segment_head *h)
{
	stamp->sequence = MARK_SEQUENCE;
	stamp->pid = MARK_PID;
	stamp->sector = h->border;
	stamp->bytes = h->len;
}

bool segment_head_of(const struct event *first, struct segment_head *h)
{
	*h = (struct segment_head){ first->sector, first->bytes };
	return event_is_note(first) &&
	       event_number(first) == BLK_TN_TIMESTAMP &&
	       first->sequence == MARK_SEQUENCE && first->pid == MARK_PID;
}
