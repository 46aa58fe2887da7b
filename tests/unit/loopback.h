/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Both ends of connections within this machine.  Ports are text, as options
 * have them.
 */
#ifndef TESTS_UNIT_LOOPBACK_H
#define TESTS_UNIT_LOOPBACK_H

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "make.h"

enum { PORT_TEXT = 8 };

static inline struct sockaddr_in loopback(const char *port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)atoi(port)),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
}

/* the port that a socket of either family has */
static inline void port_of(int fd, char port[PORT_TEXT])
{
	struct sockaddr_in6 a;	/* the port is where IPv4 has it */
	socklen_t len = sizeof(a);

	assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &len), 0);
	snprintf(port, PORT_TEXT, "%d", ntohs(a.sin6_port));
}

/* a listening socket, and the port it was given */
static inline int listen_here(char port[PORT_TEXT])
{
	struct sockaddr_in a = loopback("0");
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(listen(fd, 16), 0);
	port_of(fd, port);
	return fd;
}

/* a port that nobody listens on just now */
static inline void free_port(char port[PORT_TEXT])
{
	close(listen_here(port));
}

/* a connection to whoever listens there, -1 if nobody does */
static inline int connect_here(const char *port)
{
	struct sockaddr_in a = loopback(port);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (!connect(fd, (struct sockaddr *)&a, sizeof(a)))
		return fd;
	close(fd);
	return -1;
}

#endif
