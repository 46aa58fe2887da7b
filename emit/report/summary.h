/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What can be said of any run, if there is room behind what is conspicuous: the
 * slowest I/O, who moves most data, and how often the device was flushed.
 */
#ifndef EMIT_REPORT_SUMMARY_H
#define EMIT_REPORT_SUMMARY_H

struct report_page;		/* emit/report/page.h */
struct report_remarks;		/* emit/report/remarks.h */

/* p's remarks are not looked at */
void summary_add(struct report_remarks *to, const struct report_page *p);

#endif
