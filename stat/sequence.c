/* SPDX-License-Identifier: GPL-2.0-only */
/* Sequential I/Os; see sequence.h. */
#include <errno.h>
#include <stdlib.h>

#include "base/hint.h"
#include "stat/sequence.h"

int sequence_init(struct sequence *s)
{
	*s = (struct sequence){ .first = 1 };
	s->slots = calloc(SEQUENCE_WINDOW, sizeof(*s->slots));
	return s->slots ? 0 : -ENOMEM;
}

void sequence_free(struct sequence *s)
{
	free(s->slots);
	s->slots = NULL;
}

static inline struct sequence_slot *slot_of(struct sequence *s, uint64_t id)
{
	return &s->slots[id % SEQUENCE_WINDOW];
}

/* Counts a stored I/O. */
static inline void count(struct sequence_slot *slot)
{
	struct sequence_run *run = slot->run;

	run->sequential += run->next == slot->sector + 1;
	run->next = slot->end + 1;
	slot->run = NULL;
}

/* Counts the first, if it is stored. */
static void count_first(struct sequence *s)
{
	struct sequence_slot *slot = slot_of(s, s->first++);

	if (slot->run)
		count(slot);
}

/* Makes room for an id far ahead. */
static COLD void skip_to(struct sequence *s, uint64_t id)
{
	uint64_t first = id - SEQUENCE_WINDOW + 1;

	for (int i = 0; i < SEQUENCE_WINDOW && s->first < first; i++)
		count_first(s);
	s->first = first;
}

void sequence_add(struct sequence *s, uint64_t id, struct sequence_run *run,
		  uint64_t sector, uint64_t end)
{
	if (UNLIKELY(id < s->first))
		return;
	if (UNLIKELY(id - s->first >= SEQUENCE_WINDOW))
		skip_to(s, id);
	*slot_of(s, id) = (struct sequence_slot){ run ? run : &s->none, sector,
						  end };
	if (id >= s->end)
		s->end = id + 1;
	for (id = s->first; slot_of(s, id)->run; id++)
		count(slot_of(s, id));
	s->first = id;
}

void sequence_flush(struct sequence *s)
{
	while (s->first < s->end)
		count_first(s);
}
