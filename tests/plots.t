#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# bno_plot and btt_plot with a real gnuplot: what they write is what it draws.
# (What is in the scripts, the cases of the two programs show.)
#
#	BIN=DIR prove tests/plots.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Suite::Files qw(slurp spew);
use Suite::Run qw(find_programs run_command);
use Test::More;

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('plots.XXXXXX', TMPDIR => 1, CLEANUP => 1);

# how a file of each format begins
my %BEGINNINGS = (
	svg => qr/\A<\?xml/, png => qr/\A\x89PNG/, eps => qr/\A%!PS/,
);

plan skip_all => 'gnuplot is not installed'
	unless grep { -x "$_/gnuplot" } split /:/, $ENV{PATH};

sub run_in_top
{
	my ($command) = @_;
	return run_command($command, $TOP, $PROGRAMS);
}

# A curve that a script lost would leave no line of its name in the graph.
sub test_latencies
{
	for my $format (sort keys %BEGINNINGS) {
		my $got = run_in_top("btt_plot -t q2c -o q2c.$format *q2c.dat");
		is($got->{rc}, 0, "btt_plot, $format: status 0");
		is($got->{err}, '', '... gnuplot finds nothing wrong');
		like(slurp("$TOP/q2c.$format"), $BEGINNINGS{$format},
		     '... a file of that format');
	}
	like(slurp("$TOP/q2c.svg"), qr/>8,0<.*>it&apos;s 8,1<|>8,0<.*>it's 8,1</s,
	     'both curves are in the graph, by their names');
}

sub test_blocks
{
	my $got = run_in_top("bno_plot --svg=blocks.svg blknos*");

	is($got->{rc}, 0, 'bno_plot: status 0');
	like(slurp("$TOP/blocks.svg"), qr/\A<\?xml.*btt Generated Block/s,
	     '... an SVG with the title');
}

# A graph that cannot be written, or is drawn nowhere, is a failure.
sub test_nowhere
{
	my $got = run_in_top('bno_plot --svg=/dev/full blknos*');

	is($got->{rc}, 1, 'bno_plot, a full disk: status 1');
	like($got->{err}, qr{^bno_plot: /dev/full: No space left}m,
	     '... and the reason');
	$got = run_in_top('mkdir tmp && TMPDIR=$PWD/tmp env -u DISPLAY ' .
			  '-u WAYLAND_DISPLAY -u GNUTERM bno_plot blknos*');
	is($got->{rc}, 1, 'bno_plot without a display: status 1');
	like($got->{err}, qr/^bno_plot: gnuplot has no display .*--svg=FILE$/m,
	     '... and what to do');
	is_deeply([glob "$TOP/tmp/*"], [], '... nothing is left behind');
}

# btt -B and btt -s with one name: only the blocks are block numbers.
sub test_all_blocks
{
	mkdir "$TOP/seeks" or die "mkdir: $!\n";
	spew("$TOP/seeks/run_8,0_$_.dat", "0.1 1000 1008\n0.2 2000 2008\n")
		for qw(c r w q2q_c q2q_r d2d_c d2d_w);
	my $got = run_in_top('cd seeks && btt_plot -A -t bnos -v');
	is($got->{rc}, 0, 'btt_plot -A -t bnos: status 0');
	is($got->{out}, "bnos: run_8,0_c.dat -> bnos_run_8,0_c.png\n",
	   '... seek files are not taken for blocks');
}

spew("$TOP/a_8,0_q2c.dat", join '', map { "$_ 0.1\n" } 1 .. 20);
spew("$TOP/b_it's 8,1_q2c.dat", join '', map { "$_ 0.$_\n" } 1 .. 2000);
spew("$TOP/blknos_8,0_r.dat", join '', map {
	"$_ ${_}000 " . (1000 * $_ + $_ % 7) . "\n" } 1 .. 20);
test_latencies();
test_blocks();
test_nowhere();
test_all_blocks();
done_testing();
