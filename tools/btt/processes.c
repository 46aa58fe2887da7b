/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes by name; see processes.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/escape.h"
#include "base/hint.h"
#include "base/msg.h"
#include "record/payload.h"
#include "record/record.h"
#include "run/device.h"
#include "tools/btt/memory.h"
#include "tools/btt/processes.h"

enum {
	NAME_MAX_LEN = 255,	/* the kernel's have 15 characters */
	FIRST_SIZE = 64,
};

void processes_free(struct processes *p)
{
	for (size_t i = 0; i < p->count; i++) {
		spans_free(&p->list[i]->spans);
		free(p->list[i]);
	}
	free(p->list);
	hash_free(&p->by_pid);
	hash_free(&p->by_name);
	*p = (struct processes){ 0 };
}

/* --- by name ------------------------------------------------------------- */

/* Names with equal hashes have consecutive keys. */
static struct process *find_named(const struct processes *p, const char *name,
				  size_t len)
{
	uint64_t key = hash_text(&p->by_name, name, len);
	struct process *found;

	while ((found = hash_get(&p->by_name, key))) {
		if (!strncmp(found->name, name, len) && !found->name[len])
			return found;
		key++;
	}
	return NULL;
}

static void put_named(struct processes *p, struct process *new)
{
	uint64_t key = hash_text(&p->by_name, new->name, strlen(new->name));

	while (hash_get(&p->by_name, key))
		key++;
	if (hash_put(&p->by_name, key, new))
		msg_die("out of memory");
}

/* --- the table ----------------------------------------------------------- */

static struct process *new_process(struct processes *p, const char *name,
				   size_t len, size_t host_len)
{
	struct process *it = calloc(1, sizeof(*it) + len + 1);

	if (!it)
		msg_die("out of memory");
	spans_init(&it->spans);
	it->index = (uint32_t)p->count;
	memcpy(it->name, name, len);
	it->host_len = host_len;
	p->list = memory_check(array_reserve(p->list, p->count, &p->size,
					     FIRST_SIZE, sizeof(*p->list)));
	p->list[p->count++] = it;
	put_named(p, it);
	return it;
}

/* Assigns the pid to the process of this name, made if needed.  Each host has
 * its own. */
static struct process *join(struct processes *p, uint64_t key,
			    const char *name, size_t len)
{
	uint16_t origin = (uint16_t)(key >> 32);
	const char *host = p->run ? devices_host(p->run, origin) : NULL;
	size_t host_len = host ? strlen(host) + 1 : 0;
	struct process *it;
	char *full;

	if (asprintf(&full, "%s%s%.*s", host ? host : "", host ? "/" : "",
		     (int)len, name) < 0)
		msg_die("out of memory");
	len = strlen(full);
	it = find_named(p, full, len);
	if (!it)
		it = new_process(p, full, len, host_len);
	free(full);
	if (hash_put(&p->by_pid, key, it))
		msg_die("out of memory");
	return it;
}

void process_label(const struct process *p, bool terminal, size_t cut,
		   char label[PROCESS_LABEL])
{
	size_t len = strnlen(p->name, p->host_len ? PROCESS_LABEL - 1 : cut);

	if (terminal)
		escape_text(label, PROCESS_LABEL, p->name, len);
	else
		snprintf(label, PROCESS_LABEL, "%.*s", (int)len, p->name);
}

bool process_is(const struct process *p, const char *name, size_t len)
{
	const char *own = p->name + p->host_len;

	return !strncmp(own, name, len) && !own[len];
}

void processes_set_name(struct processes *p, const struct event *note)
{
	uint64_t key = origin_key(note->origin, note->pid);
	size_t len;
	const char *name = (const char *)payload_body(note, &len);
	const char *slash;

	if (!note->pdu_len || hash_get(&p->by_pid, key))
		return;
	len = strnlen(name, len);
	slash = memchr(name, '/', len);
	if (slash)
		len = (size_t)(slash - name);
	if (note->pid == 0)
		join(p, key, "kernel", strlen("kernel"));
	else
		join(p, key, name, len < NAME_MAX_LEN ? len : NAME_MAX_LEN);
}

APART struct process *processes_find(struct processes *p, uint64_t key)
{
	struct process *it = hash_get(&p->by_pid, key);
	char name[16];
	int len;

	if (!it) {
		len = snprintf(name, sizeof(name), "pid%09u", (uint32_t)key);
		it = join(p, key, name, (size_t)len);
	}
	p->recent[key % PROCESSES_RECENT].key = key;
	p->recent[key % PROCESSES_RECENT].process = it;
	return it;
}

/* --- order --------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
	const struct process *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

void processes_sort(struct processes *p)
{
	if (p->count)
		qsort(p->list, p->count, sizeof(*p->list), by_name);
}
