/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of hosts, devices, processes and cgroups; see naming.h. */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/container.h"
#include "base/escape.h"
#include "base/hint.h"
#include "base/num.h"
#include "blktrace.h"
#include "emit/row.h"
#include "request/io.h"
#include "run/cgroups.h"
#include "run/device.h"
#include "run/names.h"
#include "run/reader.h"
#include "tools/btexport/naming.h"
#include "tools/btexport/trace_id.h"

enum {
	HOSTS = 16,		/* cached, each a power of two */
	DISKS = 64,
	PROCESSES = 1024,
	CGROUPS = 64,
	LABEL_MAX = NAME_MAX,	/* longer names are cut */
};

struct host_slot {
	uint32_t next_origin;	/* plus 1; 0: empty */
	struct cell cell, trace;
	char text[LABEL_MAX + 1];
	char trace_text[TRACE_ID + 1];
};

struct disk_slot {
	const struct device *disk;
	uint32_t number;
	struct cell cell;
	char text[NAMING_DISK];
};

struct process_slot {
	const char *name;	/* the reader's; NULL: empty */
	uint64_t key;
	struct cell cell;
	uint8_t class;
	char text[UTF8_MAX * NAME_SIZE];
};

struct cgroup_slot {
	uint64_t id;
	uint32_t next_origin;	/* plus 1; 0: empty */
	struct cell cell, container;
};

struct naming {
	const struct reader *reader;
	char host[LABEL_MAX + 1];
	struct host_slot hosts[HOSTS];
	struct disk_slot disks[DISKS];
	struct process_slot processes[PROCESSES];
	struct cgroup_slot cgroups[CGROUPS];
	char *classes[NAMING_CLASSES];	/* owned; NULL: free, but the first */
	char dev[NAMING_DEV];	/* of naming_io() */
	char trace[TRACE_ID + 1];	/* of naming_set_trace(), or "" */
};

static const struct cell unknown = { .null = true };

int naming_new(struct naming **out, const struct reader *r, const char *host)
{
	struct naming *n = calloc(1, sizeof(*n));

	*out = n;
	if (!n)
		return -ENOMEM;
	n->reader = r;
	strncpy(n->host, host, LABEL_MAX);
	return 0;
}

void naming_free(struct naming *n)
{
	for (int i = 0; n && i < NAMING_CLASSES; i++)
		free(n->classes[i]);
	free(n);
}

/* --- hosts ---------------------------------------------------------------- */

/* Engines read it from a folder's name, each with different escapes. */
static uint32_t make_host(char *to, const char *name)
{
	uint32_t len = 0;

	for (; name[len] && len < LABEL_MAX; len++)
		to[len] = naming_is_plain(name[len]) ? name[len] : '_';
	to[len] = '\0';
	return len;
}

static COLD void find_host(struct naming *n, struct host_slot *slot,
			   uint16_t origin)
{
	const char *name = reader_host(n->reader, origin);

	slot->cell.len = make_host(slot->text, name ? name : n->host);
	slot->cell.text = slot->text;
	if (*n->trace)
		strcpy(slot->trace_text, n->trace);
	else
		trace_id_write(slot->trace_text, n->reader, origin,
			       slot->text);
	slot->trace.len = TRACE_ID;
	slot->trace.text = slot->trace_text;
	slot->next_origin = origin + 1u;
}

const struct cell *naming_host(struct naming *n, uint16_t origin)
{
	struct host_slot *slot = &n->hosts[origin % HOSTS];

	if (UNLIKELY(slot->next_origin != origin + 1u))
		find_host(n, slot, origin);
	return &slot->cell;
}

const struct cell *naming_trace(struct naming *n, uint16_t origin)
{
	naming_host(n, origin);
	return &n->hosts[origin % HOSTS].trace;
}

void naming_set_trace(struct naming *n, const char *id)
{
	snprintf(n->trace, sizeof(n->trace), "%s", id);
}

/* --- devices -------------------------------------------------------------- */

uint32_t naming_dev(char to[NAMING_DEV], uint32_t number)
{
	char *p = num_u32(to, BLK_MAJOR(number));

	*p++ = ':';
	p = num_u32(p, BLK_MINOR(number));
	*p = '\0';
	return (uint32_t)(p - to);
}

static COLD void find_disk(struct disk_slot *slot, const struct device *disk,
			   uint32_t number)
{
	const char *label = disk->label;
	size_t len;

	if (label) {
		len = utf8_clean(slot->text, UTF8_MAX * LABEL_MAX, label,
				 strlen(label));
		slot->text[len] = '\0';
	} else {
		len = naming_dev(slot->text, number);
	}
	slot->cell.text = slot->text;
	slot->cell.len = (uint32_t)len;
	slot->disk = disk;
	slot->number = number;
}

const struct cell *naming_disk(struct naming *n, const struct device *disk,
			       uint32_t number)
{
	struct disk_slot *slot = &n->disks[disk->id % DISKS];

	if (UNLIKELY(slot->disk != disk || slot->number != number))
		find_disk(slot, disk, number);
	return &slot->cell;
}

/* --- processes ------------------------------------------------------------ */

/* length of the class in a process name */
static size_t class_length(const char *name)
{
	size_t all = strlen(name), len = strcspn(name, "/:");

	if (len && len < all)
		return len;
	for (len = all; len && strchr("0123456789", name[len - 1]); len--)
		;
	if (len && len < all && strchr("-_.#", name[len - 1]))
		len--;
	return len ? len : all;
}

/* A free number is taken; without memory for a name it is one of the others. */
static uint8_t class_of(struct naming *n, const char *name)
{
	size_t len = class_length(name);
	uint8_t i;

	for (i = 1; i < NAMING_CLASSES - 1 && n->classes[i]; i++)
		if (strlen(n->classes[i]) == len &&
		    !memcmp(n->classes[i], name, len))
			return i;
	if (i < NAMING_CLASSES - 1)
		n->classes[i] = strndup(name, len);
	return n->classes[i] ? i : NAMING_CLASSES - 1;
}

static COLD void find_process(struct naming *n, struct process_slot *slot,
			      uint16_t origin, uint32_t pid)
{
	const char *name = reader_process(n->reader, origin, pid);
	size_t len;

	slot->key = origin_key(origin, pid);
	slot->name = name;
	slot->cell = unknown;
	slot->class = 0;
	if (!name || !*name)
		return;
	len = utf8_clean(slot->text, sizeof(slot->text) - 1, name,
			 strlen(name));
	slot->text[len] = '\0';
	slot->cell = (struct cell){ .text = slot->text, .len = (uint32_t)len };
	slot->class = class_of(n, slot->text);
}

/* Keeps the first name; until there is one, asks again. */
static struct process_slot *process_slot(struct naming *n, uint16_t origin,
					 uint32_t pid)
{
	struct process_slot *slot = &n->processes[pid % PROCESSES];

	if (UNLIKELY(!slot->name || slot->key != origin_key(origin, pid)))
		find_process(n, slot, origin, pid);
	return slot;
}

const struct cell *naming_process(struct naming *n, uint16_t origin,
				  uint32_t pid)
{
	return &process_slot(n, origin, pid)->cell;
}

struct naming_class naming_class(struct naming *n, uint16_t origin,
				 uint32_t pid)
{
	uint8_t number = process_slot(n, origin, pid)->class;

	return (struct naming_class){
		.name = number == NAMING_CLASSES - 1 ? "other" :
						       n->classes[number],
		.number = number,
	};
}

/* --- cgroups -------------------------------------------------------------- */

/* Texts of cards are valid UTF-8, as JSON is. */
static COLD void find_cgroup(const struct naming *n, struct cgroup_slot *slot,
			     uint16_t origin, uint64_t id)
{
	const struct cgroups *c = reader_cgroups(n->reader);
	int64_t number = cgroups_find(c, origin, id);
	struct container container;

	slot->id = id;
	slot->next_origin = origin + 1u;
	slot->cell = slot->container = unknown;
	if (number < 0)
		return;
	slot->cell.text = cgroups_path(c, (uint64_t)number);
	slot->cell.len = (uint32_t)strlen(slot->cell.text);
	slot->cell.null = false;
	if (container_find(slot->cell.text, &container))
		slot->container = (struct cell){ .text = container.id,
						 .len = CONTAINER_ID };
}

static struct cgroup_slot *cgroup_slot(struct naming *n, uint16_t origin,
				       uint64_t id)
{
	struct cgroup_slot *slot = &n->cgroups[id % CGROUPS];

	if (UNLIKELY(slot->id != id || slot->next_origin != origin + 1u))
		find_cgroup(n, slot, origin, id);
	return slot;
}

const struct cell *naming_cgroup(struct naming *n, uint16_t origin, uint64_t id)
{
	return &cgroup_slot(n, origin, id)->cell;
}

const struct cell *naming_container(struct naming *n, uint16_t origin,
				    uint64_t id)
{
	return &cgroup_slot(n, origin, id)->container;
}

/* --- I/Os ----------------------------------------------------------------- */

void naming_io(struct naming *n, const struct io *io, struct named_io *to)
{
	const struct cell *process = naming_process(n, io->origin, io->pid);

	naming_dev(n->dev, io->device);
	*to = (struct named_io){
		.io = io,
		.host = naming_host(n, io->origin)->text,
		.disk = naming_disk(n, io->disk, io->device)->text,
		.dev = n->dev,
		.process = process->null ? NULL : process->text,
	};
}
