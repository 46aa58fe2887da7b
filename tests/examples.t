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

# what a command that is not ours has to be tried with first
my %TRIED = (sqlite3 => 'sqlite3 --version',
	     python3 => 'python3 -c "import pandas"');

# [command, lines that it shows]... of a block; "..." stands for lines that
# README leaves out, and lines behind >>> are python3's, which prints prompts
# on standard error
sub commands
{
	my @found;
	for (grep { $_ ne '...' && $_ ne '' } @_) {
		if (s/^\$ //) {
			push @found, [$_];
		} elsif (!s/^>>> //) {
			push @{$found[-1]}, $_;
		} elsif ($found[-1][0] =~ /^python3/) {
			$found[-1][0] .= "\n$_";
		} else {
			push @found, ["python3 -q -i <<'.'\n$_"];
		}
	}
	return @found;
}

# the commands of every block about vda that shows lines
sub examples
{
	my @blocks;
	for my $block (slurp("$TOP/README") =~ /(^\t.*\n(?:^\t.*\n|^\n(?=\t))*)/mg) {
		my @lines = map { s/^\t//r } split /\n/, $block;
		next unless $lines[0] =~ /^\$ .*\bvda\b/;
		my @commands = commands(@lines);
		push @blocks, \@commands if grep { @$_ > 1 } @commands;
	}
	return @blocks;
}

# why a command cannot be tried here, or nothing
sub lack
{
	my ($command, $err) = @_;
	my $tool = $command =~ s/\W.*//sr;

	return 'built without SQLite' if $err =~ /built without SQLite/;
	return unless $TRIED{$tool} &&
		run_command($TRIED{$tool}, $DIR, $PROGRAMS)->{rc};
	return "no $TRIED{$tool}";
}

sub test_block
{
	my @commands = @_;

	while (my $example = shift @commands) {
		my ($command, @shown) = @$example;
		my $got = run_command($command, $DIR, $PROGRAMS);
		my $lack = lack($command, $got->{err});
		skip $lack, 1 + @commands if $lack;
		my %printed = map { $_ => 1 } split /\n/, $got->{out};
		is(join("\n", $got->{rc} ? "status $got->{rc}" : (),
			grep { !$printed{$_} } @shown), '', $command =~ s/\n.*//sr)
			or diag($got->{err});
	}
}

unpack_set("$TOP/tests/data/smp4-merges-kworker", $DIR);
my @blocks = examples();
cmp_ok(scalar @blocks, '>=', 3, 'README has examples');
for my $block (@blocks) {
	SKIP: { test_block(@$block) }
}
done_testing();
