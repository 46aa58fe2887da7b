/* SPDX-License-Identifier: GPL-2.0-only */
/* Requests by libcurl; see http.h. */
#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/btexport/http.h"

enum {
	ANSWER_MOST = 1 << 20,
	CONNECT_S = 5,
	SILENT_S = 60,		/* without a byte in either direction */
	BUFFER = 512 * 1024
};

struct http {
	CURL *curl;
	struct curl_slist *headers;
	const volatile sig_atomic_t *stop;
	const struct http_files *files;	/* of the request */
	size_t next;		/* of the files */
	int fd;			/* of the one before it, or -1 */
	const char *unread;	/* a file that cannot be read, or NULL */
	char *answer;
	size_t len;
};

/* --- bodies --------------------------------------------------------------- */

static bool open_next(struct http *h)
{
	if (h->fd >= 0)
		close(h->fd);
	h->fd = -1;
	if (h->next == h->files->count)
		return false;
	h->fd = open(h->files->paths[h->next], O_RDONLY | O_CLOEXEC);
	if (h->fd < 0)
		h->unread = h->files->paths[h->next];
	h->next++;
	return h->fd >= 0;
}

static size_t give(char *to, size_t size, size_t count, void *ctx)
{
	struct http *h = ctx;
	ssize_t n;

	for (;;) {
		n = h->fd >= 0 ? read(h->fd, to, size * count) : 0;
		if (n < 0)
			h->unread = h->files->paths[h->next - 1];
		if (n > 0)
			return (size_t)n;
		if (h->unread || !open_next(h))
			return h->unread ? CURL_READFUNC_ABORT : 0;
	}
}

/* all bytes; -1: a file is not there */
static curl_off_t length_of(struct http *h)
{
	curl_off_t sum = 0;
	struct stat st;

	for (size_t i = 0; i < h->files->count; i++) {
		if (stat(h->files->paths[i], &st)) {
			h->unread = h->files->paths[i];
			return -1;
		}
		sum += st.st_size;
	}
	return sum;
}

static size_t take(char *from, size_t size, size_t count, void *ctx)
{
	struct http *h = ctx;
	size_t n = size * count;
	char *more;

	if (n > ANSWER_MOST - h->len)
		return n;	/* the beginning is enough */
	more = realloc(h->answer, h->len + n + 1);
	if (!more)
		return 0;
	h->answer = more;
	memcpy(more + h->len, from, n);
	h->len += n;
	more[h->len] = '\0';
	return n;
}

static int is_over(void *ctx, curl_off_t down_all, curl_off_t down,
		   curl_off_t up_all, curl_off_t up)
{
	const struct http *h = ctx;

	(void)down_all, (void)down, (void)up_all, (void)up;
	return *h->stop != 0;
}

/* --- requests ------------------------------------------------------------- */

bool http_is_built(void)
{
	return true;
}

int http_new(struct http **out, const volatile sig_atomic_t *stop)
{
	struct http *h = calloc(1, sizeof(*h));

	*out = h;
	if (!h)
		return -ENOMEM;
	h->stop = stop;
	h->fd = -1;
	h->curl = curl_easy_init();
	/* a server that refuses would say so only after a second */
	h->headers = curl_slist_append(NULL, "Expect:");
	if (h->curl && h->headers)
		return 0;
	http_free(h);
	*out = NULL;
	return -ENOMEM;
}

static int set_body(struct http *h, const char *text)
{
	curl_off_t length = text ? (curl_off_t)strlen(text) :
				   length_of(h);

	if (length < 0)
		return -ENOENT;
	curl_easy_setopt(h->curl, CURLOPT_POST, 1L);
	curl_easy_setopt(h->curl, CURLOPT_POSTFIELDS, text);
	curl_easy_setopt(h->curl, CURLOPT_POSTFIELDSIZE_LARGE, length);
	if (text)
		return 0;
	curl_easy_setopt(h->curl, CURLOPT_READFUNCTION, give);
	curl_easy_setopt(h->curl, CURLOPT_READDATA, h);
	return 0;
}

static void set_rest(struct http *h, const char *url)
{
	curl_easy_setopt(h->curl, CURLOPT_URL, url);
	curl_easy_setopt(h->curl, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(h->curl, CURLOPT_HTTPHEADER, h->headers);
	curl_easy_setopt(h->curl, CURLOPT_NETRC, (long)CURL_NETRC_OPTIONAL);
	curl_easy_setopt(h->curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S);
	curl_easy_setopt(h->curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
	curl_easy_setopt(h->curl, CURLOPT_LOW_SPEED_TIME, (long)SILENT_S);
	curl_easy_setopt(h->curl, CURLOPT_UPLOAD_BUFFERSIZE, (long)BUFFER);
	curl_easy_setopt(h->curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(h->curl, CURLOPT_NOPROGRESS, 0L);
	curl_easy_setopt(h->curl, CURLOPT_XFERINFOFUNCTION, is_over);
	curl_easy_setopt(h->curl, CURLOPT_XFERINFODATA, h);
	curl_easy_setopt(h->curl, CURLOPT_WRITEFUNCTION, take);
	curl_easy_setopt(h->curl, CURLOPT_WRITEDATA, h);
}

static int result_of(struct http *h, CURLcode code, const char *detail,
		     char why[HTTP_WHY])
{
	long status = 0;

	curl_easy_getinfo(h->curl, CURLINFO_RESPONSE_CODE, &status);
	if (*h->stop)
		return -EINTR;
	if (code == CURLE_OUT_OF_MEMORY)
		return -ENOMEM;
	if (code == CURLE_OK && status == 200)
		return 0;
	snprintf(why, HTTP_WHY, "%s", *detail ? detail :
		 code != CURLE_OK ? curl_easy_strerror(code) : "");
	if (code == CURLE_OK && status != 502 && status != 503 &&
	    status != 504) {
		snprintf(why, HTTP_WHY, "status %ld", status);
		return -EPROTO;
	}
	return -ECONNREFUSED;
}

int http_post(struct http *h, const char *url, const struct http_files *files,
	      const char *text, char **answer, char why[HTTP_WHY])
{
	char detail[CURL_ERROR_SIZE] = "";
	CURLcode code;
	int err;

	*why = '\0';
	*answer = NULL;
	curl_easy_reset(h->curl);
	h->files = files;
	h->next = h->len = 0;
	h->unread = NULL;
	h->answer = calloc(1, 1);
	if (!h->answer)
		return -ENOMEM;
	err = set_body(h, text);
	if (!err) {
		set_rest(h, url);
		curl_easy_setopt(h->curl, CURLOPT_ERRORBUFFER, detail);
		code = curl_easy_perform(h->curl);
		err = h->unread ? -ENOENT : result_of(h, code, detail, why);
	}
	if (h->unread)
		snprintf(why, HTTP_WHY, "%s cannot be read", h->unread);
	if (h->fd >= 0)
		close(h->fd);
	h->fd = -1;
	*answer = h->answer;
	h->answer = NULL;
	return err;
}

char *http_escaped(struct http *h, const char *text)
{
	char *escaped = curl_easy_escape(h->curl, text, 0), *copy;

	if (!escaped)
		return NULL;
	copy = strdup(escaped);
	curl_free(escaped);
	return copy;
}

void http_free(struct http *h)
{
	if (!h)
		return;
	if (h->curl)
		curl_easy_cleanup(h->curl);
	curl_slist_free_all(h->headers);
	free(h);
}
