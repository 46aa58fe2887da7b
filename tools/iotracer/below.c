/* SPDX-License-Identifier: GPL-2.0-only */
/* Paths of files below watched directories; see below.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "bpf/layout.h"
#include "tools/iotracer/below.h"

#define MISSING ".../"

int below_init(struct below *n)
{
	*n = (struct below){ 0 };
	n->texts = calloc(BPF_NAMES_MAX + 1, sizeof(*n->texts));
	return n->texts ? 0 : -ENOMEM;
}

void below_free(struct below *n)
{
	for (size_t i = 0; n->texts && i <= BPF_NAMES_MAX; i++)
		free(n->texts[i]);
	free(n->texts);
	n->texts = NULL;
}

static bool is_whole(const struct bpf_name *name)
{
	uint32_t number = BPF_NAME_OF(name->file);

	return number && number <= BPF_NAMES_MAX && name->bytes <= BPF_NAME &&
		(!name->bytes || !name->text[name->bytes - 1]);
}

/* The parts the other way round, with slashes between them; its length. */
static size_t put_parts(char *to, const struct bpf_name *name)
{
	const char *end = name->text + name->bytes, *part;
	char *p = to;

	while (end > name->text) {
		part = end - 1;
		while (part > name->text && part[-1])
			part--;
		memcpy(p, part, (size_t)(end - part));
		p += end - part;
		p[-1] = '/';
		end = part;
	}
	return p > to ? (size_t)(p - to) - 1 : 0;
}

static char *make_text(const struct bpf_name *name, const char *directory)
{
	char parts[BPF_NAME], shown[BPF_NAME * ESCAPE_MAX + 1], *text;
	size_t len = strlen(directory);
	const char *slash = len && directory[len - 1] == '/' ? "" : "/";

	if (!name->bytes)
		return strdup(directory);
	escape_text(shown, sizeof(shown), parts, put_parts(parts, name));
	if (asprintf(&text, "%s%s%s%s", directory, slash,
		     name->cut ? MISSING : "", shown) < 0)
		return NULL;
	return text;
}

int below_add(struct below *n, const struct bpf_name *name,
	      const char *directory)
{
	char **place, *text;

	if (!is_whole(name))
		return 0;
	place = &n->texts[BPF_NAME_OF(name->file)];
	if (*place)
		n->bytes -= strlen(*place) + 1;
	free(*place);
	*place = NULL;
	text = make_text(name, directory);
	if (!text)
		return -ENOMEM;
	if (n->bytes + strlen(text) + 1 > BELOW_BYTES) {
		n->untold++;
		free(text);
		return 0;
	}
	n->bytes += strlen(text) + 1;
	*place = text;
	return 0;
}

const char *below_get(const struct below *n, uint32_t number)
{
	uint32_t i = BPF_NAME_OF(number);

	return n->texts && i <= BPF_NAMES_MAX ? n->texts[i] : NULL;
}
