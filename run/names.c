/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of processes; see names.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "record/record.h"
#include "run/names.h"

void names_free(struct names *n)
{
	for (size_t i = 0; n->by_pid.slots && i <= n->by_pid.mask; i++)
		free(n->by_pid.slots[i].value);
	hash_free(&n->by_pid);
}

int names_learn(struct names *n, uint16_t origin, uint32_t pid,
		const char *text, size_t len)
{
	char *name;

	if (names_get(n, origin, pid))
		return 0;
	if (n->by_pid.count >= NAMES_MAX) {
		n->left_out++;
		return 0;
	}
	if (len > NAME_SIZE - 1)
		len = NAME_SIZE - 1;
	name = calloc(1, NAME_SIZE);
	if (name)
		memcpy(name, text, strnlen(text, len));
	if (!name || hash_put(&n->by_pid, origin_key(origin, pid), name)) {
		free(name);
		return -ENOMEM;
	}
	return 1;
}

const char *names_get(const struct names *n, uint16_t origin, uint32_t pid)
{
	return hash_get(&n->by_pid, origin_key(origin, pid));
}
