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

our @EXPORT_OK = qw(deadline patience wait_taken);

# How long the slowest machine may need for what takes a moment on ours.  Only a
# test that fails waits that long.
my $AT_LAST = 600;

# How many times slower than alone on this machine a program is: a checker in
# front of it (WRAP), or built into it (SLOWER, so many times), and other
# processes, which this one has had to wait for as ours have.
sub slowness
{
	my ($ran, $waited) = split ' ', slurp('/proc/self/schedstat');
	my ($running) = slurp('/proc/loadavg') =~ m{ (\d+)/};
	my $cpus = () = slurp('/proc/cpuinfo') =~ /^processor/mg;
	my ($had, $has) = (1 + $waited / ($ran + 1), $running / ($cpus || 1));
	my $load = $had > $has ? $had : $has;

	return ($load > 1 ? $load : 1) *
		($ENV{WRAP} ? 20 : $ENV{SLOWER} || 1);
}

# What may take at most SECONDS here: the most that it may take now.
sub patience
{
	my ($seconds) = @_;
	return $seconds * slowness();
}

# Until when something is waited for that must happen, in SECONDS of patience,
# or as long as anybody may need.
sub deadline
{
	my ($seconds) = @_;
	return time + (defined $seconds ? patience($seconds) : $AT_LAST);
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

# Reads what there is until TEXT matches PATTERN; the text so far.  SECONDS are
# for what may not come at all.
sub read_until
{
	my ($self, $pattern, $seconds) = @_;
	my $end = deadline($seconds);

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

# Waits until what it has said on standard error matches PATTERN; all that it
# has said.
sub errors_until
{
	my ($self, $pattern) = @_;
	my $end = deadline();

	sleep 0.02 while $self->errors !~ $pattern && time < $end;
	return $self->errors;
}

# Until it handles the signal of that number, or keeps it waiting: before that,
# it would be ended by it.
sub wait_for_handler
{
	my ($self, $number) = @_;
	my $end = deadline();

	while ($self->runs && time < $end) {
		my $masks = slurp("/proc/$self->{pid}/status");
		last if $self->is_started && grep { hex($_) >> $number - 1 & 1 }
			$masks =~ /^Sig(?:Blk|Cgt):\t.*(.{8})$/mg;
		sleep 0.02;
	}
}

# whether it is the program by now, and no more a copy of this one, which has
# signals blocked as it begins
sub is_started
{
	my ($self) = @_;
	my $exe = readlink "/proc/$self->{pid}/exe";
	return defined $exe && $exe ne readlink '/proc/self/exe';
}

# Until all that was written to the pipe has been read from it.
sub wait_taken
{
	my ($into) = @_;
	my ($FIONREAD, $left) = (0x541b, pack 'i', 0);
	my $end = deadline();

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

# Waits for the end, or for SECONDS, after which it is killed.  Returns the
# status as a shell counts it.  The output goes on being read.
sub finish
{
	my ($self, $seconds) = @_;
	my $end = deadline($seconds);

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
sub errors { return -e $_[0]{errors} ? slurp($_[0]{errors}) : '' }
sub pid { return $_[0]{pid} }

1;
