/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When devices were busy, as steps to plot: <dev>_live.dat, and sys_live.dat
 * for all of them (-Z).
 */
#ifndef TOOLS_BTT_FILES_PERIODS_H
#define TOOLS_BTT_FILES_PERIODS_H

#include <stdbool.h>

struct busy;			/* tools/btt/busy.h */
struct opener;			/* base/opener.h */

/*
 * The periods of one, drawn at this height; a file without any is deleted.
 * false: not all is in the file, after a warning.
 */
bool periods_write(const struct busy *b, const struct opener *by,
		   const char *label, int height);

#endif
