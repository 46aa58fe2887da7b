/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs that may be resumed; see tokens.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/ring.h"
#include "server/tokens.h"

#define DIRECTORY ".runs"
#define ENDED "ended\n"
#define BOOT "boot "
#define BOOT_ID "/proc/sys/kernel/random/boot_id"

enum {
	HEX = 2 * FRAME_TOKEN,	/* characters of a file's name */
	BOOT_LINE = 64,		/* BOOT, an id and a newline, with a NUL */
	TEXT = 4096,		/* of a file, at most */
	TIDY_EVERY = 60,	/* s */
};

struct known {
	struct ring ring;	/* of all */
	char hex[HEX + 1];
	struct token_run run;
	time_t at;		/* when it was last heard of */
};

struct tokens {
	int dir;
	struct ring all;
	struct hash by_token;	/* of struct known */
	struct hash by_directory;	/* of runs without an end */
	time_t tidied;
	char boot[BOOT_LINE];	/* this machine's line since it was started */
};

static void hex_of(char hex[HEX + 1], const uint8_t token[FRAME_TOKEN])
{
	for (size_t i = 0; i < FRAME_TOKEN; i++)
		sprintf(hex + 2 * i, "%02x", token[i]);
}

/* --- in memory ------------------------------------------------------------ */

static struct known *find(const struct tokens *t, const char *hex)
{
	return hash_get(&t->by_token, hash_text(&t->by_token, hex, HEX));
}

static uint64_t key_of_directory(const struct tokens *t, const char *name)
{
	return hash_text(&t->by_directory, name, strlen(name));
}

static void forget(struct tokens *t, struct known *k)
{
	hash_del(&t->by_token, hash_text(&t->by_token, k->hex, HEX));
	if (!k->run.ended)
		hash_del(&t->by_directory,
			 key_of_directory(t, k->run.directory));
	ring_take(&k->ring);
	free(k);
}

/* 0 or -ENOMEM. */
static int remember(struct tokens *t, const char *hex,
		    const struct token_run *run, time_t now)
{
	struct known *k = calloc(1, sizeof(*k));
	int err;

	if (!k)
		return -ENOMEM;
	memcpy(k->hex, hex, sizeof(k->hex));
	k->run = *run;
	k->at = now;
	ring_put_last(&t->all, &k->ring);
	err = hash_put(&t->by_token, hash_text(&t->by_token, hex, HEX), k);
	if (!err && !run->ended)
		err = hash_put(&t->by_directory,
			       key_of_directory(t, run->directory), k);
	if (err)
		forget(t, k);
	return err;
}

/* --- in files ------------------------------------------------------------- */

/* Copies a line, and returns what follows it; NULL: no line of that size. */
static const char *take_line(const char *text, char line[TOKENS_NAME])
{
	const char *end = strchr(text, '\n');

	if (!end || end == text || end - text >= TOKENS_NAME)
		return NULL;
	memcpy(line, text, (size_t)(end - text));
	line[end - text] = '\0';
	return end + 1;
}

/* The line of the last start of the machine, or "". */
static const char *last_boot(const char *text)
{
	const char *last = "";

	while ((text = strstr(text, BOOT)))
		last = text++;
	return last;
}

/* The directory must be one of the store's. */
static bool parse(struct token_run *run, const char *boot, const char *text)
{
	text = take_line(text, run->directory);
	if (!text || strchr(run->directory, '/') || *run->directory == '.')
		return false;
	text = take_line(text, run->sender);
	if (!text)
		return false;
	run->rebooted = !*boot || strncmp(last_boot(text), boot, strlen(boot));
	run->ended = strstr(text, ENDED) != NULL;
	return true;
}

static bool read_file(int dir, const char *hex, const char *boot,
		      struct token_run *run)
{
	int fd = openat(dir, hex, O_RDONLY | O_NOFOLLOW | O_NONBLOCK |
			O_CLOEXEC);
	char text[TEXT] = "";
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	return n > 0 && parse(run, boot, text);
}

static bool is_token(const char *name)
{
	return strlen(name) == HEX && strspn(name, "0123456789abcdef") == HEX;
}

/* a run that is known, true: no more are wanted */
typedef bool take_run(void *ctx, const char *hex, const struct token_run *run);

/* 0 or -errno */
static int walk(int at, const char *name, const char *boot, take_run *take,
		void *ctx)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW |
			O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct token_run run;
	const struct dirent *d;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return -errno;
	}
	while ((d = readdir(dir)))
		if (is_token(d->d_name) && read_file(fd, d->d_name, boot, &run) &&
		    take(ctx, d->d_name, &run))
			break;
	closedir(dir);
	return 0;
}

struct loading {
	struct tokens *t;
	time_t now;
};

/* One that is unknown for want of memory has a new directory. */
static bool load(void *ctx, const char *hex, const struct token_run *run)
{
	const struct loading *l = ctx;

	remember(l->t, hex, run, l->now);
	return false;
}

/* In one write: a server that is killed leaves all of it, or nothing. */
static int write_file(const struct tokens *t, const char *hex, int flags,
		      const char *text)
{
	int fd = openat(t->dir, hex, O_WRONLY | O_CREAT | O_NOFOLLOW |
			O_NONBLOCK | O_CLOEXEC | flags, 0600), err = 0;
	ssize_t len = (ssize_t)strlen(text);

	if (fd < 0)
		return -errno;
	errno = ENOSPC;
	if (write(fd, text, (size_t)len) != len)
		err = -errno;
	close(fd);
	return err;
}

/* "boot ID", or "" if there is no id. */
static void read_boot(char line[BOOT_LINE])
{
	FILE *f = fopen(BOOT_ID, "re");
	char id[BOOT_LINE - sizeof(BOOT)];

	*line = '\0';
	if (f && fscanf(f, "%40s", id) == 1)
		snprintf(line, BOOT_LINE, BOOT "%s\n", id);
	if (f)
		fclose(f);
}

/* --- the interface -------------------------------------------------------- */

int tokens_open(struct tokens **out, int directory, time_t now)
{
	struct tokens *t;
	int dir, err;

	if (mkdirat(directory, DIRECTORY, 0700) && errno != EEXIST)
		return -errno;
	dir = openat(directory, DIRECTORY, O_RDONLY | O_DIRECTORY |
		     O_NOFOLLOW | O_CLOEXEC);
	if (dir < 0)
		return -errno;
	t = calloc(1, sizeof(*t));
	if (!t) {
		close(dir);
		return -ENOMEM;
	}
	t->dir = dir;
	ring_init(&t->all);
	t->tidied = now;
	read_boot(t->boot);
	err = walk(dir, ".", t->boot, load, &(struct loading){ t, now });
	if (err) {
		tokens_free(t);
		return err;
	}
	*out = t;
	return 0;
}

struct asked {
	const char *directory;
	bool found;
};

static bool is_asked(void *ctx, const char *hex, const struct token_run *run)
{
	struct asked *a = ctx;

	(void)hex;
	a->found = !run->ended && !strcmp(run->directory, a->directory);
	return a->found;
}

int tokens_look(int directory, const char *name, bool *resumable)
{
	struct asked a = { .directory = name };
	int err = walk(directory, DIRECTORY, "", is_asked, &a);

	*resumable = a.found;
	return err == -ENOENT ? 0 : err;
}

int tokens_directory(const struct tokens *t)
{
	return t->dir;
}

const struct token_run *tokens_find(struct tokens *t,
				    const uint8_t token[FRAME_TOKEN],
				    time_t now)
{
	char hex[HEX + 1];
	struct known *k;

	hex_of(hex, token);
	k = find(t, hex);
	if (!k)
		return NULL;
	k->at = now;
	return &k->run;
}

int tokens_add(struct tokens *t, const uint8_t token[FRAME_TOKEN],
	       const char *directory, const char *sender, time_t now)
{
	struct token_run run = { .ended = false };
	char hex[HEX + 1], text[TEXT];
	struct known *k;
	int err;

	if (strlen(directory) >= TOKENS_NAME || strlen(sender) >= TOKENS_NAME)
		return -ENAMETOOLONG;
	strcpy(run.directory, directory);
	strcpy(run.sender, sender);
	hex_of(hex, token);
	k = find(t, hex);
	if (k)
		forget(t, k);
	snprintf(text, sizeof(text), "%s\n%s\n%s", directory, sender, t->boot);
	err = write_file(t, hex, O_TRUNC, text);
	return err ? err : remember(t, hex, &run, now);
}

int tokens_checked(struct tokens *t, const uint8_t token[FRAME_TOKEN])
{
	char hex[HEX + 1];
	struct known *k;

	hex_of(hex, token);
	k = find(t, hex);
	if (!k || !k->run.rebooted)
		return 0;
	k->run.rebooted = false;
	return write_file(t, hex, O_APPEND, t->boot);
}

int tokens_end(struct tokens *t, const uint8_t token[FRAME_TOKEN], time_t now)
{
	char hex[HEX + 1];
	struct known *k;

	hex_of(hex, token);
	k = find(t, hex);
	if (!k)
		return -ENOENT;
	k->at = now;
	if (k->run.ended)
		return 0;
	hash_del(&t->by_directory, key_of_directory(t, k->run.directory));
	k->run.ended = true;
	return write_file(t, hex, O_APPEND, ENDED);
}

bool tokens_has(const struct tokens *t, const char *directory)
{
	return hash_get(&t->by_directory, key_of_directory(t, directory));
}

static bool is_old(const struct known *k, time_t now)
{
	return now - k->at > (k->run.ended ? TOKENS_ENDED : TOKENS_LEFT);
}

void tokens_tidy(struct tokens *t, time_t now)
{
	struct ring *at = t->all.next;

	if (now - t->tidied < TIDY_EVERY && now >= t->tidied)
		return;
	t->tidied = now;
	while (at != &t->all) {
		struct known *k = (struct known *)at;

		at = at->next;
		if (!is_old(k, now))
			continue;
		unlinkat(t->dir, k->hex, 0);
		forget(t, k);
	}
}

void tokens_free(struct tokens *t)
{
	if (!t)
		return;
	while (!ring_is_empty(&t->all))
		forget(t, (struct known *)t->all.next);
	hash_free(&t->by_token);
	hash_free(&t->by_directory);
	close(t->dir);
	free(t);
}
