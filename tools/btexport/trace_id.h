/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The id of a trace in exported tables: the same whenever and wherever it is
 * exported, and different from any other's.
 */
#ifndef TOOLS_BTEXPORT_TRACE_ID_H
#define TOOLS_BTEXPORT_TRACE_ID_H

#include <stdint.h>

struct reader;			/* run/reader.h */

enum { TRACE_ID = 16 };		/* digits */

/*
 * Writes 16 hexadecimal digits and a NUL, after the reader's first event: 64-bit
 * FNV-1a of these texts, each with its NUL:
 *
 * the host, as exported; the boot id in its card, or ""; in decimal the start,
 * the machine's clock at the first event if there is a boot id, else the time of
 * day, in ns; and in decimal the sum of the same hash of each of the run's
 * devices, "/sda", or of several hosts "db1/sda".  Devices of pipes and dumps
 * are found while reading, and are not among them.
 */
void trace_id_write(char id[TRACE_ID + 1], const struct reader *r,
		    uint16_t origin, const char *host);

#endif
