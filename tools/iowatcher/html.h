/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --html: the page that btreport makes of traces, of those of -t.
 */
#ifndef TOOLS_IOWATCHER_HTML_H
#define TOOLS_IOWATCHER_HTML_H

struct watch_options;		/* tools/iowatcher/options.h */

/*
 * Reads the traces, all together, and writes the page.  0, or the status to
 * exit with: what is wrong has been reported.  Ends the program if a name means
 * nothing.  A signal leaves no page.
 */
int html_write(const struct watch_options *o);

#endif
