/* SPDX-License-Identifier: GPL-2.0-only */
/* Who sends; see senders.h. */
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "server/senders.h"

void senders_init(struct senders *s)
{
	*s = (struct senders){ .gone_count = 0 };
	ring_init(&s->gone);
}

static uint64_t key_of(const struct senders *s, const char *name)
{
	return hash_text(&s->by_name, name, strlen(name));
}

struct sender *sender_find(const struct senders *s, const char *name)
{
	return hash_get(&s->by_name, key_of(s, name));
}

static struct sender *sender_new(struct senders *s, const char *name)
{
	struct sender *sender = calloc(1, sizeof(*sender));

	if (!sender)
		return NULL;
	sender->key = key_of(s, name);
	sender->lines = SENDER_LINES;
	memcpy(sender->name, name, strlen(name) + 1);
	if (!hash_put(&s->by_name, sender->key, sender))
		return sender;
	free(sender);
	return NULL;
}

static void come_back(struct senders *s, struct sender *sender)
{
	ring_take(&sender->ring);
	s->gone_count--;
}

struct sender *sender_join(struct senders *s, const char *name)
{
	struct sender *sender = sender_find(s, name);

	if (sender && !sender->clients)
		come_back(s, sender);
	if (!sender)
		sender = sender_new(s, name);
	if (sender)
		sender->clients++;
	return sender;
}

static void forget(struct senders *s, struct sender *sender)
{
	hash_del(&s->by_name, sender->key);
	free(sender);
}

static void forget_first(struct senders *s)
{
	struct sender *first = (struct sender *)s->gone.next;

	come_back(s, first);
	forget(s, first);
}

void sender_leave(struct senders *s, struct sender *sender)
{
	if (--sender->clients)
		return;
	if (!sender->bytes && !sender->files) {
		forget(s, sender);
		return;
	}
	ring_put_last(&s->gone, &sender->ring);
	if (++s->gone_count > SENDERS_GONE_MAX)
		forget_first(s);
}

/* What has not been printed for a while may be printed at once. */
bool sender_may_print(struct sender *sender, size_t len)
{
	int64_t now = time_now_ms(), passed = now - sender->lines_at;

	/* more than that fills it in any case */
	if (passed > 1000 * (SENDER_LINES / SENDER_LINES_EACH))
		passed = 1000 * (SENDER_LINES / SENDER_LINES_EACH);
	sender->lines += passed * SENDER_LINES_EACH / 1000;
	if (sender->lines > SENDER_LINES)
		sender->lines = SENDER_LINES;
	sender->lines_at = now;
	if (sender->lines < 0)
		return false;
	sender->lines -= (int64_t)len;
	return true;
}

void senders_free(struct senders *s)
{
	while (!ring_is_empty(&s->gone))
		forget_first(s);
	hash_free(&s->by_name);
}
