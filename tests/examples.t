#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# README's examples: commands about the trace vda print the lines that README
# shows.
#
#	BIN=DIR prove tests/examples.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Suite::Files qw(slurp unpack_set);
use Suite::Run qw(find_programs run_command);
use Test::More;

my $TOP = "$FindBin::Bin/..";
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $DIR = tempdir('examples.XXXXXX', TMPDIR => 1, CLEANUP => 1);

# [command, lines that it shows] of every command about vda with such lines;
# "..." stands for lines that README leaves out
sub examples
{
	my @found;
	for my $block (slurp("$TOP/README") =~ /(^\t.*\n(?:^\t.*\n|^\n(?=\t))*)/mg) {
		my ($command, @shown) = map { s/^\t//r } split /\n/, $block;
		next unless $command =~ s/^\$ (?=.*\bvda\b)//;
		@shown = grep { $_ ne '...' && $_ ne '' } @shown;
		push @found, [$command, @shown] if @shown;
	}
	return @found;
}

unpack_set("$TOP/tests/data/smp4-merges-kworker", $DIR);
my @examples = examples();
cmp_ok(scalar @examples, '>=', 3, 'README has examples');
for my $example (@examples) {
	my ($command, @shown) = @$example;
	my $got = run_command($command, $DIR, $PROGRAMS);
	my %printed = map { $_ => 1 } split /\n/, $got->{out};
	is(join("\n", grep { !$printed{$_} } @shown), '', $command);
}
done_testing();
