/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A connection by TLS; see conn_tls.h.
 *
 * GnuTLS reads one record at a time, so taking whole records leaves its buffers
 * empty: unread bytes are in the socket, where poll(2) sees them.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/time.h"
#include "transport/conn.h"
#include "transport/conn_tls.h"
#include "transport/identity.h"
#include "transport/tls_impl.h"

enum {
	RECORD = CONN_READ_MIN,	/* bytes, at most */
	NAMES_MAX = 32,		/* of a certificate, checked at most */
};

struct conn_tls {
	struct conn conn;
	struct tls_peer peer;	/* of the session */
	gnutls_session_t session;
	gnutls_typed_vdata_st wanted[2];	/* of a certificate */
	bool proven;		/* the handshake has succeeded */
	bool ended;		/* the peer sends no more */
	int error;		/* 0, or -errno: it is over */
	bool queued;		/* a record taken is not sent yet */
	char identity[IDENTITY];
};

/* --- failures ------------------------------------------------------------- */

/* Clearer than GnuTLS' own texts. */
static const struct {
	int code;
	const char *words;
} meanings[] = {
	{ GNUTLS_E_UNEXPECTED_PACKET_LENGTH, "it does not speak TLS" },
	{ GNUTLS_E_UNEXPECTED_PACKET, "it does not speak TLS" },
	{ GNUTLS_E_RECORD_OVERFLOW, "it does not speak TLS" },
	{ GNUTLS_E_UNSUPPORTED_VERSION_PACKET, "it does not speak TLS 1.3" },
	{ GNUTLS_E_NO_CIPHER_SUITES, "it has neither a key nor TLS 1.3" },
	{ GNUTLS_E_PREMATURE_TERMINATION, "it has ended the connection" },
	{ GNUTLS_E_PULL_ERROR, "it has ended the connection" },
	{ GNUTLS_E_PUSH_ERROR, "it has ended the connection" },
	{ GNUTLS_E_CERTIFICATE_REQUIRED, "it has no certificate" },
	{ GNUTLS_E_NO_CERTIFICATE_FOUND, "it has no certificate" },
	{ GNUTLS_E_INSUFFICIENT_CREDENTIALS, "it has not used a shared key" },
	{ GNUTLS_E_RECEIVED_ILLEGAL_PARAMETER, "its key is a different one" },
};

static const char *meaning(int code)
{
	for (size_t i = 0; i < sizeof(meanings) / sizeof(*meanings); i++)
		if (meanings[i].code == code)
			return meanings[i].words;
	return gnutls_strerror(code);
}

/* The certificate's faults in GnuTLS' words, without the last blank. */
static void explain_certificate(struct conn_tls *c)
{
	gnutls_datum_t text;
	size_t len;

	if (gnutls_certificate_verification_status_print(
			gnutls_session_get_verify_cert_status(c->session),
			GNUTLS_CRT_X509, &text, 0))
		return;
	snprintf(c->conn.why, CONN_WHY, "TLS: %s", (const char *)text.data);
	len = strlen(c->conn.why);
	while (len && strchr(" .", c->conn.why[len - 1]))
		c->conn.why[--len] = '\0';
	gnutls_free(text.data);
}

static void explain(struct conn_tls *c, int code)
{
	const char *alert;

	if (c->peer.unknown && code == GNUTLS_E_RECEIVED_ILLEGAL_PARAMETER) {
		snprintf(c->conn.why, CONN_WHY,
			 "TLS: it has an unknown identity");
		return;
	}
	if (code == GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR) {
		explain_certificate(c);
		return;
	}
	if (code != GNUTLS_E_FATAL_ALERT_RECEIVED) {
		snprintf(c->conn.why, CONN_WHY, "TLS: %s", meaning(code));
		return;
	}
	alert = gnutls_alert_get_name(gnutls_alert_get(c->session));
	snprintf(c->conn.why, CONN_WHY, "TLS: it refuses us: %s",
		 alert ? alert : "no reason is given");
}

/* Ends it for good, and tries to send the peer an alert. */
static int fail(struct conn_tls *c, int code)
{
	explain(c, code);
	if (code != GNUTLS_E_FATAL_ALERT_RECEIVED)
		gnutls_alert_send_appropriate(c->session, code);
	c->error = -EPROTO;
	return c->error;
}

/* Takes a negative result of GnuTLS: -EAGAIN, or ends it. */
static int failed(struct conn_tls *c, int code)
{
	if (gnutls_error_is_fatal(code))
		return fail(c, code);
	c->conn.wants = gnutls_record_get_direction(c->session) ? POLLOUT :
								  POLLIN;
	return -EAGAIN;
}

/* --- the handshake -------------------------------------------------------- */

/* A certificate's first DNS name, else its common name. */
static bool name_of(gnutls_x509_crt_t crt, char identity[IDENTITY])
{
	char name[IDENTITY];
	size_t len;
	int type = 0;

	for (unsigned int i = 0; i < NAMES_MAX && type >= 0; i++) {
		len = sizeof(name);
		type = gnutls_x509_crt_get_subject_alt_name(crt, i, name, &len,
							    NULL);
		if (type == GNUTLS_SAN_DNSNAME)
			return identity_set(identity, name, len);
		/* skips one that is too long */
		if (type == GNUTLS_E_SHORT_MEMORY_BUFFER)
			type = 0;
	}
	len = sizeof(name);
	return !gnutls_x509_crt_get_dn_by_oid(crt, GNUTLS_OID_X520_COMMON_NAME,
					      0, 0, name, &len) &&
	       identity_set(identity, name, len);
}

/* Sets the client's identity by its verified certificate. */
static bool certified(struct conn_tls *c)
{
	unsigned int count = 0;
	const gnutls_datum_t *peers =
		gnutls_certificate_get_peers(c->session, &count);
	gnutls_x509_crt_t crt;
	bool named;

	if (!peers || !count || gnutls_x509_crt_init(&crt))
		return false;
	named = !gnutls_x509_crt_import(crt, peers, GNUTLS_X509_FMT_DER) &&
		name_of(crt, c->identity);
	gnutls_x509_crt_deinit(crt);
	return named;
}

/* Sets the client's identity by its key. */
static bool keyed(struct conn_tls *c)
{
	const char *name = gnutls_psk_server_get_username(c->session);

	return name && identity_set(c->identity, name, strlen(name));
}

/* Checks again that the peer has been authenticated. */
static int check_proof(struct conn_tls *c)
{
	bool psk = gnutls_auth_get_type(c->session) == GNUTLS_CRD_PSK;
	bool good = psk ? c->peer.tls->psk_client || c->peer.tls->psk_server :
			  c->peer.tls->certificate != NULL;

	if (good && !psk)
		good = !gnutls_session_get_verify_cert_status(c->session);
	if (good && c->peer.tls->server)
		good = psk ? keyed(c) : certified(c);
	if (!good) {
		snprintf(c->conn.why, CONN_WHY, "TLS: it has no name that"
			 " could be a directory's");
		gnutls_alert_send(c->session, GNUTLS_AL_FATAL,
				  GNUTLS_A_ACCESS_DENIED);
		c->error = -EPROTO;
		return c->error;
	}
	c->proven = true;
	c->conn.identity = c->peer.tls->server ? c->identity : NULL;
	return 0;
}

static int tls_handshake(struct conn *base)
{
	struct conn_tls *c = (struct conn_tls *)base;
	int err;

	if (c->error || c->proven)
		return c->error;
	err = gnutls_handshake(c->session);
	return err < 0 ? failed(c, err) : check_proof(c);
}

/* --- bytes ---------------------------------------------------------------- */

/* Bytes of one record, or the result of failed(). */
static ssize_t read_record(struct conn_tls *c, uint8_t *p, size_t len)
{
	ssize_t n;

	if (c->error || c->ended)
		return c->error;
	n = gnutls_record_recv(c->session, p, len);
	c->ended = n == 0;
	return n < 0 ? failed(c, (int)n) : n;
}

static ssize_t tls_read(struct conn *base, void *bytes, size_t len)
{
	struct conn_tls *c = (struct conn_tls *)base;
	uint8_t *p = bytes;
	size_t have = 0;
	ssize_t n;

	if (!c->proven)
		return -EPROTO;
	do {
		n = read_record(c, p + have, len - have);
		have += n > 0 ? (size_t)n : 0;
	} while (n > 0 && len - have >= RECORD);
	return have ? (ssize_t)have : n;
}

/*
 * The next record's bytes, after the first sent bytes of the list: in place, or
 * gathered in block if the next piece is short.
 */
static size_t next_record(const struct iovec *iov, int count, size_t sent,
			  uint8_t block[RECORD], const void **bytes)
{
	size_t have = 0;

	for (; count; iov++, count--) {
		const uint8_t *p = iov->iov_base;
		size_t left = iov->iov_len, n;

		if (sent >= left) {
			sent -= left;
			continue;
		}
		p += sent;
		left -= sent;
		sent = 0;
		n = left < RECORD - have ? left : RECORD - have;
		*bytes = have ? block : p;
		if (!have && (n == RECORD || count == 1))
			return n;
		memcpy(block + have, p, n);
		*bytes = block;
		have += n;
		if (have == RECORD)
			break;
	}
	return have;
}

static ssize_t tls_write(struct conn *base, const struct iovec *iov, int count)
{
	struct conn_tls *c = (struct conn_tls *)base;
	uint8_t block[RECORD];
	const void *bytes;
	size_t sent = 0, len;
	ssize_t n = 0;

	if (c->error || !c->proven)
		return -EPROTO;
	for (; (len = next_record(iov, count, sent, block, &bytes)) > 0;
	     sent += (size_t)n) {
		n = c->queued ? gnutls_record_send(c->session, NULL, 0) :
				gnutls_record_send(c->session, bytes, len);
		c->queued = n == GNUTLS_E_AGAIN || n == GNUTLS_E_INTERRUPTED;
		if (n < 0)
			break;
	}
	if (n >= 0)
		return (ssize_t)sent;
	n = failed(c, (int)n);
	return sent ? (ssize_t)sent : n;
}

/* A peer that sends now breaks the protocol. */
static int tls_probe(struct conn *base)
{
	struct conn_tls *c = (struct conn_tls *)base;
	uint8_t byte;
	ssize_t n = read_record(c, &byte, 1);

	if (n > 0 && !c->error)
		c->error = -EPROTO;
	if (c->ended)
		return -ECONNRESET;
	return n == -EAGAIN ? 0 : c->error;
}

static void tls_end(struct conn *base)
{
	struct conn_tls *c = (struct conn_tls *)base;

	if (!c->error && c->proven)
		gnutls_bye(c->session, GNUTLS_SHUT_WR);
	shutdown(c->conn.fd, SHUT_WR);
}

static void tls_free_conn(struct conn *base)
{
	struct conn_tls *c = (struct conn_tls *)base;

	gnutls_deinit(c->session);
	tls_free(c->peer.tls);
	close(c->conn.fd);
	free(c);
}

static const struct conn_ops tls_ops = {
	tls_handshake, tls_read, tls_write, tls_probe, tls_end, tls_free_conn,
};

/* --- the beginning -------------------------------------------------------- */

static int give_credentials(struct conn_tls *c)
{
	const struct tls *t = c->peer.tls;
	int err = gnutls_priority_set(c->session, t->priority);

	if (!err && t->certificate)
		err = gnutls_credentials_set(c->session, GNUTLS_CRD_CERTIFICATE,
					     t->certificate);
	if (!err && t->psk_client)
		err = gnutls_credentials_set(c->session, GNUTLS_CRD_PSK,
					     t->psk_client);
	if (!err && t->psk_server)
		err = gnutls_credentials_set(c->session, GNUTLS_CRD_PSK,
					     t->psk_server);
	return err;
}

static bool is_address(const char *host)
{
	struct in6_addr a;

	return inet_pton(AF_INET, host, &a) == 1 ||
	       inet_pton(AF_INET6, host, &a) == 1;
}

/* Requires a certificate's purpose, and a server's name. */
static int want_certificate(struct conn_tls *c, const char *host)
{
	const char *purpose = c->peer.tls->server ? GNUTLS_KP_TLS_WWW_CLIENT :
					       GNUTLS_KP_TLS_WWW_SERVER;

	c->wanted[0] = (gnutls_typed_vdata_st){
		GNUTLS_DT_KEY_PURPOSE_OID, (unsigned char *)purpose, 0 };
	c->wanted[1] = (gnutls_typed_vdata_st){
		GNUTLS_DT_DNS_HOSTNAME, (unsigned char *)host, 0 };
	gnutls_session_set_verify_cert2(c->session, c->wanted, host ? 2 : 1, 0);
	if (c->peer.tls->server)
		gnutls_certificate_server_set_request(c->session,
						      GNUTLS_CERT_REQUIRE);
	if (!host || is_address(host))
		return 0;
	return gnutls_server_name_set(c->session, GNUTLS_NAME_DNS, host,
				      strlen(host));
}

/* Without session resumption: each connection authenticates. */
static int set_up(struct conn_tls *c, const char *host)
{
	unsigned int end = c->peer.tls->server ? GNUTLS_SERVER : GNUTLS_CLIENT;
	int err = gnutls_init(&c->session, end | GNUTLS_NONBLOCK |
			      GNUTLS_NO_SIGNAL | GNUTLS_NO_TICKETS);

	if (err)
		return err;
	gnutls_session_set_ptr(c->session, &c->peer);
	gnutls_handshake_set_timeout(c->session, 0);
	gnutls_transport_set_int(c->session, c->conn.fd);
	err = give_credentials(c);
	if (!err && c->peer.tls->certificate)
		err = want_certificate(c, host);
	if (err)
		gnutls_deinit(c->session);
	return err;
}

struct conn *conn_tls_new(struct tls *t, int fd, const char *host)
{
	struct conn_tls *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->conn.ops = &tls_ops;
	c->conn.fd = fd;
	c->conn.wants = POLLIN;
	c->conn.deadline = time_now_ms() + CONN_HANDSHAKE_MS;
	c->peer.tls = tls_share(t);
	if (!set_up(c, host))
		return &c->conn;
	tls_free(t);
	free(c);
	return NULL;
}
