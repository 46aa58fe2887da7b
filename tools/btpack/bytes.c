/* SPDX-License-Identifier: GPL-2.0-only */
/* The bytes of a member; see bytes.h. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cli/inputs.h"
#include "file/source.h"
#include "tools/btpack/bytes.h"
#include "tools/btpack/members.h"
#include "tools/btpack/records.h"

int bytes_open(struct bytes *b, const struct member *m,
	       const struct bytes_wishes *w)
{
	*b = (struct bytes){ .fd = -1, .text = m->text };
	if (m->text)
		return 0;
	if (w->records && !m->aside)
		return records_open(&b->records, m, w->records);
	if (m->gzip && w->gunzip)
		return source_open(&b->source, m->path);
	if (m->from) {
		b->is_packed = packed_reader_begin(&b->packed, m->from, m->in);
		return b->is_packed ? 0 : -ENOMEM;
	}
	b->fd = strcmp(m->path, "-") ? open(m->path, O_RDONLY | O_CLOEXEC) :
				       dup(STDIN_FILENO);
	return b->fd < 0 ? -errno : 0;
}

static ssize_t read_text(struct bytes *b, uint8_t *buf, size_t len)
{
	size_t n = strnlen(b->text, len);

	memcpy(buf, b->text, n);
	b->text += n;
	return (ssize_t)n;
}

/* What is gzip'd may be in a packed file that is damaged. */
static ssize_t read_source(struct bytes *b, uint8_t *buf, size_t len)
{
	ssize_t n;

	while ((n = source_read(b->source, buf, len)) == -EUCLEAN) {
		inputs_print_damage(source_damage(b->source));
		b->damaged = true;
	}
	return n;
}

ssize_t bytes_read(struct bytes *b, uint8_t *buf, size_t len)
{
	ssize_t n;

	if (b->text)
		return read_text(b, buf, len);
	if (b->records)
		return records_read(b->records, buf, len);
	if (b->is_packed)
		return (ssize_t)packed_reader_read(&b->packed, buf, len);
	if (b->source)
		return read_source(b, buf, len);
	do
		n = read(b->fd, buf, len);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

bool bytes_damaged(const struct bytes *b)
{
	return b->damaged || (b->is_packed && b->packed.from->damaged) ||
	       (b->records && records_damaged(b->records));
}

void bytes_close(struct bytes *b)
{
	records_close(b->records);
	if (b->is_packed)
		packed_reader_end(&b->packed);
	source_close(b->source);
	if (b->fd >= 0)
		close(b->fd);
	*b = (struct bytes){ .fd = -1 };
}
