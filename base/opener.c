/* SPDX-License-Identifier: GPL-2.0-only */
/* Opening files for another process; see opener.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/opener.h"

enum call { CALL_OPEN, CALL_MKDIR, CALL_RENAME, CALL_REMOVE, CALLS };

/* the flags that are allowed */
enum {
	FLAGS = O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC | O_NOFOLLOW |
		O_NONBLOCK | O_CLOEXEC,
};

/* an answer that is not an errno */
enum { NOT_LISTED = -1 };

/* one packet: this, then path and, of CALL_RENAME, to, each with its NUL */
struct request {
	int32_t call, flags;
	uint32_t mode;
	char text[2 * PATH_MAX];
};

enum { HEAD = offsetof(struct request, text) };

/* --- names ---------------------------------------------------------------- */

static bool has_dots(const char *path)
{
	for (const char *at = path; (at = strstr(at, "..")); at += 2)
		if ((at == path || at[-1] == '/') && (!at[2] || at[2] == '/'))
			return true;
	return false;
}

static bool fits(const struct opener_name *n, const char *path)
{
	size_t len = strlen(path), begin = strlen(n->begin);
	size_t end = n->end ? strlen(n->end) : 0;

	if (n->match == OPENER_EXACT)
		return !strcmp(path, n->begin);
	if (len < begin + end || memcmp(path, n->begin, begin) ||
	    (end && strcmp(path + len - end, n->end)))
		return false;
	path += begin;
	len -= begin + end;
	if (n->has && !memmem(path, len, n->has, strlen(n->has)))
		return false;
	return n->match == OPENER_BELOW ? !has_dots(path) :
					  !memchr(path, '/', len);
}

static const struct opener_name *find(const struct opener_name *names,
				      size_t count, const char *path)
{
	for (size_t i = 0; i < count; i++)
		if (fits(&names[i], path))
			return &names[i];
	return NULL;
}

bool opener_lists(const struct opener_name *names, size_t count,
		  const char *path)
{
	return find(names, count, path) != NULL;
}

/* --- the server ----------------------------------------------------------- */

/* Answers 0, an errno or NOT_LISTED, with a descriptor or -1. */
static int answer(int fd, int32_t err, int with)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(int))];
	} room = { .bytes = "" };
	struct iovec iov = { &err, sizeof(err) };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1 };
	ssize_t n;

	if (with >= 0) {
		m.msg_control = room.bytes;
		m.msg_controllen = sizeof(room.bytes);
		*CMSG_FIRSTHDR(&m) = (struct cmsghdr){
			.cmsg_len = CMSG_LEN(sizeof(int)),
			.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS,
		};
		memcpy(CMSG_DATA(CMSG_FIRSTHDR(&m)), &with, sizeof(with));
	}
	n = sendmsg(fd, &m, MSG_NOSIGNAL);
	if (with >= 0)
		close(with);
	return n < 0 ? -errno : 0;
}

/* The second name; NULL: the packet has too few or too many names. */
static const char *second_name(const struct request *r, size_t len)
{
	const char *end = memchr(r->text, '\0', len);
	size_t rest = end ? len - (size_t)(end + 1 - r->text) : 0;

	if (!end)
		return NULL;
	if (r->call != CALL_RENAME)
		return rest ? NULL : end;
	return rest && memchr(end + 1, '\0', rest) == end + rest ? end + 1 :
								   NULL;
}

/* Existing files cannot be read this way. */
static int open_output(const struct request *r)
{
	if ((r->flags & O_ACCMODE) != O_WRONLY && !(r->flags & O_EXCL)) {
		errno = EACCES;
		return -1;
	}
	return open(r->text, (r->flags & FLAGS) | O_CLOEXEC, (mode_t)r->mode);
}

/* What may only be read. */
static int open_input(const struct request *r)
{
	if (r->call != CALL_OPEN || r->flags & ~(FLAGS & ~O_CREAT & ~O_TRUNC) ||
	    (r->flags & O_ACCMODE) != O_RDONLY) {
		errno = EACCES;
		return -1;
	}
	return open(r->text, r->flags | O_CLOEXEC);
}

static int do_call(const struct request *r, const char *to)
{
	switch ((enum call)r->call) {
	case CALL_OPEN:
		return open_output(r);
	case CALL_MKDIR:
		return mkdir(r->text, (mode_t)r->mode);
	case CALL_RENAME:
		return rename(r->text, to);
	case CALL_REMOVE:
		return remove(r->text);
	case CALLS:
		break;
	}
	errno = EINVAL;
	return -1;
}

/* Whether it may be replaced. */
static bool may_become(const struct opener_name *names, size_t count,
		       const char *path)
{
	const struct opener_name *name = find(names, count, path);

	return name && !name->reads;
}

static int serve_one(int fd, const struct request *r, size_t len,
		     const struct opener_name *names, size_t count)
{
	const char *to = second_name(r, len);
	const struct opener_name *name;
	int got;

	if (!to)
		return answer(fd, EINVAL, -1);
	name = find(names, count, r->text);
	if (!name ||
	    (r->call == CALL_RENAME && !may_become(names, count, to)))
		return answer(fd, NOT_LISTED, -1);
	got = name->reads ? open_input(r) : do_call(r, to);
	if (got < 0)
		return answer(fd, errno, -1);
	return answer(fd, 0, r->call == CALL_OPEN ? got : -1);
}

void opener_serve(int fd, const struct opener_name *names, size_t count)
{
	struct request r;
	ssize_t n;

	do
		n = recv(fd, &r, sizeof(r), 0);
	while (n >= HEAD &&
	       !serve_one(fd, &r, (size_t)n - HEAD, names, count));
}

int opener_pair(int fds[2])
{
	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) ?
	       -errno : 0;
}

/* --- the caller ----------------------------------------------------------- */

/* the caller has to do it */
enum { BY_ITSELF = 1 };

/* the descriptor in an answer, or -1 */
static int take_fd(struct msghdr *m)
{
	const struct cmsghdr *c = CMSG_FIRSTHDR(m);
	int fd = -1;

	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
		memcpy(&fd, CMSG_DATA(c), sizeof(fd));
	return fd;
}

/* 0 and *with as take_fd(), BY_ITSELF, or -1 and errno */
static int await(int fd, int *with)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(int))];
	} room;
	int32_t err;
	struct iovec iov = { &err, sizeof(err) };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1,
			    .msg_control = room.bytes,
			    .msg_controllen = sizeof(room.bytes) };
	ssize_t n;

	do
		n = recvmsg(fd, &m, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	/* the caller may still be allowed to */
	if (n != sizeof(err) || err == NOT_LISTED || err == EACCES)
		return BY_ITSELF;
	*with = take_fd(&m);
	errno = err;
	return err ? -1 : 0;
}

/* Asks, and returns as await(); to is "" if there is no second name. */
static int ask(const struct opener *o, struct request *r, const char *path,
	       const char *to, int *with)
{
	size_t len = strlen(path) + 1, more = *to ? strlen(to) + 1 : 0;

	*with = -1;
	if (!o || !o->fd || len > PATH_MAX || more > PATH_MAX)
		return BY_ITSELF;
	memcpy(r->text, path, len);
	memcpy(r->text + len, to, more);
	if (send(o->fd, r, HEAD + len + more, MSG_NOSIGNAL) < 0)
		return BY_ITSELF;
	return await(o->fd, with);
}

int opener_open(const struct opener *o, const char *path, int flags,
		mode_t mode)
{
	struct request r = { .call = CALL_OPEN, .flags = flags, .mode = mode };
	int fd, got = ask(o, &r, path, "", &fd);

	if (got == BY_ITSELF)
		return open(path, flags, mode);
	if (!got && fd < 0)
		errno = EMFILE;	/* it did not fit into our table */
	return fd;
}

int opener_mkdir(const struct opener *o, const char *path, mode_t mode)
{
	struct request r = { .call = CALL_MKDIR, .mode = mode };
	int none, got = ask(o, &r, path, "", &none);

	return got == BY_ITSELF ? mkdir(path, mode) : got;
}

int opener_rename(const struct opener *o, const char *from, const char *to)
{
	struct request r = { .call = CALL_RENAME };
	int none, got = ask(o, &r, from, to, &none);

	return got == BY_ITSELF ? rename(from, to) : got;
}

int opener_remove(const struct opener *o, const char *path)
{
	struct request r = { .call = CALL_REMOVE };
	int none, got = ask(o, &r, path, "", &none);

	return got == BY_ITSELF ? remove(path) : got;
}
