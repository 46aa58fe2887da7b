/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests to a server by HTTP, with or without TLS: by libcurl (http_curl.c), or
 * none (http_none.c).  Users and passwords are those of ~/.netrc.
 */
#ifndef TOOLS_BTEXPORT_HTTP_H
#define TOOLS_BTEXPORT_HTTP_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct http;

enum { HTTP_WHY = 256 };

/* whether this program was built with libcurl */
bool http_is_built(void);

/* 0 and *h; -ENOMEM; or -ENOSYS: built without libcurl.  Calls end soon after
 * *stop is set. */
int http_new(struct http **h, const volatile sig_atomic_t *stop);

/* the bytes of files, one after the other */
struct http_files {
	const char *const *paths;
	size_t count;
};

/*
 * Posts files, or text if files is NULL, to a URL.  *answer, to be freed, is what
 * comes back, at most a MiB, with a NUL.
 *
 * 0: the server has done it; -EPROTO: it refuses, and says why in *answer;
 * -ECONNREFUSED: it cannot be reached, or has not answered: it may have done it,
 * or not; -ENOENT: a file cannot be read; -EINTR: *stop; -ENOMEM.  why: what went
 * wrong.
 */
int http_post(struct http *h, const char *url, const struct http_files *files,
	      const char *text, char **answer, char why[HTTP_WHY]);

/* as in a URL, to be freed; NULL: no memory */
char *http_escaped(struct http *h, const char *text);

/* NULL is fine */
void http_free(struct http *h);

#endif
