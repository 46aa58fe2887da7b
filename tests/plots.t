#!/usr/bin/perl
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

spew("$TOP/a_8,0_q2c.dat", join '', map { "$_ 0.1\n" } 1 .. 20);
spew("$TOP/b_it's 8,1_q2c.dat", join '', map { "$_ 0.$_\n" } 1 .. 2000);
spew("$TOP/blknos_8,0_r.dat", join '', map {
	"$_ ${_}000 " . (1000 * $_ + $_ % 7) . "\n" } 1 .. 20);
test_latencies();
test_blocks();
done_testing();
