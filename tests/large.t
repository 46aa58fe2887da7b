#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Files above 2 and 4 GiB, where offsets of 32 bits end: what is behind a hole
# of that size is found, and where it is.
#
#	BIN=DIR prove tests/large.t
#
# tests/machines/check runs it with programs of a 32-bit machine, too.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Records qw(record queue_lines);
use Suite::Run qw(find_programs run_command);
use Test::More;

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('large.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $HOLE = 2 ** 32 + 2 ** 20;

# an event, a hole that takes no place on the disk, an event
sub make_trace
{
	my ($path) = @_;

	open my $out, '>:raw', $path or die "$path: $!\n";
	print $out record(number => 1, time => 1);
	seek $out, $HOLE, 1 or die "$path: $!\n";
	print $out record(number => 2, time => 2);
	close $out or die "$path: $!\n";
}

make_trace("$TOP/sda.blktrace.0");
my $hole = qr/: sda\.blktrace\.0: byte 48: zeros, $HOLE bytes passed over$/m;
my $got = run_command('blkparse -q sda', $TOP, $PROGRAMS);
is($got->{rc}, 1, 'a hole of 4 GiB is damage');
is_deeply([queue_lines($got->{out})], [1, 2], '... the event after it is shown');
like($got->{err}, $hole, '... it is said how large it is');

$got = run_command('blkparse -q -i - <sda.blktrace.0', $TOP, $PROGRAMS);
is_deeply([queue_lines($got->{out})], [1, 2], 'the same from a pipe');
like($got->{err}, qr/: standard input: byte 48: zeros, $HOLE bytes/,
     '... are counted');
done_testing();
