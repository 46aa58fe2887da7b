/* SPDX-License-Identifier: GPL-2.0-only */
/* Faults of binary recordings; see faults.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "import/faults.h"
#include "import/import.h"

void import_faults_init(struct import_faults *f, const struct import_to *to)
{
	*f = (struct import_faults){ .to = to };
}

int import_faults_add(struct import_faults *f, uint64_t at, const char *why)
{
	size_t i = 0;

	while (i < IMPORT_FAULT_KINDS - 1 && f->kinds[i].why &&
	       f->kinds[i].why != why)
		i++;
	if (f->kinds[i].why)
		f->kinds[i].more++;
	else
		f->to->fault(f->to->ctx, 0, at, why);
	f->kinds[i].why = why;
	return -EBADMSG;
}

bool import_faults_any(const struct import_faults *f)
{
	return f->kinds->why;
}

void import_faults_end(struct import_faults *f)
{
	for (size_t i = 0; i < IMPORT_FAULT_KINDS; i++) {
		const struct import_fault *k = &f->kinds[i];
		char text[IMPORT_WHY];

		if (!k->more)
			continue;
		snprintf(text, sizeof(text), "%s: %" PRIu64 " more", k->why,
			 k->more);
		f->to->fault(f->to->ctx, 0, 0, text);
	}
}
