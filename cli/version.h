/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which version this is.  The programs, libblktrace and the packages have this
 * one; tests/version.t compares them.
 */
#ifndef CLI_VERSION_H
#define CLI_VERSION_H

#define SUITE_VERSION "2.0.0"

/* the release whose output the classic options reproduce */
#define FAITHFUL_TO "1.3.0"

#endif
