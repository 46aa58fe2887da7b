# SPDX-License-Identifier: GPL-2.0-only
# Keys and certificates for tests, made by certtool(1).
package Authority;

use strict;
use warnings;
use Exporter 'import';
use Suite::Files 'spew';

our @EXPORT_OK = qw(make_key_file make_authority make_certificate
		    make_revocations);

# A file of lines identity:key, as psktool(1) leaves it.
sub make_key_file
{
	my ($path, @lines) = @_;

	spew($path, join '', map { "$_\n" } @lines);
	chmod 0600, $path or die "$path: $!\n";
	return $path;
}

sub certtool
{
	my ($log, @words) = @_;
	my $pid = fork // die "fork: $!\n";

	if (!$pid) {
		open STDOUT, '>>', $log and open STDERR, '>&', \*STDOUT
			and exec 'certtool', @words;
		exit 127;
	}
	waitpid $pid, 0;
	die "certtool @words: see $log\n" if $?;
}

# DIR/NAME.key and .pem by these lines of a template, signed with
# WORDS.
sub make_pair
{
	my ($dir, $name, $lines, @words) = @_;
	my ($log, $path) = ("$dir/certtool.log", "$dir/$name");

	spew("$path.tmpl", join '', map { "$_\n" } @$lines);
	certtool($log, '--generate-privkey', '--key-type', 'ecdsa',
		 '--outfile', "$path.key");
	chmod 0600, "$path.key" or die "$path.key: $!\n";
	certtool($log, @words, '--load-privkey', "$path.key",
		 '--template', "$path.tmpl", '--outfile', "$path.pem");
}

sub make_authority
{
	my ($dir, $name) = @_;
	make_pair($dir, $name, ["cn = $name", 'ca', 'cert_signing_key'],
		  '--generate-self-signed');
}

# What certtool knows as lines: cn, dns_name, ip_address, tls_www_server, ...
sub make_certificate
{
	my ($dir, $authority, $name, @lines) = @_;
	make_pair($dir, $name, ['signing_key', @lines],
		  '--generate-certificate',
		  '--load-ca-certificate', "$dir/$authority.pem",
		  '--load-ca-privkey', "$dir/$authority.key");
}

# DIR/NAME, a list of revoked certificates (none: an empty one) of AUTHORITY; WHAT
# is NAME and lines of certtool's.
sub make_revocations
{
	my ($dir, $authority, $what, @revoked) = @_;
	my ($name, @lines) = @$what;

	spew("$dir/$name.tmpl", join '', map { "$_\n" } 'crl_number = 1',
	     @lines);
	certtool("$dir/certtool.log", '--generate-crl',
		 '--load-ca-certificate', "$dir/$authority.pem",
		 '--load-ca-privkey', "$dir/$authority.key",
		 (map { ('--load-certificate', "$dir/$_.pem") } @revoked),
		 '--template', "$dir/$name.tmpl", '--outfile', "$dir/$name");
}

1;
