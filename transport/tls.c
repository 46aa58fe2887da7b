/* SPDX-License-Identifier: GPL-2.0-only */
/* Keys and certificates; see tls.h. */
#include <errno.h>
#include <gnutls/crypto.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transport/psk.h"
#include "transport/tls.h"
#include "transport/tls_impl.h"

/*
 * The cipher with hardware support and the shortest key comes first, as the
 * fastest.  An end without certificates accepts none, and the reverse.
 */
#define COMMON "NORMAL:-VERS-ALL:+VERS-TLS1.3:-CTYPE-ALL:+CTYPE-X509" \
	":-CIPHER-ALL:+AES-128-GCM:+AES-256-GCM:+CHACHA20-POLY1305"
#define ONLY_PSK ":-KX-ALL:+ECDHE-PSK:+DHE-PSK"
#define ALSO_PSK ":+ECDHE-PSK:+DHE-PSK"

__attribute__((format(printf, 3, 4)))
static int wrong(char why[TLS_WHY], int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, TLS_WHY, fmt, ap);
	va_end(ap);
	return err;
}

/* --- shared keys ---------------------------------------------------------- */

/* An unknown identity has a key that nobody knows: a peer cannot tell, by the
 * alert or by its time, whether the identity or the key was wrong. */
static int give_key(gnutls_session_t session, const char *identity,
		    gnutls_datum_t *key)
{
	struct tls_peer *peer = gnutls_session_get_ptr(session);
	const struct psk_list *l = &peer->tls->keys;
	struct psk_key k;
	int err = gnutls_rnd(GNUTLS_RND_NONCE, k.key, sizeof(k.key));

	peer->unknown = true;
	k.len = l->keys->len;
	for (size_t i = 0; i < l->count; i++) {
		if (strcmp(l->keys[i].identity, identity))
			continue;
		k = l->keys[i];
		peer->unknown = false;
	}
	key->data = err ? NULL : gnutls_malloc(k.len);
	if (key->data) {
		memcpy(key->data, k.key, k.len);
		key->size = (unsigned int)k.len;
	}
	explicit_bzero(&k, sizeof(k));
	return key->data ? 0 : -1;
}

static int serve_keys(struct tls *t, char why[TLS_WHY])
{
	if (gnutls_psk_allocate_server_credentials(&t->psk_server))
		return wrong(why, -ENOMEM, "out of memory");
	gnutls_psk_set_server_credentials_function(t->psk_server, give_key);
	return 0;
}

static int use_key(struct tls *t, const struct tls_options *o,
		   char why[TLS_WHY])
{
	const struct psk_key *k = psk_find(&t->keys, o->identity);
	gnutls_datum_t key;

	if (!k)
		return wrong(why, -ENOENT, "%.100s: no key of %.64s",
			     o->psk, o->identity);
	key = (gnutls_datum_t){ (unsigned char *)k->key, (unsigned int)k->len };
	if (gnutls_psk_allocate_client_credentials(&t->psk_client) ||
	    gnutls_psk_set_client_credentials(t->psk_client, k->identity, &key,
					      GNUTLS_PSK_KEY_RAW))
		return wrong(why, -ENOMEM, "out of memory");
	psk_free(&t->keys);
	return 0;
}

static int read_keys(struct tls *t, const struct tls_options *o,
		     char why[TLS_WHY])
{
	int err = psk_read(&t->keys, o->by, o->psk, why);

	if (err)
		return err;
	return o->server ? serve_keys(t, why) : use_key(t, o, why);
}

/* --- certificates --------------------------------------------------------- */

/* Both: a file's bytes, for secret_free(). */

static int read_secret(const struct tls_options *o, const char *path,
		       gnutls_datum_t *d, char why[TLS_WHY])
{
	size_t len = 0;

	d->data = (unsigned char *)secret_read(o->by, path, &len, why);
	d->size = (unsigned int)len;
	return d->data ? 0 : -EACCES;
}

static int read_public(const struct tls_options *o, const char *path,
		       gnutls_datum_t *d, char why[TLS_WHY])
{
	size_t len = 0;

	d->data = (unsigned char *)public_read(o->by, path, &len, why);
	d->size = (unsigned int)len;
	return d->data ? 0 : -EACCES;
}

/* The private key's file needs the rights of a shared key's. */
static int read_pair(struct tls *t, const struct tls_options *o,
		     char why[TLS_WHY])
{
	gnutls_datum_t cert, key;
	int err = read_secret(o, o->key, &key, why);

	if (err)
		return err;
	err = read_public(o, o->cert, &cert, why);
	if (err) {
		secret_free(key.data, key.size);
		return err;
	}
	err = gnutls_certificate_set_x509_key_mem(t->certificate, &cert, &key,
						  GNUTLS_X509_FMT_PEM);
	secret_free(cert.data, cert.size);
	secret_free(key.data, key.size);
	if (err < 0)
		return wrong(why, -EINVAL, "%.100s with %.100s: %s", o->cert,
			     o->key, gnutls_strerror(err));
	return 0;
}

static int read_authorities(struct tls *t, const struct tls_options *o,
			    char why[TLS_WHY])
{
	gnutls_datum_t ca;
	int n = read_public(o, o->ca, &ca, why);

	if (n)
		return n;
	n = gnutls_certificate_set_x509_trust_mem(t->certificate, &ca,
						  GNUTLS_X509_FMT_PEM);
	secret_free(ca.data, ca.size);
	if (n > 0)
		return 0;
	return wrong(why, -EINVAL, "%.100s: %s", o->ca, n ?
		     gnutls_strerror(n) : "no certificate in it");
}

static int read_revoked(struct tls *t, const struct tls_options *o,
			char why[TLS_WHY])
{
	gnutls_datum_t crl;
	int n = read_public(o, o->crl, &crl, why);

	if (n)
		return n;
	n = gnutls_certificate_set_x509_crl_mem(t->certificate, &crl,
						GNUTLS_X509_FMT_PEM);
	secret_free(crl.data, crl.size);
	if (n > 0)
		return 0;
	return wrong(why, -EINVAL, "%.100s: %s", o->crl, n ?
		     gnutls_strerror(n) : "no revocation list in it");
}

static int read_certificates(struct tls *t, const struct tls_options *o,
			     char why[TLS_WHY])
{
	int err;

	if (gnutls_certificate_allocate_credentials(&t->certificate))
		return wrong(why, -ENOMEM, "out of memory");
	err = read_pair(t, o, why);
	if (!err)
		err = read_authorities(t, o, why);
	return err || !o->crl ? err : read_revoked(t, o, why);
}

/* --- all of it ------------------------------------------------------------ */

static int set_priority(struct tls *t, const struct tls_options *o,
			char why[TLS_WHY])
{
	const char *text = !o->psk ? COMMON :
			   o->cert ? COMMON ALSO_PSK : COMMON ONLY_PSK;
	int err = gnutls_priority_init(&t->priority, text, NULL);

	if (err)
		return wrong(why, -ENOTSUP, "GnuTLS has no such TLS: %s",
			     gnutls_strerror(err));
	return 0;
}

bool tls_built(void)
{
	return true;
}

int tls_new(struct tls **out, const struct tls_options *o, char why[TLS_WHY])
{
	struct tls *t = calloc(1, sizeof(*t));
	int err;

	if (!t)
		return wrong(why, -ENOMEM, "out of memory");
	secret_guard();
	atomic_init(&t->owners, 1);
	t->server = o->server;
	err = set_priority(t, o, why);
	if (!err && o->psk)
		err = read_keys(t, o, why);
	if (!err && o->cert)
		err = read_certificates(t, o, why);
	if (err)
		tls_free(t);
	else
		*out = t;
	return err;
}

unsigned int tls_keys(const struct tls *t)
{
	return (unsigned int)t->keys.count;
}

struct tls *tls_share(struct tls *t)
{
	atomic_fetch_add(&t->owners, 1);
	return t;
}

void tls_free(struct tls *t)
{
	if (!t || atomic_fetch_sub(&t->owners, 1) > 1)
		return;
	psk_free(&t->keys);
	if (t->psk_client)
		gnutls_psk_free_client_credentials(t->psk_client);
	if (t->psk_server)
		gnutls_psk_free_server_credentials(t->psk_server);
	if (t->certificate)
		gnutls_certificate_free_credentials(t->certificate);
	if (t->priority)
		gnutls_priority_deinit(t->priority);
	free(t);
}
