/* SPDX-License-Identifier: GPL-2.0-only */
/* The values of keys as text; see values.h. */
#include <stdio.h>
#include <string.h>

#include "base/container.h"
#include "base/escape.h"
#include "base/time.h"
#include "base/unit.h"
#include "emit/values.h"
#include "request/io.h"
#include "run/cgroups.h"
#include "run/device.h"
#include "run/marks.h"
#include "run/reader.h"
#include "stat/group_op.h"
#include "stat/group_row.h"

/* of a cgroup's path for people, whatever stands in a card */
enum { BRIEF_MAX = 256 };

struct key_text {
	const char *heading, *column;
	bool number;
};

/* columns are called as in what btexport writes, where that has them */
static const struct key_text keys[GROUP_KEYS] = {
	[GROUP_DEVICE] = { "device", "disk", false },
	[GROUP_OP] = { "op", "op", false },
	[GROUP_PROCESS] = { "process", "process", false },
	[GROUP_PID] = { "pid", "pid", true },
	[GROUP_CGROUP] = { "cgroup", "cgroup", true },
	[GROUP_HOST] = { "host", "host", false },
	[GROUP_SIZE] = { "size to", "size_to_bytes", true },
	[GROUP_SECTOR] = { "sector", "sector", true },
	[GROUP_CPU] = { "cpu", "queue_cpu", true },
	[GROUP_COMPLETE_CPU] = { "cpu C", "complete_cpu", true },
	[GROUP_DEPTH] = { "in flight", "depth", true },
	[GROUP_INTERVAL] = { "from", "time_ns", true },
	[GROUP_MARK] = { "mark", "mark", false },
	[GROUP_CONTAINER] = { "container", "container", false },
};

const char *value_heading(enum group_key key)
{
	return keys[key].heading;
}

const char *value_column(enum group_key key)
{
	return keys[key].column;
}

bool value_is_number(const struct values *v, enum group_key key)
{
	if (key == GROUP_CGROUP && reader_cgroups(v->reader)->count)
		return false;
	return keys[key].number;
}

/* text from outside: a terminal would act upon some of it */
static void put_outside(const struct values *v, const char *from,
			char text[VALUE_MAX])
{
	if (v->for_people)
		escape_text(text, VALUE_MAX, from, strlen(from));
	else
		snprintf(text, VALUE_MAX, "%s", from);
}

void value_device(const struct values *v, uint32_t device,
		  char text[VALUE_MAX])
{
	const struct devices *d = reader_devices(v->reader);
	char name[VALUE_MAX];

	*text = '\0';
	if (device >= d->count)
		return;
	device_text(d->list[device], name, sizeof(name));
	put_outside(v, name, text);
}

static void put_process(const struct values *v, uint64_t value,
			char text[VALUE_MAX])
{
	uint16_t origin;
	uint32_t pid;
	const char *name = group_process(v->group, value, &origin, &pid);

	if (name)
		put_outside(v, name, text);
	else if (v->for_people)
		snprintf(text, VALUE_MAX, "pid %u", pid);
	else
		*text = '\0';
}

static void put_host(const struct values *v, uint64_t value,
		     char text[VALUE_MAX])
{
	const char *host = reader_host(v->reader, (uint16_t)value);

	put_outside(v, host ? host : "unknown", text);
}

static void put_number(uint64_t value, char text[VALUE_MAX])
{
	snprintf(text, VALUE_MAX, "%llu", (unsigned long long)value);
}

/* when an interval begins, to the ms, or further where that is not all */
static void put_moment(const struct values *v, uint64_t ns,
		       char text[VALUE_MAX])
{
	unsigned long long s = ns / NS_PER_SECOND, part = ns % NS_PER_SECOND;

	if (!v->for_people)
		put_number(ns, text);
	else if (part % NS_PER_MS)
		snprintf(text, VALUE_MAX, "%llu.%09llus", s, part);
	else
		snprintf(text, VALUE_MAX, "%llu.%03llus", s,
			 part / NS_PER_MS);
}

static void put_size(const struct values *v, uint64_t bytes,
		     char text[VALUE_MAX])
{
	if (v->for_people)
		unit_size(text, bytes);
	else
		put_number(bytes, text);
}

/* that a stretch begins with; what is before the first has none */
static void put_mark(const struct values *v, uint64_t value,
		     char text[VALUE_MAX])
{
	const struct marks *m = reader_marks(v->reader);

	if (value && value <= m->count)
		put_outside(v, m->list[value - 1].text, text);
	else
		snprintf(text, VALUE_MAX, v->for_people ? "-" : "");
}

/* People know a container by the first digits of its id. */
static void put_cgroup(const struct values *v, uint64_t value,
		       char text[VALUE_MAX])
{
	int64_t number = group_key_cgroup(value);
	const char *path = number < 0 ? NULL :
		cgroups_path(reader_cgroups(v->reader), (uint64_t)number);
	char brief[BRIEF_MAX];

	if (!path)
		put_number(value, text);
	else if (v->for_people)
		put_outside(v, container_short(brief, sizeof(brief), path),
			    text);
	else
		put_outside(v, path, text);
}

static void put_container(const struct values *v, uint64_t value,
			  char text[VALUE_MAX])
{
	int64_t number = group_key_cgroup(value);
	const char *path = number < 0 ? NULL :
		cgroups_path(reader_cgroups(v->reader), (uint64_t)number);
	struct container c;

	if (!path || !container_find(path, &c))
		snprintf(text, VALUE_MAX, v->for_people ? "-" : "");
	else if (v->for_people)
		put_cgroup(v, value, text);
	else
		snprintf(text, VALUE_MAX, "%.*s", CONTAINER_ID, c.id);
}

void value_text(const struct values *v, enum group_key key, uint64_t value,
		char text[VALUE_MAX])
{
	switch (key) {
	case GROUP_DEVICE:
		value_device(v, (uint32_t)value, text);
		break;
	case GROUP_OP:
		snprintf(text, VALUE_MAX, "%s", group_op_name((enum group_op)value));
		break;
	case GROUP_PROCESS:
		put_process(v, value, text);
		break;
	case GROUP_HOST:
		put_host(v, value, text);
		break;
	case GROUP_SIZE:
		put_size(v, value, text);
		break;
	case GROUP_INTERVAL:
		put_moment(v, value, text);
		break;
	case GROUP_MARK:
		put_mark(v, value, text);
		break;
	case GROUP_CGROUP:
		put_cgroup(v, value, text);
		break;
	case GROUP_CONTAINER:
		put_container(v, value, text);
		break;
	case GROUP_PID:
		put_number((uint32_t)value, text);
		break;
	case GROUP_COMPLETE_CPU:
		*text = '\0';
		if (value != IO_NO_CPU)
			put_number(value, text);
		break;
	default:
		put_number(value, text);
	}
}
