/* SPDX-License-Identifier: GPL-2.0-only */
/* Positions in a trace file, and their cache; see positions.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/opener.h"
#include "base/text.h"
#include "base/time.h"
#include "file/positions.h"

void positions_free(struct positions *p)
{
	free(p->list);
	free(p->notes);
	*p = (struct positions){ 0 };
}

int positions_add(struct positions *p, const struct position *at)
{
	struct position *list = array_reserve(p->list, p->count, &p->size, 64,
					      sizeof(*list));

	if (!list)
		return -ENOMEM;
	p->list = list;
	list[p->count++] = *at;
	return 0;
}

int positions_add_note(struct positions *p, const struct passed_note *note)
{
	struct passed_note *notes;

	if (p->note_count >= POSITIONS_NOTES_MAX)
		return -E2BIG;
	notes = array_reserve(p->notes, p->note_count, &p->note_size, 64,
			      sizeof(*notes));
	if (!notes)
		return -ENOMEM;
	p->notes = notes;
	notes[p->note_count++] = *note;
	return 0;
}

/* How many positions have only events before time before them. */
static size_t before(const struct positions *p, uint64_t time)
{
	size_t low = 0, high = p->count;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (p->list[mid].most < time)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

void positions_cut(struct positions *p, uint64_t time)
{
	size_t fit = before(p, time);
	uint64_t end;

	p->count = fit ? fit - 1 : 0;
	end = p->count ? p->list[p->count - 1].offset : 0;
	while (p->note_count && p->notes[p->note_count - 1].offset >= end)
		p->note_count--;
}

/* --- the cache ------------------------------------------------------------ */

/*
 * The cache is 64-bit numbers in the machine's byte order: MAGIC; the key,
 * four; the numbers of positions and notes; the members of each position and of
 * each note; a sum of all these.
 */

/* changes with the byte order, the step and how batches are made */
#define MAGIC 0x706f736974303031ull

enum { HEAD = 7, EACH = 3 };	/* numbers */

_Static_assert(sizeof(struct position) == EACH * sizeof(uint64_t) &&
	       sizeof(struct passed_note) == EACH * sizeof(uint64_t),
	       "both are written as they are");

static uint64_t sum_of(const uint64_t *words, size_t count)
{
	uint64_t sum = MAGIC;

	for (size_t i = 0; i < count; i++) {
		sum = (sum ^ words[i]) * 0x9e3779b97f4a7c15ull;
		sum ^= sum >> 29;
	}
	return sum;
}

/* size is 0 if there is no regular file. */
static struct positions_key key_of(const char *path, uid_t *owner)
{
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return (struct positions_key){ 0 };
	*owner = st.st_uid;
	return (struct positions_key){
		.size = (uint64_t)st.st_size,
		.changed = time_of_timespec(&st.st_mtim),
		.altered = time_of_timespec(&st.st_ctim),
		.inode = (uint64_t)st.st_ino,
	};
}

static bool same_key(const struct positions_key *a,
		     const struct positions_key *b)
{
	return a->size == b->size && a->changed == b->changed &&
	       a->altered == b->altered && a->inode == b->inode;
}

/* Unchanged for so long that the next change will show in its times. */
static bool is_quiet(const struct positions_key *k)
{
	uint64_t quiet = (uint64_t)POSITIONS_QUIET * NS_PER_SECOND, now;
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	now = time_of_timespec(&t);
	return now > k->changed + quiet && now > k->altered + quiet;
}

char *positions_path(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *file = slash ? slash + 1 : path;
	char *beside;

	if (text_print(&beside, "%.*s.%s.positions", (int)(file - path), path,
		       file) < 0)
		return NULL;
	return beside;
}

/* --- loading -------------------------------------------------------------- */

/* The file's numbers, which the caller frees; NULL if it is not the trace's
 * owner's or ours, as everybody may write to the directory. */
static uint64_t *read_words(const char *path, uid_t owner, size_t *count)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	uint64_t *words = NULL;
	struct stat st;
	size_t len = 0;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size < 1 << 30 &&
	    (st.st_uid == owner || st.st_uid == geteuid()))
		len = (size_t)st.st_size / sizeof(*words) * sizeof(*words);
	if (len)
		words = malloc(len);
	if (words && read(fd, words, len) != (ssize_t)len) {
		free(words);
		words = NULL;
	}
	close(fd);
	*count = len / sizeof(*words);
	return words;
}

/* Whether the cache is whole, and this trace file's. */
static bool fits(const uint64_t *words, size_t count,
		 const struct positions_key *key)
{
	const size_t most = SIZE_MAX / sizeof(*words) / EACH / 4;
	struct positions_key its;

	if (count < HEAD + 1 || words[0] != MAGIC || words[5] > most ||
	    words[6] > most ||
	    count != HEAD + EACH * (words[5] + words[6]) + 1 ||
	    words[count - 1] != sum_of(words, count - 1))
		return false;
	its = (struct positions_key){ words[1], words[2], words[3], words[4] };
	return same_key(&its, key);
}

static int take(struct positions *p, const uint64_t *words, uint64_t size)
{
	const uint64_t *at = words + HEAD;
	uint64_t last = 0;
	int err = 0;

	for (uint64_t i = 0; !err && i < words[5]; i++, at += EACH) {
		if (at[0] <= last || at[0] > size)
			return -EINVAL;
		last = at[0];
		err = positions_add(p, &(struct position){ at[0], at[1],
							   at[2] });
	}
	for (uint64_t i = 0; !err && i < words[6]; i++, at += EACH)
		err = at[0] >= last ? -EINVAL :
			positions_add_note(p, &(struct passed_note){
						      at[0], at[1], at[2] });
	return err;
}

void positions_load(struct positions *p, struct positions_kept *k,
		    const char *path)
{
	char *beside = positions_path(path);
	uint64_t *words = NULL;
	size_t count = 0;
	uid_t owner = 0;

	*k = (struct positions_kept){ .key = key_of(path, &owner) };
	k->may_be = k->key.size && owner == geteuid() && is_quiet(&k->key);
	if (beside && k->key.size)
		words = read_words(beside, owner, &count);
	if (words && fits(words, count, &k->key) &&
	    take(p, words, k->key.size))
		positions_free(p);
	if (p->count)
		k->known = p->list[p->count - 1].offset;
	free(words);
	free(beside);
}

/* --- saving --------------------------------------------------------------- */

/* The numbers to write, which the caller frees; NULL: no memory. */
static uint64_t *make_words(const struct positions *p,
			    const struct positions_key *key, size_t *count)
{
	uint64_t end = p->list[p->count - 1].offset, *words, *at;
	size_t notes = 0;

	while (notes < p->note_count && p->notes[notes].offset < end)
		notes++;
	*count = HEAD + EACH * (p->count + notes) + 1;
	words = malloc(*count * sizeof(*words));
	if (!words)
		return NULL;
	memcpy(words, (uint64_t[HEAD]){ MAGIC, key->size, key->changed,
					key->altered, key->inode, p->count,
					notes }, HEAD * sizeof(*words));
	at = words + HEAD;
	memcpy(at, p->list, p->count * sizeof(*p->list));
	if (notes)
		memcpy(at + EACH * p->count, p->notes,
		       notes * sizeof(*p->notes));
	words[*count - 1] = sum_of(words, *count - 1);
	return words;
}

/* Never write through somebody else's link, file or hard link. */
static bool is_ours(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_nlink == 1 &&
	       st.st_uid == geteuid();
}

static void write_words(const struct opener *o, const char *path,
			const uint64_t *words, size_t count)
{
	int fd = opener_open(o, path, O_WRONLY | O_CREAT | O_NOFOLLOW |
			     O_NONBLOCK | O_CLOEXEC, 0666);
	size_t len = count * sizeof(*words);

	if (fd < 0)
		return;
	if (is_ours(fd) && !ftruncate(fd, 0) &&
	    write(fd, words, len) != (ssize_t)len)
		ftruncate(fd, 0);
	close(fd);
}

/* The trace file is still the one walked, and enough of it is new. */
static bool is_worth(const struct positions *p, const struct positions_kept *k,
		     const char *path)
{
	struct positions_key now;
	uid_t owner = 0;

	if (!k->may_be || !p->count ||
	    p->list[p->count - 1].offset < k->known + POSITIONS_WORTH)
		return false;
	now = key_of(path, &owner);
	return same_key(&now, &k->key);
}

void positions_save(const struct positions *p, const struct positions_kept *k,
		    const struct opener *o, const char *path)
{
	uint64_t *words;
	char *beside;
	size_t count;

	if (!is_worth(p, k, path))
		return;
	beside = positions_path(path);
	words = make_words(p, &k->key, &count);
	if (beside && words)
		write_words(o, beside, words, count);
	free(words);
	free(beside);
}
