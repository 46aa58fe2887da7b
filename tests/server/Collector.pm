# SPDX-License-Identifier: GPL-2.0-only
# Collectors (blktrace -l) in directories of their own, and good clients of them.
package Collector;

use strict;
use warnings;
use Cwd 'abs_path';
use Exporter 'import';
use File::Path 'make_path';
use File::Temp 'tempdir';
use FindBin;
use IO::Socket::IP;
use POSIX ();
use Process;
use Records qw(trace);
use Suite::Files qw(slurp spew);
use Suite::Run 'find_programs';
use Test::More;
use Time::HiRes 'time';
use Wire qw(header connect_to say hear ask finish $CLOSE $ANSWER);

our @EXPORT_OK = qw($PROGRAMS $TOP $CAPTURE make_root unsealed free_port new_dir serve serve_here
		    serve_again stop
		    files_of stored open_one send_data good_run is_well
		    is_dropped cpu_seconds flooder take_turns);

our $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
our $TOP = tempdir('server.XXXXXX', TMPDIR => 1, CLEANUP => 1);

# bench/capture, which sends files as if the kernel had them
our $CAPTURE = abs_path(($ENV{UNITS} || "$FindBin::Bin/../build/tests/unit")
	. '/../../bench/capture');

die "no blktrace in $PROGRAMS->{dir}\n" unless -x "$PROGRAMS->{dir}/blktrace";

# --- servers -----------------------------------------------------------------

# A port that nobody has just now, and that no connection is given while its server
# is away, as it is below those (ip_local_port_range).
sub free_port
{
	for (1 .. 1000) {
		my $port = 10000 + int rand 20000;
		return $port if IO::Socket::IP->new(LocalHost => '127.0.0.1',
						    LocalPort => $port,
						    Listen => 1);
	}
	die "no port is free\n";
}

my $dirs = 0;
sub new_dir
{
	my $dir = "$TOP/" . $dirs++;
	mkdir $dir or die "$dir: $!\n";
	return $dir;
}

# A server in a directory of its own, ready for clients: { dir, port, run }.
sub serve
{
	my (@options) = @_;
	my $server = { dir => new_dir(), port => free_port() };

	serve_again($server, @options);
	return $server;
}

# Another one in place of one that has ended, in the same directory.
sub serve_again
{
	my ($server, @options) = @_;

	$server->{run} = Process->start(['blktrace', '-l', '-p',
					 $server->{port}, @options],
					$server->{dir}, $PROGRAMS->{path});
	$server->{run}->read_until(qr/waiting for connections/);
	return;
}

# a server that only the loopback reaches
sub serve_here
{
	return serve('--bind', '127.0.0.1', @_);
}

# Ends it: its status; text and errors are the run's.
sub stop
{
	my ($server) = @_;
	$server->{run}->signal('TERM');
	return $server->{run}->finish;
}

# the files it wrote, relative to its directory, the time taken out
sub files_of
{
	my ($server) = @_;
	my $time = qr/-\d{4}-[-\d]+:\d\d:\d\d/;
	return map { s{^\Q$server->{dir}/\E}{}r =~ s/$time//r }
		sort glob "$server->{dir}/*/*";
}

# the bytes of the one file of that name
sub stored
{
	my ($server, $name) = @_;
	my @found = glob "$server->{dir}/*/$name";
	return @found == 1 ? slurp($found[0]) : @found . " files";
}

# What capture reads as the kernel's file; where that is.
sub make_root
{
	my ($name, $bytes) = @_;
	my $root = "$TOP/$name";

	make_path("$root/block/sda");
	spew("$root/block/sda/trace0", $bytes);
	spew("$root/block/sda/dropped", "0\n");
	return $root;
}

# a CPU's file as it was recorded: without blktrace's seals
sub unsealed
{
	my ($bytes) = @_;
	my $recorded = '';

	while (length $bytes) {
		my ($action, $payload) = unpack 'x28 L x14 S', $bytes;
		my $record = substr $bytes, 0, 48 + $payload, '';

		$recorded .= $record if $action != 0x04000053;
	}
	return $recorded;
}

# A good client: one CPU's connection, opened and answered.
sub open_one
{
	my ($server, @fields) = @_;
	my $socket = connect_to($server->{port}) or return undef;
	my $len = ask($socket, @fields);
	return defined $len && $len == $ANSWER ? $socket : undef;
}

sub send_data
{
	my ($socket, $bytes, @fields) = @_;
	return say($socket, header(@fields, len => length $bytes) . $bytes);
}

# a whole run of one CPU; true if all of it was answered
sub good_run
{
	my ($server, $bytes, @fields) = @_;
	my $socket = open_one($server, @fields) or return 0;

	return send_data($socket, $bytes, @fields) &&
		(ask($socket, @fields, cpu => 0, len => $CLOSE) || 0)
			== $ANSWER && finish($socket);
}

# The server is well: another client's run comes out exactly.
sub is_well
{
	my ($server, $name) = @_;
	my $bytes = trace(1, 50);
	my $device = 'well' . int rand 1e9;

	ok(good_run($server, $bytes, name => $device, run => 1e6 + rand 1e6)
	   && stored($server, "$device.blktrace.0") eq $bytes,
	   "$name: others are served");
}

# the server has ended this conversation
sub is_dropped
{
	my ($socket, $name) = @_;
	is(hear($socket, 1), '', $name);
	close $socket;
}

# CPU seconds that the server has used
sub cpu_seconds
{
	my ($server) = @_;
	my @fields = split ' ', slurp('/proc/' . $server->{run}->pid . '/stat')
		=~ s/.*\) //sr;
	return ($fields[11] + $fields[12]) / 100;
}

# A process that sends as fast as it can until the connection ends: its pid.
sub flooder
{
	my ($server, @fields) = @_;
	my $socket = open_one($server, @fields) or die "not opened\n";
	my $block = trace(1, 1000);
	my $data = header(@fields, len => length $block) . $block;
	my $pid = fork // die "fork: $!\n";

	if (!$pid) {
		1 while say($socket, $data);
		POSIX::_exit(0);
	}
	return $pid;
}

# A process with a connection from elsewhere, which opens so many lanes, says so,
# waits until GO ends and sends blocks of 3 bytes to all of them until it is
# killed: its pid.
sub scatterer
{
	my ($server, $run, $lanes, $ready, $go, $gate) = @_;
	my $pid = fork // die "fork: $!\n";
	return $pid if $pid;

	close $gate;
	my $socket = connect_to($server->{port}, undef, '127.0.0.2');
	my $blocks = '';
	for my $lane (0 .. $lanes - 1) {
		my @fields = (run => $run, max_cpus => 1024,
			      name => 's' . ($lane >> 10), cpu => $lane & 1023);
		(ask($socket, @fields) // 0) == $ANSWER or POSIX::_exit(1);
		$blocks .= header(@fields, len => 3) . 'xyz';
	}
	syswrite $ready, '.';
	sysread $go, my $none, 1;
	1 while say($socket, $blocks);
	POSIX::_exit(0);
}

# Eight connections with so many lanes each, which keep the server as busy as they
# can; beside them a good client, so many times: whether all were connected, how
# often the client was served, and the times that took, sorted, in s.
sub take_turns
{
	my ($server, $lanes, $times, $bytes) = @_;
	pipe my $said, my $ready or die "pipe: $!\n";
	pipe my $go, my $gate or die "pipe: $!\n";
	my @busy = map {
		scatterer($server, $_, $lanes, $ready, $go, $gate)
	} 1 .. 8;
	close $ready;		# one that is dropped would be waited for
	my ($connected, $right, @took) = (hear($said, 8) eq '.' x 8, 0);

	# those that flood would keep the last from opening its lanes in time
	close $gate;
	for my $run (11 .. 10 + $times) {
		my $start = time;
		$right++ if good_run($server, $bytes, name => "n$run",
				     run => $run);
		push @took, time - $start;
	}
	kill KILL => @busy;
	waitpid $_, 0 for @busy;
	return ($connected, $right, sort { $a <=> $b } @took);
}

1;
