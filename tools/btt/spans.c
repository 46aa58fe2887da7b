/* SPDX-License-Identifier: GPL-2.0-only */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/hint.h"
#include "tools/btt/memory.h"
#include "tools/btt/spans.h"

/* --- ranges --------------------------------------------------------------- */

enum { FIRST_SIZE = 4 };

void ranges_free(struct ranges *r)
{
	free(r->list);
	*r = (struct ranges){ 0 };
}

COLD void ranges_begin(struct ranges *r, uint64_t time)
{
	r->list = memory_check(array_reserve(r->list, r->count, &r->size,
					     FIRST_SIZE, sizeof(*r->list)));
	r->list[r->count++] = (struct range){ time, time };
}
