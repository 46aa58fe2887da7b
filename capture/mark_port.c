/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a running capture takes marks; see mark_port.h. */
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/thread.h"
#include "capture/mark_port.h"
#include "capture/mark_queue.h"

enum {
	CALLERS = 16,		/* waiting at most */
	PATIENCE = 2,		/* seconds to wait for the other end */
	PATH = sizeof(((struct sockaddr_un *)0)->sun_path),
};

struct mark_port {
	struct mark_queue *q;
	int fd, stop;
	char path[PATH];
	pthread_t thread;
	bool runs;
};

struct packet {
	struct mark_call call;
	char text[MARK_BYTES];
};

static int path_of(char path[PATH], const char *dir, const char *name)
{
	int n = snprintf(path, PATH, "%s/%s", dir, name);

	return n < 0 || n >= PATH ? -ENAMETOOLONG : 0;
}

static struct sockaddr_un address_of(const char path[PATH])
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	memcpy(a.sun_path, path, PATH);
	return a;
}

static void be_patient(int fd)
{
	const struct timeval limit = { .tv_sec = PATIENCE };

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
}

/* --- a capture ------------------------------------------------------------ */

/* In case somebody has opened the directory, which keeps others out. */
static bool may_call(int fd, uint32_t *pid)
{
	struct ucred who;
	socklen_t len = sizeof(who);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &len))
		return false;
	*pid = (uint32_t)who.pid;
	return who.uid == 0 || who.uid == geteuid();
}

static int32_t answer_to(struct mark_port *p, const struct packet *in,
			 ssize_t got, uint32_t pid)
{
	size_t head = sizeof(in->call);

	if (got <= (ssize_t)head || in->call.magic != MARK_CALL_MAGIC)
		return -EINVAL;
	return mark_queue_add(p->q, in->call.device, pid, in->text,
			      (size_t)got - head);
}

static void serve(struct mark_port *p, int fd)
{
	struct packet in;
	uint32_t pid;
	int32_t answer;
	ssize_t got;

	be_patient(fd);
	if (!may_call(fd, &pid))
		return;
	got = recv(fd, &in, sizeof(in), MSG_TRUNC);
	if (got < 0 || got > (ssize_t)sizeof(in))
		return;
	answer = answer_to(p, &in, got, pid);
	/* the caller may have gone */
	if (send(fd, &answer, sizeof(answer), MSG_NOSIGNAL) < 0)
		return;
}

static void *answer_all(void *port)
{
	struct mark_port *p = port;
	struct pollfd fds[] = {
		{ .fd = p->stop, .events = POLLIN },
		{ .fd = p->fd, .events = POLLIN },
	};

	while (!fds[0].revents) {
		int fd;

		poll(fds, 2, -1);
		if (!fds[1].revents || fds[0].revents)
			continue;
		fd = accept4(p->fd, NULL, NULL, SOCK_CLOEXEC);
		if (fd < 0)
			continue;
		serve(p, fd);
		close(fd);
	}
	return NULL;
}

/* Another user's directory is not trusted. */
static int make_dir(const char *dir)
{
	struct stat st;

	if (mkdir(dir, 0700) && errno != EEXIST)
		return -errno;
	if (lstat(dir, &st))
		return -errno;
	if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() ||
	    st.st_mode & 077)
		return -EPERM;
	return 0;
}

/*
 * The socket gets its name after listening: a caller takes one that does not
 * listen for a killed capture's.
 */
static int listen_at(struct mark_port *p, const char *dir)
{
	char name[32], hidden[PATH];
	struct sockaddr_un a;
	int err;

	snprintf(name, sizeof(name), ".%ld", (long)getpid());
	err = path_of(hidden, dir, name);
	if (!err)
		err = path_of(p->path, dir, name + 1);
	if (err)
		return err;
	p->fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK,
		       0);
	unlink(hidden);
	a = address_of(hidden);
	if (p->fd < 0 || bind(p->fd, (struct sockaddr *)&a, sizeof(a)))
		return -errno;
	if (listen(p->fd, CALLERS) || rename(hidden, p->path)) {
		err = -errno;
		unlink(hidden);
	}
	return err;
}

static int start_thread(struct mark_port *p)
{
	int err = thread_start(&p->thread, answer_all, p);

	p->runs = !err;
	return err;
}

int mark_port_open(struct mark_port **out, const char *dir,
		   struct mark_queue *q)
{
	struct mark_port *p = calloc(1, sizeof(*p));
	int err;

	if (!p)
		return -ENOMEM;
	p->q = q;
	p->fd = -1;
	p->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	err = p->stop < 0 ? -errno : make_dir(dir);
	if (!err)
		err = listen_at(p, dir);
	if (!err)
		err = start_thread(p);
	if (err)
		mark_port_close(p);
	else
		*out = p;
	return err;
}

void mark_port_close(struct mark_port *p)
{
	const uint64_t one = 1;

	if (!p)
		return;
	if (p->runs && write(p->stop, &one, sizeof(one)) > 0)
		pthread_join(p->thread, NULL);
	if (p->fd >= 0 && *p->path)
		unlink(p->path);
	if (p->fd >= 0)
		close(p->fd);
	if (p->stop >= 0)
		close(p->stop);
	free(p);
}

/* --- a caller ------------------------------------------------------------- */

/* mark_port_call() for one capture */
static int call_fd(int fd, const struct packet *p, size_t len)
{
	int32_t answer;

	be_patient(fd);
	if (send(fd, p, sizeof(p->call) + len, MSG_NOSIGNAL) < 0)
		return 0;
	if (recv(fd, &answer, sizeof(answer), 0) != sizeof(answer))
		return 0;
	return answer;
}

static int call_one(const char *dir, const char *name, const struct packet *p,
		    size_t len)
{
	char path[PATH];
	struct sockaddr_un a;
	int fd, answer = 0;

	if (path_of(path, dir, name))
		return 0;
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	a = address_of(path);
	if (!connect(fd, (struct sockaddr *)&a, sizeof(a)))
		answer = call_fd(fd, p, len);
	else if (errno == ECONNREFUSED)
		unlink(path);	/* of a capture that was killed */
	else if (errno == EACCES || errno == EPERM)
		answer = -EACCES;
	close(fd);
	return answer;
}

static int call_all(DIR *d, const char *dir, const struct packet *p,
		    size_t len)
{
	struct dirent *e;
	int marked = 0, err = 0;

	while ((e = readdir(d))) {
		int answer = *e->d_name == '.' ?
			     0 : call_one(dir, e->d_name, p, len);

		if (answer > 0)
			marked += answer;
		else if (answer < 0)
			err = answer;
	}
	return marked ? marked : err;
}

int mark_port_call(const char *dir, uint32_t device, const char *text,
		   size_t len)
{
	struct packet p = { .call = { MARK_CALL_MAGIC, device } };
	DIR *d = opendir(dir);
	int marked;

	if (!d)
		return errno == EACCES ? -EACCES : 0;
	memcpy(p.text, text, len);
	marked = call_all(d, dir, &p, len);
	closedir(d);
	return marked;
}
