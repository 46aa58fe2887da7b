/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls as messages; see calls.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/text.h"
#include "capture/from/bpf_cpu.h"
#include "record/payload.h"
#include "tools/iotracer/calls.h"
#include "tools/iotracer/paths.h"

/* --- paths ---------------------------------------------------------------- */

static char *text_of(uint32_t number, const char *path)
{
	char shown[BPF_NAME * ESCAPE_MAX + 1], *text;

	escape_text(shown, sizeof(shown), path, strlen(path));
	return text_print(&text, SYNC_FILE_TEXT "%s", (unsigned long)number,
			  shown) < 0 ? NULL : text;
}

int calls_init(struct calls *c)
{
	unsigned int n = 0;

	for (uint32_t i = 0; i < BPF_FILES_MAX; i++) {
		if (!c->paths[i])
			continue;
		c->texts[n] = text_of(i, c->paths[i]);
		if (!c->texts[n++])
			return -ENOMEM;
	}
	return 0;
}

void calls_free(struct calls *c)
{
	for (unsigned int i = 0; i <= BPF_FILES_MAX; i++)
		free(c->texts[i]);
}

/* --- messages ------------------------------------------------------------- */

static int name_message(const struct calls *c, const struct bpf_name *name,
			struct bpf_message *m)
{
	const char *given = c->paths[BPF_FILE_OF(name->file)];
	char *path = below_path(name, given ? given : "?");

	if (!path)
		return -ENOMEM;
	m->time = 0;
	m->pid = 0;
	m->device = c->devices[BPF_FILE_OF(name->file)];
	snprintf(m->text, sizeof(m->text), SYNC_FILE_TEXT "%s",
		 (unsigned long)name->file, path);
	free(path);
	return 1;
}

static int call_message(const struct calls *c, const struct bpf_line *l,
			struct bpf_message *m)
{
	struct sync_call call = {
		.duration = l->duration, .process = l->tgid, .file = l->file,
	};

	if (l->level != LEVEL_SYNC || !l->flags || l->flags >= SYNC_COUNT)
		return 0;
	call.kind = (enum sync_kind)(l->flags - 1);
	m->time = l->time + l->duration;
	m->pid = l->tid;
	m->device = c->devices[BPF_FILE_OF(l->file)];
	m->comm = l->comm;
	sync_call_text(m->text, &call);
	return 1;
}

int calls_message(void *ctx, const void *entry, size_t len,
		  struct bpf_message *m)
{
	if (len == sizeof(struct bpf_name))
		return name_message(ctx, entry, m);
	return len == sizeof(struct bpf_line) ? call_message(ctx, entry, m) :
						-EBADMSG;
}
