/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What can be said of any run, if there is room behind what is conspicuous: the
 * slowest I/O, who moves most data, and how often the device was flushed.
 */
#ifndef REPORT_SUMMARY_H
#define REPORT_SUMMARY_H

struct report_page;		/* report/page.h */
struct report_remarks;		/* report/remarks.h */

/* p's remarks are not looked at */
void summary_add(struct report_remarks *to, const struct report_page *p);

#endif
