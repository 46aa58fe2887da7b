# SPDX-License-Identifier: GPL-2.0-only
# Somebody else's end of TLS: a program whose standard input is sent and whose
# standard output is what comes, as gnutls-cli, openssl s_client and their
# servers have it.
package Peer;

use strict;
use warnings;
use POSIX ();
use Suite::Files 'slurp';
use Time::HiRes qw(sleep time);

# Starts COMMAND; what it says on standard error goes to the file LOG.
sub start
{
	my ($class, $log, @command) = @_;

	pipe my $from, my $in or die "pipe: $!\n";
	pipe my $out, my $into or die "pipe: $!\n";
	my $pid = fork // die "fork: $!\n";
	if (!$pid) {
		$SIG{PIPE} = 'DEFAULT';
		close $in;
		close $out;
		open STDIN, '<&', $from and open STDOUT, '>&', $into
			and open STDERR, '>', $log and exec @command;
		POSIX::_exit(127);
	}
	return bless { in => $in, out => $out, pid => $pid, log => $log },
		$class;
}

sub in { return $_[0]{in} }
sub out { return $_[0]{out} }
sub log { return slurp($_[0]{log}) }

# no more is to be sent
sub close_in
{
	my ($self) = @_;
	close delete $self->{in} if $self->{in};
}

# Waits some seconds for its end, else ends it; true if it ended by itself.
sub finish
{
	my ($self, $seconds) = @_;
	my $end = time + $seconds;
	my $by_itself = 0;

	while (time < $end && !$by_itself) {
		$by_itself = waitpid($self->{pid}, POSIX::WNOHANG()) != 0;
		sleep 0.02 if !$by_itself;
	}
	return delete($self->{pid}) && 1 if $by_itself;
	kill 'KILL', $self->{pid};
	waitpid delete $self->{pid}, 0;
	return 0;
}

sub DESTROY
{
	my ($self) = @_;
	local $?;
	$self->finish(0) if $self->{pid};
}

1;
