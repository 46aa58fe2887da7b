/* SPDX-License-Identifier: GPL-2.0-only */
/* What all sections begin with; see sections.h. */
#include "base/buf.h"
#include "tools/btt/report/sections.h"

void section_title(const struct report *r, const char *title)
{
	static const char bar[] = "====================";

	buf_printf(r->out, "%s %s %s\n\n", bar, title, bar);
}
