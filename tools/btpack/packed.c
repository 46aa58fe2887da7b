/* SPDX-License-Identifier: GPL-2.0-only */
/* A packed file; see packed.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/msg.h"
#include "cli/inputs.h"
#include "file/hooks.h"
#include "pack/format.h"
#include "pack/frame.h"
#include "pack/unpacker.h"
#include "tools/btpack/packed.h"

const char *packed_shown(char to[PACKED_SHOWN], const char *name)
{
	escape_text(to, PACKED_SHOWN, name, strlen(name));
	return to;
}

/* --- the file ------------------------------------------------------------- */

/* As many bytes as there are up to len, or -errno. */
static ssize_t read_at(int fd, uint64_t offset, void *buf, size_t len)
{
	uint8_t *to = buf;
	size_t have = 0;

	while (have < len) {
		ssize_t n = pread(fd, to + have, len - have,
				  (off_t)(offset + have));

		if (n < 0 && errno != EINTR)
			return -errno;
		if (n == 0)
			break;
		have += n > 0 ? (size_t)n : 0;
	}
	return (ssize_t)have;
}

static const char *why(int err)
{
	if (err == -ENODATA)
		return "not a packed trace";
	if (err == -EOPNOTSUPP)
		return "built without libzstd, which packs traces";
	return err == -EACCES ? inputs_why(err) : strerror(-err);
}

static int read_list(struct packed *p)
{
	struct stat st;
	int err;

	p->fd = open(p->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (p->fd < 0 || fstat(p->fd, &st))
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (!S_ISREG(st.st_mode))
		return -ESPIPE;
	p->size = (uint64_t)st.st_size;
	err = pack_list_read(&p->list, p->fd, NULL);
	return !err && !frame_built() ? -EOPNOTSUPP : err;
}

bool packed_open(struct packed *p, const char *path)
{
	int err;

	*p = (struct packed){ .path = strdup(path), .fd = -1 };
	err = p->path ? read_list(p) : -ENOMEM;
	if (!err)
		return true;
	msg_warn("%s: %s", path, err == -ESPIPE ?
		 "no regular file; save it to one first" : why(err));
	packed_close(p);
	return false;
}

void packed_fault(struct packed *p, uint64_t offset, uint64_t lost,
		  const char *what)
{
	inputs_print_damage(&(struct damage){
		.file = p->path, .at = offset, .lost = lost, .what = what });
	p->damaged = true;
}

void packed_report_list(struct packed *p)
{
	for (size_t i = 0; i < p->list.damage_count; i++) {
		const struct pack_damage *d = &p->list.damages[i];

		packed_fault(p, d->at, d->lost, d->what);
	}
}

void packed_close(struct packed *p)
{
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
	free(p->path);
	p->path = NULL;
	pack_list_free(&p->list);
}

/* --- a block -------------------------------------------------------------- */

bool packed_block_init(struct packed_block *b)
{
	b->unpacker = unpacker_new();
	b->body = malloc(2 * (size_t)PACK_FRAME);
	if (b->unpacker && b->body)
		return true;
	packed_block_free(b);
	msg_warn("out of memory");
	return false;
}

void packed_block_free(struct packed_block *b)
{
	unpacker_free(b->unpacker);
	free(b->body);
	*b = (struct packed_block){ .body = NULL };
}

bool packed_block_begin(struct packed_block *b, const struct packed *p,
			uint64_t offset, const struct pack_header *h, int head,
			const char **what)
{
	size_t len = pack_block_size(h) - (size_t)head;
	ssize_t n = read_at(p->fd, offset + (uint64_t)head, b->body, len);

	*what = n < 0 ? strerror((int)-n) : "a packed block is cut short";
	if (n < 0 || (size_t)n < len)
		return false;
	*what = "a packed block is damaged";
	return !unpacker_begin(b->unpacker, h, b->body);
}

/* --- a member ------------------------------------------------------------- */

uint64_t packed_first_time(const struct packed *p, const struct pack_member *m)
{
	struct pack_header h;
	const char *what;

	for (size_t i = 0; i < m->count; i++)
		if (pack_read_header(p->fd, m->places[i].offset, &h,
				     &what) > 0 && h.events)
			return h.least;
	return 0;
}

bool packed_reader_begin(struct packed_reader *r, struct packed *from,
			 const struct pack_member *m)
{
	*r = (struct packed_reader){ .from = from, .member = m };
	return packed_block_init(&r->block);
}

void packed_reader_end(struct packed_reader *r)
{
	packed_block_free(&r->block);
}

/* Reports what the blocks before this one lack; false: it has bytes that
 * were there before. */
static bool follows(struct packed_reader *r, const struct pack_header *h,
		    uint64_t offset)
{
	char shown[PACKED_SHOWN], what[PACKED_SHOWN + 64];
	unsigned long long lack = h->at - r->at;

	if (h->at == r->at)
		return true;
	packed_shown(shown, r->member->name);
	if (h->at < r->at)
		snprintf(what, sizeof(what), "repeats bytes of %s", shown);
	else
		snprintf(what, sizeof(what), "%llu byte%s of %s missing before"
			 " this block", lack, lack == 1 ? "" : "s", shown);
	packed_fault(r->from, offset, 0, what);
	return h->at > r->at;
}

static bool is_mine(const struct packed_reader *r, const struct pack_header *h)
{
	return h->kind < PACK_INDEX && !strcmp(h->name, r->member->name);
}

/* Starts the next block; a fault is reported. */
static void begin_block(struct packed_reader *r)
{
	uint64_t offset = r->member->places[r->next++].offset;
	const char *what = "the file ends before this block";
	struct pack_header h;
	int head = pack_read_header(r->from->fd, offset, &h, &what);
	bool mine = head > 0 && is_mine(r, &h);

	if (head < 0 && head != -EBADMSG)
		what = strerror(-head);
	if (head > 0 && !mine)
		what = "the index is wrong: a block of another file";
	if (!mine || !packed_block_begin(&r->block, r->from, offset, &h, head,
					 &what)) {
		packed_fault(r->from, offset, 0, what);
		return;
	}
	if (!follows(r, &h, offset))
		return;
	r->inside = true;
	r->offset = offset;
	r->at = h.at;
	r->block_end = h.at + h.len;
}

/* The bytes of a block that contradicts itself may be too few or too many. */
static void end_block(struct packed_reader *r)
{
	if (r->at != r->block_end)
		packed_fault(r->from, r->offset, 0,
			     "a packed block contradicts itself");
	r->at = r->block_end;
	r->inside = false;
}

size_t packed_reader_read(struct packed_reader *r, uint8_t *buf, size_t len)
{
	while (r->inside || r->next < r->member->count) {
		ssize_t n;

		if (!r->inside) {
			begin_block(r);
			continue;
		}
		n = unpacker_read(r->block.unpacker, buf, len);
		r->at += n > 0 ? (size_t)n : 0;
		if (n > 0)
			return (size_t)n;
		end_block(r);
	}
	return 0;
}
