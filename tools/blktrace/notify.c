/* SPDX-License-Identifier: GPL-2.0-only */
/* The service manager; see notify.h. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/msg.h"
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

void notify_open(struct notify *n)
{
	const char *name = getenv("NOTIFY_SOCKET");

	n->fd = name ? connect_to(name) : -1;
	if (name && n->fd < 0)
		msg_warn("cannot notify the service manager at %s", name);
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

void notify_close(struct notify *n)
{
	if (n->fd >= 0)
		close(n->fd);
	n->fd = -1;
}
