/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The wire format of a capture that is sent over TCP: a header of 64 bytes,
 * and behind a data header as many bytes of trace as it announces.
 *
 * Numbers are in the sender's byte order, which the magic shows.  net_decode()
 * accepts only names that can be part of a file's, and numbers within bounds.
 * The protocol is in doc/blktrace-net.5.
 */
#ifndef NET_H
#define NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NET_PORT "8462"

enum {
	NET_HEADER = 64,
	NET_NAME = 32,		/* with its NUL */
	NET_PREFIX = 36,	/* magic and name: alike in all of a flow */
};

/* a header's len, when it is not a number of bytes that follow */
enum net_kind {
	NET_OPEN,
	NET_CLOSE,
	NET_ANSWER,
	NET_DATA,		/* this length, or a larger one */
};

/*
 * Where a CPU stands: the card of a device, not its records.  Only inside TLS,
 * which 1.3.0 does not have; a block of data is a whole card, and takes the
 * place of the one before.
 */
#define NET_CPU_CARD 0xfffffffeu
#define NET_CARD_MAX (1u << 20)

/* 1.3.0: what one header can announce, as lengths are an int there */
#define NET_DATA_MAX 0x7fffffffu

/* what net_decode() returns for a name that fails net_name_valid() */
#define NET_BAD_NAME "bad device name"

struct net_header {
	char name[NET_NAME];	/* the kernel's name of the device */
	uint32_t cpu;		/* in a close: how many events were dropped */
	uint32_t max_cpus;	/* CPU numbers of the sender are below */
	uint32_t len;		/* one of enum net_kind, or bytes that follow */
	uint32_t run;		/* the sender's pid: joins its connections */
	uint32_t buf_size;	/* the sender's -b, in bytes */
	uint32_t buf_nr;	/* and -n */
	uint32_t page_size;
};

/* the header in native order to raw */
void net_encode(const struct net_header *h, uint8_t raw[NET_HEADER]);

/*
 * Decodes raw.  NULL: *h is good.  Else what is wrong, a constant text such as
 * "bad magic", and *h must not be used; but with NET_BAD_NAME its name is what
 * was sent, maybe without a NUL.
 */
const char *net_decode(struct net_header *h, const uint8_t raw[NET_HEADER]);

/* whether name can be a device's, and a part of a file name */
bool net_name_valid(const char *name);

static inline enum net_kind net_kind(const struct net_header *h)
{
	return h->len < NET_DATA ? (enum net_kind)h->len : NET_DATA;
}

/*
 * How many of left bytes to announce at once, at most max (8 or more).  Lengths
 * of 1 and 2 are a close and an answer, so never so few are left for the next
 * header; left is 3 or more.
 */
size_t net_chunk(size_t left, size_t max);

#endif
