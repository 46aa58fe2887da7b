/* SPDX-License-Identifier: GPL-2.0-only */
/* The suite's version, which packages read from this file. */
#ifndef CLI_VERSION_H
#define CLI_VERSION_H

#define SUITE_VERSION "1.1.0"

/* the release whose output the classic options reproduce */
#define FAITHFUL_TO "1.3.0"

#endif
