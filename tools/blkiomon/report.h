/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sums of an interval as text for people, and as a record for programs.
 */
#ifndef TOOLS_BLKIOMON_REPORT_H
#define TOOLS_BLKIOMON_REPORT_H

#include <stdint.h>
#include <stdio.h>
#include <time.h>

struct device_sums;			/* tools/blkiomon/interval.h */

/* the text to out, whose error state shows a failure; at: the interval's end */
void report_text(FILE *out, const struct device_sums *a, time_t at);

/*
 * The record, big-endian whatever the machine; layout: blkiomon(8), section
 * BINARY OUTPUT.  Squares beyond 64 bits are shown as the greatest number.
 */
enum { REPORT_SIZE = 424 };
void report_binary(uint8_t raw[REPORT_SIZE], const struct device_sums *a,
		   time_t at);

#endif
