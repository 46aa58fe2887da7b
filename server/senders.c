/* SPDX-License-Identifier: GPL-2.0-only */
/* Who sends; see senders.h. */
#include <stdlib.h>
#include <string.h>

#include "server/senders.h"

static struct sender *sender_new(struct senders *s, const char *name,
				 uint64_t key)
{
	struct sender *sender = calloc(1, sizeof(*sender));

	if (!sender)
		return NULL;
	sender->key = key;
	memcpy(sender->name, name, strlen(name) + 1);
	if (!hash_put(&s->by_name, key, sender))
		return sender;
	free(sender);
	return NULL;
}

struct sender *sender_join(struct senders *s, const char *name)
{
	uint64_t key = hash_text(&s->by_name, name, strlen(name));
	struct sender *sender = hash_get(&s->by_name, key);

	if (!sender)
		sender = sender_new(s, name, key);
	if (sender)
		sender->clients++;
	return sender;
}

void sender_leave(struct senders *s, struct sender *sender)
{
	if (--sender->clients)
		return;
	hash_del(&s->by_name, sender->key);
	free(sender);
}

void senders_free(struct senders *s)
{
	hash_free(&s->by_name);
}
