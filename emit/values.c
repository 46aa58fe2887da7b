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

/* of a cgroup's path for people */
enum { BRIEF_MAX = 256 };

/* untrusted text, escaped for people's terminals */
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

static void put_number(const struct values *v, uint64_t value,
		       char text[VALUE_MAX])
{
	(void)v;
	snprintf(text, VALUE_MAX, "%llu", (unsigned long long)value);
}

/* an interval's start in ms, or in ns if it is not a multiple */
static void put_moment(const struct values *v, uint64_t ns,
		       char text[VALUE_MAX])
{
	unsigned long long s = ns / NS_PER_SECOND, part = ns % NS_PER_SECOND;

	if (!v->for_people)
		put_number(v, ns, text);
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
		put_number(v, bytes, text);
}

/* the mark that starts a group; events before the first mark have none */
static void put_mark(const struct values *v, uint64_t value,
		     char text[VALUE_MAX])
{
	const struct marks *m = reader_marks(v->reader);

	if (value && value <= m->count)
		put_outside(v, m->list[value - 1].text, text);
	else
		snprintf(text, VALUE_MAX, v->for_people ? "-" : "");
}

/* For people, containers are shortened to the first digits of their ids. */
static void put_cgroup(const struct values *v, uint64_t value,
		       char text[VALUE_MAX])
{
	int64_t number = group_key_cgroup(value);
	const char *path = number < 0 ? NULL :
		cgroups_path(reader_cgroups(v->reader), (uint64_t)number);
	char brief[BRIEF_MAX];

	if (!path)
		put_number(v, value, text);
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

static void put_device(const struct values *v, uint64_t device,
		       char text[VALUE_MAX])
{
	value_device(v, (uint32_t)device, text);
}

static void put_op(const struct values *v, uint64_t op, char text[VALUE_MAX])
{
	(void)v;
	snprintf(text, VALUE_MAX, "%s", group_op_name((enum group_op)op));
}

static void put_pid(const struct values *v, uint64_t value,
		    char text[VALUE_MAX])
{
	put_number(v, (uint32_t)value, text);
}

static void put_cpu(const struct values *v, uint64_t cpu, char text[VALUE_MAX])
{
	*text = '\0';
	if (cpu != IO_NO_CPU)
		put_number(v, cpu, text);
}

/* --- by key --------------------------------------------------------------- */

enum show {
	SHOW_device, SHOW_op, SHOW_process, SHOW_host, SHOW_mark,
	SHOW_container,
	SHOW_NUMBERS,
	SHOW_pid = SHOW_NUMBERS, SHOW_cgroup, SHOW_size, SHOW_number,
	SHOW_cpu, SHOW_moment,
};

#define TEXT(name, word, heading, column, show, ...) \
	[GROUP_##name] = { put_##show, SHOW_##show },

static const struct {
	void (*put)(const struct values *v, uint64_t value,
		    char text[VALUE_MAX]);
	enum show show;
} texts[GROUP_KEYS] = {
	GROUP_KEY_ROWS(TEXT, TEXT)
};

void value_text(const struct values *v, enum group_key key, uint64_t value,
		char text[VALUE_MAX])
{
	texts[key].put(v, value, text);
}

bool value_is_number(const struct values *v, enum group_key key)
{
	if (key == GROUP_CGROUP && reader_cgroups(v->reader)->count)
		return false;
	return texts[key].show >= SHOW_NUMBERS;
}

const char *value_heading(enum group_key key)
{
	return group_key_row(key)->heading;
}

const char *value_column(enum group_key key)
{
	return group_key_row(key)->column;
}
