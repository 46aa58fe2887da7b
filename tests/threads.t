#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# --threads: what programs print of recorded traces, and their status, is the same
# whether one thread reads, joins and counts, or several.
#
#	BIN=DIR [SHARED=DIR] [TRACES='NAME ...'] prove tests/threads.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Suite::Run qw(find_programs run_command);
use Suite::Tap qw(test_line work_in_order);
use Suite::Traces 'unpack_traces';

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $SHARED = $ENV{SHARED} || "$FindBin::Bin/../../shared";
my $TOP = tempdir('threads.XXXXXX', TMPDIR => 1, CLEANUP => 1);

# files instead of standard output, then its status
my $FILES = 'f() { blkparse @ -t -o text -d dump "$@"; echo $?; cksum text dump; ' .
	'rm text dump; }; f';
# a file that cannot grow; by default a signal ends who writes to it
my $SMALL = 'ulimit -c 0; ulimit -f 8; blkparse @ -o text "$@"; echo $?; ' .
	'cksum text; rm text';
# one file for standard output and messages
my $BOTH = 'f() { blkparse @ -v "$@" >both 2>&1; echo $?; cat both; rm both; }; f';
# a pipe without a reader
my $DEAF = 'f() ( mkfifo p; exec 3<>p 4>p 3<&-; rm p; blkparse @ "$@" >&4; ' .
	'echo $? ); f';

# @ is where --threads goes
my @COMMANDS = (
	'btstat @', 'btstat @ --interval=100ms', 'btstat @ --explain',
	'btstat @ --format=json --by=process,op', 'btstat @ --by=commit',
	'btexport @ --format=csv', 'btexport @ --format=fio',
	'btexport @ --table=latency --format=jsonl', 'btreport @ -o -',
	'blkparse @ -t', 'blkparse @ -d - -O', 'blkparse @ -d -', $FILES, $DEAF,
	$BOTH, "f() ( $SMALL ); f", "f() ( trap '' XFSZ; $SMALL ); f",
	'btt @ --seeks-per-second=s -A',
);

sub outcome
{
	my ($command, $threads, $dir) = @_;
	my $got = run_command($command =~ s/\@/--threads=$threads/r, $dir,
			      $PROGRAMS);
	# a page has its command line
	$got->{out} =~ s/--threads=\d/--threads/g;
	$got->{err} =~ s/ in \d+\.\d+ s;/ in some time;/;
	return join "\0", map { $got->{$_} // '' } qw(rc out err);
}

# how many lines of outcomes differ, and the first
sub difference
{
	my ($one, $other) = map { [split /\n/] } @_;
	my @at = grep { ($one->[$_] // '') ne ($other->[$_] // '') }
		0 .. ($#$one > $#$other ? $#$one : $#$other);
	my ($was, $is) = map { substr $_->[$at[0]] // '', 0, 100 } $one, $other;

	return @at . " lines: '$is', not '$was'";
}

# the devices of a folder, or its dump
sub names_in
{
	my ($dir) = @_;
	my %names = map { s/.*\///r =~ s/\.blktrace\..*//r => 1 }
		glob "\Q$dir\E/*.blktrace.* \Q$dir\E/*.bin";
	return join ' ', sort keys %names;
}

sub faults
{
	my ($item, $dir) = @_;
	my ($name, $trace) = @$item;
	my @faults;

	for my $command (map { "$_ " . names_in($trace) } @COMMANDS) {
		my $one = outcome($command, 1, $trace);
		push @faults, "$command: nothing is printed" if $one !~ /\n/;
		for my $threads (2, 3) {
			my $other = outcome($command, $threads, $trace);
			push @faults, "$command, $threads threads: " .
				difference($one, $other) if $other ne $one;
		}
	}
	return @faults;
}

my $traces = unpack_traces($FindBin::Bin, $SHARED, $TOP);
my %wanted = map { $_ => 1 } split ' ', $ENV{TRACES} || "@{[keys %$traces]}";
my @items = map { [$_, $traces->{$_}] } grep { $wanted{$_} } sort keys %$traces;
my $told = 0;
print '1..' . @items . "\n";
work_in_order(\@items, \&faults, sub {
	my ($item, @faults) = @_;
	test_line(++$told, $item->[0], @faults);
});
