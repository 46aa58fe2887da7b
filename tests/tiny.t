#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Tiny traces with extreme numbers end every program that reads traces in 5 s of
# CPU time and 256 MiB, whatever is asked of it: tests/tiny/sweep, python3.
#
#	BIN=DIR [RUNS=N] [SEED=N] [KEEP=DIR] prove tests/tiny.t
#
# 2,000 runs of fixed seeds and 200 of today's; with RUNS so many of SEED.  What
# fails is in KEEP, build/tiny.failed, by seed: the traces, and the commands.
use strict;
use warnings;
use FindBin;
use Cwd 'abs_path';
use POSIX 'strftime';
use Test::More;

my $SWEEP = "$FindBin::Bin/tiny/sweep";
my $KEEP = abs_path($ENV{KEEP} || 'build/tiny.failed');

$ENV{BIN} = abs_path($ENV{BIN} || '.');
# a checker's memory is its own
$ENV{ROOM} = 0 if $ENV{WRAP} || $ENV{CHECKED};

plan skip_all => 'no python3' if system('python3 -c "" 2>/dev/null');
is(`$SWEEP --untried`, '', 'every option of reading is tried');
is($?, 0, '... as far as it could be looked at');

my @sweeps = $ENV{RUNS} ? ([$ENV{SEED} || 1, $ENV{RUNS}]) :
	([1, 2000], [strftime('%Y%m%d', gmtime) * 1000, 200]);
for my $sweep (@sweeps) {
	my ($seed, $runs) = @$sweep;
	my $got = `$SWEEP $seed $runs $KEEP`;
	is($got, "$runs runs, 0 failed\n", "$runs runs from seed $seed on");
}
done_testing();
