# SPDX-License-Identifier: GPL-2.0-only
# A bad network: a process between senders and a server that delays what they say,
# cuts their connections, or lets them wait until it does.
package Proxy;

use strict;
use warnings;
use Exporter 'import';
use IO::Select;
use IO::Socket::IP;
use POSIX ();
use Time::HiRes qw(sleep time);

our @EXPORT_OK = qw(proxy end_proxy faults);

# what may happen to a connection once it has carried its share of bytes
my @FAULTS = qw(cut cut stall);

sub listener
{
	return IO::Socket::IP->new(LocalHost => '127.0.0.1', Listen => 64,
				   ReuseAddr => 1) || die "listen: $@\n";
}

# A connection through us, as two ends that know each other; undef: no server.
sub join_ends
{
	my ($client, $port, $mean) = @_;
	my $server = IO::Socket::IP->new(PeerHost => '127.0.0.1',
					 PeerPort => $port);
	return undef unless $server;
	my $link = { left => int rand 2 * $mean,
		     fault => $FAULTS[rand @FAULTS] };
	return ({ fd => $client, peer => $server, link => $link },
		{ fd => $server, peer => $client, link => $link });
}

# Passes on what an end has to say; false: the connection is over.
sub pass_on
{
	my ($end) = @_;
	my $link = $end->{link};
	my $n = sysread $end->{fd}, my $bytes, 65536;

	return 0 unless $n;
	sleep rand 0.002 if rand() < 0.02;
	if (length $bytes > $link->{left}) {
		syswrite $end->{peer}, substr $bytes, 0, $link->{left};
		sleep 0.2 if $link->{fault} eq 'stall';
		return 0;
	}
	$link->{left} -= length $bytes;
	return defined syswrite $end->{peer}, $bytes;
}

# Serves for ever; each connection carries $mean bytes, more or less.
sub run
{
	my ($listener, $port, $mean, $report) = @_;
	my $ready = IO::Select->new($listener);
	my %ends;

	$SIG{PIPE} = 'IGNORE';
	for (;;) {
		for my $fd ($ready->can_read) {
			if ($fd == $listener) {
				my $client = $listener->accept or next;
				my @new = join_ends($client, $port, $mean);
				$ends{$_->{fd}} = $_ for grep { $_ } @new;
				$ready->add(map { $_->{fd} } grep { $_ } @new);
				next;
			}
			my $end = $ends{$fd} or next;
			next if pass_on($end);
			$ready->remove($fd, $end->{peer});
			delete @ends{$fd, $end->{peer}};
			close $_ for $fd, $end->{peer};
			syswrite $report, '.';
		}
	}
}

# In front of that port: { port, faults: a pipe with a byte for each }.
sub proxy
{
	my ($port, $mean) = @_;
	my $listener = listener();
	pipe my $faults, my $report or die "pipe: $!\n";
	my $pid = fork // die "fork: $!\n";

	if (!$pid) {
		srand;
		run($listener, $port, $mean, $report);
		POSIX::_exit(0);
	}
	return { port => $listener->sockport, pid => $pid, faults => $faults };
}

# connections that were cut since the last call
sub faults
{
	my ($proxy) = @_;
	return 0 unless IO::Select->new($proxy->{faults})->can_read(0);
	return sysread($proxy->{faults}, my $bytes, 65536) || 0;
}

sub end_proxy
{
	my ($proxy) = @_;
	kill KILL => $proxy->{pid};
	waitpid $proxy->{pid}, 0;
	return;
}

1;
