#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# btt as a program: damaged input, outputs that fail, signals.
#
#	BIN=DIR prove tests/btt.t
#
# What it counts and prints is for the cases (cases.t) and units.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Records 'record';
use Suite::Files qw(slurp spew);
use Suite::Run qw(find_programs run_command);
use Test::More;

my $ROOT = "$FindBin::Bin/..";
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('btt.XXXXXX', TMPDIR => 1, CLEANUP => 1);

my $DUMP = slurp("$ROOT/tests/cases/btt/all-files/in/x.bin");
my $RECORD = 48;

my $runs = 0;
sub new_dir
{
	my $dir = "$TOP/" . $runs++;
	mkdir $dir or die "mkdir: $!\n";
	spew("$dir/x.bin", $DUMP);
	return $dir;
}

# --- damage ------------------------------------------------------------------

# A cut dump: all that is whole is counted, the rest is said.
sub test_cuts
{
	my $len = length $DUMP;

	for my $at (1, 47, 48, 100, $len - 1, map { $_ * 997 % $len } 2 .. 9) {
		my $dir = new_dir();
		spew("$dir/x.bin", substr $DUMP, 0, $at);
		my $got = run_command('btt -i x.bin -A', $dir, $PROGRAMS);
		my $whole = whole_records($at);
		is($got->{rc}, $whole ? 0 : 1, "cut at byte $at: status");
		$whole ? is($got->{err}, '', '... nothing to say') :
			like($got->{err}, qr/^btt: x\.bin: byte \d+: .*\n\z/,
			     '... one line says where');
	}
}

# whether a cut at that byte is between two records
sub whole_records
{
	my ($cut) = @_;
	my $at = 0;

	$at += $RECORD + unpack 'v', substr $DUMP, $at + 46, 2
		while $at < $cut;
	return $at == $cut;
}

# Bytes changed by chance: an end, an exit status, whole lines.
sub test_chance
{
	srand 5;
	for my $round (1 .. 40) {
		my ($dir, $bytes) = (new_dir(), substr $DUMP, 0, 8000);
		substr($bytes, rand length $bytes, 1) = chr rand 256
			for 1 .. 4 ** ($round % 5);
		spew("$dir/x.bin", $bytes);
		my $got = run_command('btt -i x.bin -A -Z -P x -o out',
				      $dir, $PROGRAMS);
		ok($got->{rc} <= 1 && !$got->{late},
		   "bytes changed, round $round: it ends by itself");
		is($got->{rc} ? 1 : 0, $got->{err} =~ /^btt: / ? 1 : 0,
		   '... with a word if and only if the status is 1');
	}
}

# --- outputs -----------------------------------------------------------------

sub test_full
{
	my $dir = new_dir();
	my @files = ('ios', 'p_8,0_d2c.dat');
	my $got = run_command('btt -i x.bin >/dev/full', $dir, $PROGRAMS);

	is($got->{rc}, 1, 'standard output is full: status');
	like($got->{err}, qr/^btt: cannot write standard output.*space/,
	     '... and why');
	symlink '/dev/full', "$dir/$_" for @files;
	$got = run_command('btt -i x.bin -I ios -l p', $dir, $PROGRAMS);
	is($got->{rc}, 1, 'data files are full: status');
	like($got->{err}, qr/cannot write \Q$_\E, /, "... $_ is named")
		for @files;
	like($got->{out}, qr/Total Sys/, '... the report is all there');
}

# A pipe whose reader has gone: the end is SIGPIPE's, without a word.
sub test_closed_pipe
{
	my $dir = new_dir();
	# the reader has gone before the first word, however busy all is
	my $got = run_command('{ sleep 1; btt -i x.bin -A -d 0; ' .
		'echo $? >&2; } | :', $dir, $PROGRAMS);

	is($got->{err}, "141\n", 'nobody reads: SIGPIPE, silently');
}

# --- a live trace ------------------------------------------------------------

# Ctrl-C ends the reading of a pipe, and the report comes.
sub test_interrupt
{
	my $dir = new_dir();
	my $got = run_command('(cat x.bin; sleep 30) >pipe & ' .
		'btt -i pipe >report & sleep 4; kill -INT $!; wait $!; ' .
		'echo $?; kill %1; grep -c "Total Sys |" report',
		make_pipe($dir), $PROGRAMS);

	is($got->{out}, "0\n1\n", 'interrupted: status 0, and the report');
}

# -v: while it reads, a terminal at standard error shows it, nothing else does.
sub test_progress
{
	my $dir = new_dir();
	my $slow = '(cat many.bin; sleep 1.3; cat many.bin) | btt -v -';
	my $line = qr/^ *\d+ t\r/m;

	spew("$dir/many.bin", $DUMP x (3000 * $RECORD / length($DUMP) + 1));
	my $got = run_command("$slow | tail -c +1", $dir, $PROGRAMS);
	unlike($got->{out}, $line, '-v: standard output has no progress');
	like($got->{out}, qr/^\r {80}\r *\d+ traces @/m, '... but the last line');
	unlike($got->{err}, $line, '... nor has standard error in a file');
	$got = run_command("script -qec '$slow >report' typed >/dev/null;" .
			   ' cat typed; grep -c "t\r" report', $dir, $PROGRAMS);
	like($got->{out}, $line, '-v: a terminal shows it');
}

# A process's name and a message that would steer a terminal are shown by one.
sub test_terminal
{
	my $dir = new_dir();
	my $note = 1 << 26;

	spew("$dir/x.blktrace.0",
	     record(action => $note, pid => 7, payload => "\e[31mx\0\0") .
	     record(number => 1, time => 1, pid => 7, sector => 8,
		    bytes => 4096, action => 1 | 1 << 20) .
	     record(number => 2, time => 2, pid => 7, sector => 8,
		    action => 2 | $note, payload => "\e[2J\n"));
	my $plain = run_command('btt -A x', $dir, $PROGRAMS);
	like($plain->{out}, qr/\e\[31mx/m, 'a pipe gets names as they are');
	my $shown = run_command("script -qec 'btt -A x' typed >/dev/null; " .
				'cat typed', $dir, $PROGRAMS);
	like($shown->{out}, qr/\Q\x1b[31mx\E/, 'a terminal gets them escaped');
	like($shown->{out}, qr/\Q\x1b[2J\E/, '... and messages');
	unlike($shown->{out}, qr/\e\[/, '... and nothing else');
}

sub make_pipe
{
	my ($dir) = @_;
	system('mkfifo', "$dir/pipe") == 0 or die "mkfifo failed\n";
	return $dir;
}

test_cuts();
test_chance();
test_full();
test_closed_pipe();
test_interrupt();
test_progress();
test_terminal();
done_testing();
