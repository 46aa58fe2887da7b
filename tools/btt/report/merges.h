/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TOOLS_BTT_REPORT_MERGES_H
#define TOOLS_BTT_REPORT_MERGES_H

#endif
