# SPDX-License-Identifier: GPL-2.0-only
# A program that is watched while it runs: what it says so far, whether it
# still runs, how it ended.  For what Suite::Run's shell lines cannot do.
package Process;

use strict;
use warnings;
use Exporter 'import';
use POSIX ();
use Time::HiRes qw(sleep time);
use Suite::Files 'slurp';

our @EXPORT_OK = qw(patience wait_taken);

# Checkers make programs slow: one in front of them (WRAP), or one built into
# them (SLOWER, so many times).
sub patience
{
	my ($seconds) = @_;
	return $seconds * ($ENV{WRAP} ? 20 : $ENV{SLOWER} || 1);
}

# Starts COMMAND, an array, in DIR with PATH.  HOW: in and out are handles
# (in: /dev/null, out: a pipe of which out_handle() is ours to read);
# ignore: a signal that the parent has ignored.
sub start
{
	my ($class, $command, $dir, $path, %how) = @_;
	my $self = bless { errors => "$dir/stderr.$$." . int rand 1e9,
			   text => '' }, $class;

	pipe $self->{out}, my $into or die "pipe: $!\n";
	$self->{pid} = fork;
	die "fork: $!\n" unless defined $self->{pid};
	if ($self->{pid} == 0) {
		close $self->{out};
		$how{out} = $into unless $how{out};
		become($command, $dir, $path, $self->{errors}, %how);
	}
	return $self;
}

# the child's side; does not return
sub become
{
	my ($command, $dir, $path, $errors, %how) = @_;

	# a shell's background job ignores the last two
	$SIG{$_} = 'DEFAULT' for qw(PIPE INT QUIT);
	$SIG{$how{ignore}} = 'IGNORE' if $how{ignore};
	$ENV{PATH} = "$path:/usr/bin:/bin";
	$ENV{LC_ALL} = 'C';
	$ENV{TZ} = 'UTC0';
	chdir $dir
		and open(STDIN, $how{in} ? '<&' : '<', $how{in} || '/dev/null')
		and open(STDERR, '>', $errors)
		and open(STDOUT, '>&', $how{out})
		and exec { $command->[0] } @$command;
	POSIX::_exit(127);
}

# Reads what there is until TEXT matches PATTERN or SECONDS have passed;
# the text so far.
sub read_until
{
	my ($self, $pattern, $seconds) = @_;
	my $end = time + patience($seconds);

	while ($self->{text} !~ $pattern) {
		my $left = $end - time;
		last if $left <= 0;
		my $ready = '';
		vec($ready, fileno $self->{out}, 1) = 1;
		next unless select $ready, undef, undef, $left;
		last unless sysread $self->{out}, $self->{text}, 65536,
			length $self->{text};
	}
	return $self->{text};
}

# Waits until what it has said on standard error matches PATTERN, at most
# SECONDS; all that it has said.
sub errors_until
{
	my ($self, $pattern, $seconds) = @_;
	my $end = time + patience($seconds);

	sleep 0.02 while $self->errors !~ $pattern && time < $end;
	return $self->errors;
}

# Until it handles the signal of that number, or keeps it waiting: before that,
# it would be ended by it.
sub wait_for_handler
{
	my ($self, $number) = @_;
	my $end = time + patience(10);

	while ($self->runs && time < $end) {
		my $masks = slurp("/proc/$self->{pid}/status");
		last if grep { hex($_) >> $number - 1 & 1 }
			$masks =~ /^Sig(?:Blk|Cgt):\t.*(.{8})$/mg;
		sleep 0.02;
	}
}

# Until all that was written to the pipe has been read from it.
sub wait_taken
{
	my ($into) = @_;
	my ($FIONREAD, $left) = (0x541b, pack 'i', 0);
	my $end = time + patience(10);

	while (time < $end) {
		ioctl $into, $FIONREAD, $left or die "FIONREAD: $!\n";
		last unless unpack 'i', $left;
		sleep 0.02;
	}
}

sub close_out
{
	my ($self) = @_;
	close $self->{out};
}

sub signal
{
	my ($self, $name) = @_;
	kill $name, $self->{pid};
}

sub runs
{
	my ($self) = @_;
	return !defined $self->{status} &&
		!(waitpid($self->{pid}, POSIX::WNOHANG()) &&
		  defined($self->{status} = $?));
}

# Waits for the end, at most SECONDS; then it is killed.  Returns the status
# as a shell counts it.  The output goes on being read.
sub finish
{
	my ($self, $seconds) = @_;
	my $end = time + patience($seconds);

	$self->read_until(qr/(?!)/, $seconds) if defined fileno $self->{out};
	while ($self->runs) {
		if (time > $end) {
			$self->{late} = 1;
			$self->signal('KILL');
			$end += 3600;
		}
		sleep 0.01;
	}
	my $status = $self->{status};
	return $status & 127 ? 128 + ($status & 127) : $status >> 8;
}

sub out_handle { return $_[0]{out} }
sub text { return $_[0]{text} }
sub errors { return slurp($_[0]{errors}) }
sub pid { return $_[0]{pid} }

1;
