/* SPDX-License-Identifier: GPL-2.0-only */
/* Versions of records, for people; see record_version.h. */
#include <stdio.h>
#include <string.h>

#include "act_mask.h"
#include "blktrace.h"
#include "capture/record_version.h"

/* The categories that only version 8 has, by name, to what is in text. */
static void add_names(char text[RECORD_VERSION_NOTE], uint32_t mask)
{
	const char *before = "";

	for (unsigned int nr = 0; act_mask_name(nr); nr++) {
		size_t len = strlen(text);

		if (!(mask & ~VERSION_7_MASK & BLK_TC_BIT(nr)))
			continue;
		snprintf(text + len, RECORD_VERSION_NOTE - len, "%s%s", before,
			 act_mask_name(nr));
		before = ", ";
	}
}

static void note_8(char text[RECORD_VERSION_NOTE], uint32_t mask)
{
	strcpy(text, "version 8 records, as version 7 has no ");
	if (mask & ~VERSION_7_MASK)
		add_names(text, mask);
	else
		strcat(text, "categories of zones");
	strcat(text, "; --record-version decides");
}

static void note_7(char text[RECORD_VERSION_NOTE], uint32_t mask)
{
	strcpy(text, "version 7 records only");
	if (!(mask & ~VERSION_7_MASK))
		return;
	strcat(text, ", which have no ");
	add_names(text, mask);
}

bool record_version_note(char text[RECORD_VERSION_NOTE], uint32_t mask,
			 unsigned int wished, unsigned int got)
{
	bool wants_8 = wished == BLK_VERSION_8 ||
		       (!wished && (mask & ~VERSION_7_MASK)) ||
		       version_7_has_none(mask);

	*text = '\0';
	if (got == BLK_VERSION_8 && !wished)
		note_8(text, mask);
	else if (got == BLK_VERSION_7 && wants_8)
		note_7(text, mask);
	return *text;
}
