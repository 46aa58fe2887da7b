/* SPDX-License-Identifier: GPL-2.0-only */
/* The service manager; see notify.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/msg.h"
#include "base/time.h"
#include "tools/blktrace/notify.h"

/* The length of a name's address; 0: invalid. */
static socklen_t address_of(struct sockaddr_un *a, const char *name)
{
	size_t len = strlen(name);

	*a = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if ((*name != '/' && *name != '@') || len < 2 ||
	    len >= sizeof(a->sun_path))
		return 0;
	memcpy(a->sun_path, name, len);
	if (*name == '@')
		a->sun_path[0] = '\0';
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len);
}

static int connect_to(const char *name)
{
	struct sockaddr_un a;
	socklen_t len = address_of(&a, name);
	int fd = len ? socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0) : -1;

	if (fd < 0 || !connect(fd, (struct sockaddr *)&a, len))
		return fd;
	close(fd);
	return -1;
}

/* A variable's number, 0: none, if its other one is our process or missing. */
static unsigned long number_for_us(const char *variable, const char *of_whom)
{
	const char *text = getenv(variable), *pid = getenv(of_whom);
	unsigned long n = text ? strtoul(text, NULL, 10) : 0;

	if (pid && strtol(pid, NULL, 10) != getpid())
		n = 0;
	unsetenv(variable);
	unsetenv(of_whom);
	return n;
}

/* A sign of life comes twice as often as the manager wants one. */
void notify_open(struct notify *n)
{
	const char *name = getenv("NOTIFY_SOCKET");
	unsigned long us = number_for_us("WATCHDOG_USEC", "WATCHDOG_PID");

	*n = (struct notify){ .fd = name ? connect_to(name) : -1 };
	if (name && n->fd < 0)
		msg_warn("cannot notify the service manager at %s", name);
	if (n->fd >= 0 && us)
		n->every = us < 4000 ? 1 : us > INT_MAX ? INT_MAX / 2000 :
			   (unsigned int)(us / 2000);
	unsetenv("NOTIFY_SOCKET");
}

static void tell(const struct notify *n, const char *state)
{
	if (n->fd >= 0)
		send(n->fd, state, strlen(state), MSG_NOSIGNAL | MSG_DONTWAIT);
}

void notify_ready(const struct notify *n)
{
	tell(n, "READY=1");
}

void notify_stopping(const struct notify *n)
{
	tell(n, "STOPPING=1");
}

void notify_alive(struct notify *n)
{
	int64_t now = time_now_ms();

	if (!n->every || now - n->told < n->every)
		return;
	n->told = now;
	tell(n, "WATCHDOG=1");
}

/* The first descriptor that is handed over. */
enum { FIRST_SOCKET = 3 };

static int take_socket(int fd)
{
	int listens = 0, flags = fcntl(fd, F_GETFL);
	socklen_t len = sizeof(listens);

	if (flags < 0 || getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens,
				    &len) || !listens)
		return -EINVAL;
	if (fcntl(fd, F_SETFD, FD_CLOEXEC) ||
	    fcntl(fd, F_SETFL, flags | O_NONBLOCK))
		return -errno;
	return 0;
}

int notify_sockets(int *fds, unsigned int max)
{
	unsigned long n = number_for_us("LISTEN_FDS", "LISTEN_PID");

	unsetenv("LISTEN_FDNAMES");
	if (n > max)
		return -EINVAL;
	for (unsigned long i = 0; i < n; i++) {
		int err;

		fds[i] = FIRST_SOCKET + (int)i;
		err = take_socket(fds[i]);
		if (err)
			return err;
	}
	return (int)n;
}

void notify_close(struct notify *n)
{
	if (n->fd >= 0)
		close(n->fd);
	n->fd = -1;
}
