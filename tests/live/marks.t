#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Marks in captures by each way that this machine has, whatever they write to:
# each is there once, in its place by time, and the steps between them have the
# I/Os that were done there.
#
#	BIN=DIR prove tests/live/marks.t
#
# Works in a private mount namespace, on loop devices it makes itself.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../hostile", $FindBin::Bin;
use Cwd 'abs_path';
use File::Temp 'tempdir';
use JSON::PP;
use Machine qw(enter loops write_blocks);
use Process;
use Suite::Run qw(find_programs run_command);
use Test::More;
use Time::HiRes 'sleep';

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $END = 30;
my $NAME = qr{([^/]+)\z};
my $TOP;

sub run
{
	my ($command) = @_;
	return run_command($command, $TOP, $PROGRAMS);
}

# whether a capture takes marks by now, which it does while it records
sub is_marked
{
	my ($pid) = @_;
	for (1 .. 200) {
		return 1 if -S "/run/blktrace/$pid";
		last unless -e "/proc/$pid/fd/0";
		sleep 0.05;
	}
	return 0;
}

# mark, and what the program says
sub mark
{
	my ($text, @devices) = @_;
	my $got = run("blktrace --mark='$text' @devices");
	return "$got->{rc} $got->{err}";
}

my $dirs = 0;

# A capture of loop devices; DO what is to be done meanwhile.  Its directory.
sub capture
{
	my ($words, $loops, $do) = @_;
	my $dir = "$TOP/run" . $dirs++;
	mkdir $dir or die "$dir: $!\n";
	my $run = Process->start(['sh', '-c', "exec blktrace $words @$loops"],
				 $dir, $PROGRAMS->{path});

	ok(is_marked($run->pid), "blktrace $words takes marks");
	$do->();
	kill INT => $run->pid;
	my ($status) = $run->finish($END);
	is($status, 0, '... and ends well');
	ok(!-e '/run/blktrace/' . $run->pid, '... and takes no more');
	return $dir;
}

# steps of so many writes each
sub steps
{
	my ($loop, @counts) = @_;
	my $n = 0;

	for (@counts) {
		is(mark('step ' . $n++, $loop), '0 ', '... a mark');
		write_blocks($loop, $_);
	}
	is(mark('end'), '0 ', '... a mark of all devices');
}

# how many writes btstat counts from mark to mark
sub writes_between
{
	my ($trace, $marks) = @_;
	my $got = run("btstat --format=json --between='$marks' $trace");
	my @rows = grep { $_->{op} eq 'write' }
		@{decode_json($got->{out} || '{}')->{tables}{sums} || []};
	return @rows ? $rows[0]{ios} : 0;
}

sub check_steps
{
	my ($trace, $loop, @counts) = @_;
	my ($name) = $loop =~ $NAME;
	my $got = run("blkparse -q $trace");
	my @marks = $got->{out} =~ / m   N (.*)$/mg;

	is(join(';', @marks), join(';', (map { "step $_" } 0 .. $#counts),
				   'end'), '... each is there once');
	like(run("btstat --marks $trace")->{out}, qr/ (?:\Q$name\E|7,\d+) +\d+ +step 0$/m,
	     '... of its device');
	for my $n (0 .. $#counts) {
		my $next = $n < $#counts ? 'step ' . ($n + 1) : 'end';
		is(writes_between($trace, "step $n,$next"), $counts[$n],
		   "... $counts[$n] writes behind step $n");
	}
}

sub test_way
{
	my ($words, $loop, $of) = @_;
	my @counts = (7, 40, 1);
	my $dir = capture($words, [$loop], sub { steps($loop, @counts) });
	my ($name) = $loop =~ $NAME;

	check_steps(($of || sub { "$_[0]/$_[1]" })->($dir, $name), $loop,
		    @counts);
}

# two devices by one capture: a mark of one, and one of both
sub test_two
{
	my ($way, @loops) = @_;
	my @names = map { /$NAME/ } @loops;
	my $dir = capture("--via=$way", \@loops, sub {
		is(mark('one', $loops[1]), '0 ', 'a mark of one');
		is(mark('both', @loops), '0 ', 'a mark of both');
		is(mark('all'), '0 ', 'a mark of all');
		like(mark('x', '/dev/null'), qr/^1 .*not a block device/,
		     'no device: status 1');
	});
	my $json = decode_json(run("btstat --format=json $dir")->{out});
	is_deeply([map { [@{$_}{qw(text devices)}] } @{$json->{trace}{marks}}],
		  [['one', 1], ['both', 2], ['all', 2]],
		  '... each of theirs');
	is($json->{trace}{marks}[0]{device}, $names[1], '... the right one');
}

sub test_nothing
{
	my ($loop) = @_;

	like(mark('x', $loop), qr/^1 .*not traced now.*start blktrace first/,
	     'nothing is traced: status 1');
	like(mark('x' x 128), qr/^1 .*1 to 127 bytes/, '... too long');
	like(mark("a\tb"), qr/^1 .*control characters/, '... a tab');
	like(mark('bfq1'), qr/^1 .*driver/, "... a scheduler's");
}

my $hindrance = enter();
plan skip_all => $hindrance if $hindrance;
$TOP = tempdir('marks.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my @loops = loops($TOP, 2);

test_nothing($loops[0]);
for my $way (qw(ftrace bpf)) {
	SKIP: {
		skip "$way: not here", 1
			if run("blktrace --check --via=$way $loops[0]")->{rc};
		test_way("--via=$way", $loops[0]);
		test_way("--via=$way -z", $loops[0]);
		test_way("--via=$way --rotate=1s", $loops[0], sub { $_[0] });
		test_way("--via=$way >pipe -o -", $loops[0],
			 sub { "$_[0]/pipe" });
		test_way("--via=$way -a issue -a complete", $loops[0]);
		test_two($way, @loops);
	}
}
done_testing();
