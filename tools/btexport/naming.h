/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of hosts, devices, processes and cgroups in exported tables, as cells
 * in valid UTF-8.
 *
 * Texts are cached in tables of fixed size: rows allocate nothing.  A cell is
 * valid until the next call of its function.  A NUL follows its text, except
 * for containers.
 */
#ifndef TOOLS_BTEXPORT_NAMING_H
#define TOOLS_BTEXPORT_NAMING_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/escape.h"
#include "emit/named_io.h"

struct cell;			/* emit/row.h */
struct device;			/* run/device.h */
struct io;			/* request/io.h */
struct naming;
struct reader;			/* run/reader.h */

/* whether a folder's name may have it, without escapes in any engine */
static inline bool naming_is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

/* "4095:1048575" with its NUL, and base/num's slack */
enum { NAMING_DEV = 32 };

/* the longest text of naming_disk(), with its NUL */
enum { NAMING_DISK = UTF8_MAX * NAME_MAX + NAMING_DEV };

/*
 * host, copied, names a run of one host (host_of_run()); r, which stays the
 * caller's, has the names of several.  0 and *n, or -ENOMEM.
 */
int naming_new(struct naming **n, const struct reader *r, const char *host);

/* the name of a host: only [A-Za-z0-9._-] */
const struct cell *naming_host(struct naming *n, uint16_t origin);

/* the id of a host's trace (trace_id.h), the same in all tables and for every
 * window; after the first event */
const struct cell *naming_trace(struct naming *n, uint16_t origin);

/* the id to use instead, TRACE_ID digits; before the first use */
void naming_set_trace(struct naming *n, const char *id);

/* a device's name, or its number as from naming_dev() */
const struct cell *naming_disk(struct naming *n, const struct device *disk,
			       uint32_t number);

/* the name of a process, or null while it is unknown */
const struct cell *naming_process(struct naming *n, uint16_t origin,
				  uint32_t pid);

/*
 * The class of a process, few of a run: its name up to a slash or colon
 * ("kworker" of "kworker/u8:3"), else without a number at its end ("worker" of
 * "worker-12").
 */
struct naming_class {
	const char *name;	/* NULL: the process is unknown */
	uint8_t number;		/* of the class, 0: unknown */
};

enum { NAMING_CLASSES = 64 };	/* the last is of all others, "other" */

struct naming_class naming_class(struct naming *n, uint16_t origin,
				 uint32_t pid);

/* the path of a cgroup, or null if no card has it */
const struct cell *naming_cgroup(struct naming *n, uint16_t origin,
				 uint64_t id);

/* the id of the container that a cgroup belongs to, or null */
const struct cell *naming_container(struct naming *n, uint16_t origin,
				    uint64_t id);

/* writes a device's number, "8:0", with a NUL; returns its length */
uint32_t naming_dev(char to[NAMING_DEV], uint32_t number);

/* all names of an I/O, until the next call of any of these functions */
void naming_io(struct naming *n, const struct io *io, struct named_io *to);

/* NULL is fine */
void naming_free(struct naming *n);

#endif
