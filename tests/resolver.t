#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A name server that swallows all questions: blktrace -h waits for it, but not
# when it is told to end.
#
#	BIN=DIR prove tests/resolver.t
#
# Works in a network and a mount namespace of its own, which takes root or
# user namespaces.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use IO::Socket::INET;
use Process 'patience';
use Suite::Files 'spew';
use Suite::Run 'find_programs';
use Test::More;
use Time::HiRes qw(sleep time);

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $HOST = 'collector.example.org';
my $SOON = 1;			# second that it may take to end

my ($SIOCSIFFLAGS, $IFF_UP) = (0x8914, 1);

# the loopback, which is down in a new namespace
sub raise_loopback
{
	my $socket = IO::Socket::INET->new(Proto => 'udp') or return 0;
	return ioctl $socket, $SIOCSIFFLAGS, pack 'a16 s x22', 'lo', $IFF_UP;
}

# The server, which never answers, where everybody asks; or nothing.
sub name_server
{
	my ($top) = @_;
	raise_loopback() or return undef;
	my $server = IO::Socket::INET->new(Proto => 'udp', LocalPort => 53,
					   LocalAddr => '127.0.0.1');
	spew("$top/resolv.conf", "nameserver 127.0.0.1\n");
	spew("$top/nsswitch.conf", "hosts: files dns\n");
	for my $file (qw(resolv.conf nsswitch.conf)) {
		return undef if system 'mount', '--bind', "$top/$file",
			"/etc/$file";
	}
	return $server;
}

# whether it has been asked, within SECONDS
sub is_asked
{
	my ($server, $seconds) = @_;
	my $ready = '';
	vec($ready, fileno $server, 1) = 1;
	return scalar select $ready, undef, undef, patience($seconds);
}

sub test_signal
{
	my ($server, $top, $signal) = @_;
	my $run = Process->start(['blktrace', '-h', $HOST, '/dev/null'], $top,
				 $PROGRAMS->{path});
	ok(is_asked($server, 60), "SIG$signal: the name server is asked");
	sleep 0.5;
	ok($run->runs, '... and waited for');
	recv $server, my $question, 512, 0;
	my $start = time;
	$run->signal($signal);
	is($run->finish, 1, '... the signal ends it');
	cmp_ok(time - $start, '<', patience($SOON), "... within $SOON s");
	is($run->text . $run->errors, '', '... silently');
}

my $inside = ['unshare', $> ? '-rmn' : '-mn'];
if (!$ENV{RESOLVER_INSIDE}) {
	plan skip_all => 'no namespaces of our own'
		if system "@$inside true 2>/dev/null";
	$ENV{RESOLVER_INSIDE} = 1;
	exec @$inside, $^X, $0 or die "unshare: $!\n";
}
my $top = tempdir('resolver.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $server = name_server($top);
plan skip_all => 'no name server of our own' unless $server;
test_signal($server, $top, $_) for qw(INT TERM);
done_testing();
