#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Captures of two devices by each way that records leave blktrace: what comes
# out is sealed, every seal matches, and readers miss nothing.
#
#	BIN=DIR prove tests/live/seals.t
#
# Works in a private mount namespace, on loop devices it makes itself.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../hostile", $FindBin::Bin;
use Cwd 'abs_path';
use File::Temp 'tempdir';
use IO::Socket::IP;
use Machine qw(enter loops name_of wait_tracing);
use Process;
use Suite::Files 'slurp';
use Suite::Run qw(find_programs run_command);
use Test::More;
use Time::HiRes 'sleep';

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $END = 30;
my ($PASSES, $READS) = (5, 40);		# of reads on each CPU, over some 2 s
my @CPUS = map { /(\d+)$/ } glob '/sys/devices/system/cpu/cpu[0-9]*';
my $SEAL = pack 'L', 0x04000053;	# its action, in version 7
my ($TOP, @LOOPS);

my $dirs = 0;
sub new_dir
{
	my $dir = "$TOP/run" . $dirs++;
	mkdir $dir or die "$dir: $!\n";
	return $dir;
}

sub work
{
	for (1 .. $PASSES) {
		for my $loop (@LOOPS) {
			system "taskset -c $_ dd if=$loop of=/dev/null bs=4k " .
				"count=$READS iflag=direct 2>/dev/null" for @CPUS;
		}
		sleep 0.4;
	}
}

# A capture with that work: its directory; -1 if it did not end well.
sub capture
{
	my ($out, @words) = @_;
	my $dir = new_dir();
	my @out = $out ? (out => $out) : ();
	my $run = Process->start(['blktrace', @words, @LOOPS], $dir,
				 $PROGRAMS->{path}, @out);

	wait_tracing($run->pid);
	work();
	kill USR1 => $run->pid if grep { /^--ring/ } @words;
	sleep 0.5;
	kill INT => $run->pid;
	is($run->finish($END), 0, "@words: it ends well") or diag($run->errors);
	return $dir;
}

# NAMES there, or the trace of both devices if there are none: all of it there
sub whole
{
	my ($dir, $what, @names) = @_;
	my $got = run_command("btstat @names", $dir, $PROGRAMS);
	my $ios = @CPUS * $PASSES * $READS * @LOOPS;

	is($got->{err}, '', "$what: every seal matches");
	like($got->{out}, qr/^lost +none/m, "$what: and nothing is missing");
	like($got->{out}, qr/^I.Os +$ios: $ios measured \(100%\), 0 open/m,
	     "$what: each read is there");
}

sub files
{
	my ($dir, $top, @words) = @_;
	my @names = map { name_of($_) } @LOOPS;
	my @sealed = grep { /\.\d+$/ && index(slurp($_), $SEAL) >= 0 }
		glob "$dir/$top*";

	is(scalar @sealed, @LOOPS * @CPUS, "@words: each stream is sealed")
		unless grep { $_ eq '-z' } @words;
	whole($dir, "@words", map { "-D $top $_" } "@names");
}

sub test_files
{
	my (@words) = @_;
	my $dir = capture(undef, @words);

	mkdir "$dir/here";
	rename $_, s{.*/}{$dir/here/}r for glob "$dir/*.blktrace.*";
	files($dir, 'here/', @words);
}

# one file for both devices
sub test_packed
{
	my (@words) = @_;
	whole(capture(undef, '--pack', @words), '--pack', 'blktrace.btz');
}

sub test_pipe
{
	my (@words) = @_;
	my $stream = new_dir() . '/stream';

	open my $out, '>', $stream or die "$stream: $!\n";
	my $dir = capture($out, '-o', '-', @words);
	whole($dir, "a pipe @words", $stream);
}

sub test_segments
{
	my (@words) = @_;
	whole(capture(undef, '--rotate=1s', @words), "--rotate @words", '.');
}

# what a ring has dumped begins within the streams
sub test_ring
{
	my (@words) = @_;
	my $dir = capture(undef, '--ring=64M', '--on=exit', '--every=0s', @words);
	my ($dump) = glob "$dir/0001*";

	whole($dir, "--ring @words", $dump =~ s{.*/}{}r);
}

sub test_network
{
	my (@words) = @_;
	my $socket = IO::Socket::IP->new(LocalHost => '127.0.0.1', Listen => 1);
	my $port = $socket->sockport;
	my $at = new_dir();

	close $socket;
	my $server = Process->start(['blktrace', '-l', '--bind=127.0.0.1', '-p',
				     $port], $at, $PROGRAMS->{path});
	$server->read_until(qr/waiting for connections/, 10);
	capture(undef, '-h', '127.0.0.1', '-p', $port, @words);
	$server->signal('INT');
	$server->finish($END);
	my ($run) = glob "$at/127*";
	files($at, $run =~ s{.*/(.*)}{$1/}r, "network @words");
}

if (my $reason = enter()) {
	plan skip_all => $reason;
}
$TOP = tempdir('seals.XXXXXX', TMPDIR => 1, CLEANUP => 1);
@LOOPS = loops($TOP, 2);
test_files('--via=ftrace');
test_files('--via=ftrace', '-z');
test_files('--via=bpf');
test_packed('--via=ftrace');
test_pipe('--via=ftrace');
test_pipe('--via=ftrace', '--pack');
test_segments('--via=ftrace');
test_segments('--via=ftrace', '--pack');
test_ring('--via=ftrace');
test_ring('--via=ftrace', '--pack');
test_network('--via=ftrace');
test_network('--via=ftrace', '-s');
done_testing();
