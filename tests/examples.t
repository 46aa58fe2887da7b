#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The blocks of README and doc/cookbook.md print what is shown below their
# commands, to the character.  Here are those that need neither root nor a disk;
# tests/readme runs all of README's in a bare system.
#
#	BIN=DIR prove tests/examples.t [:: --write]
#
# --write puts what they print now into the documents: read what it changes.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Suite::Blocks qw(blocks_of masked with_outputs);
use Suite::Files qw(slurp spew unpack_set);
use Suite::Run qw(find_programs run_command);
use Test::More;

my $TOP = abs_path("$FindBin::Bin/..");
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
# as doc/, but for what commands write
my $DIR = tempdir('examples.XXXXXX', TMPDIR => 1, CLEANUP => 1);
# the fewest commands with output that each document must have
my %FEWEST = ('README' => 7, 'doc/cookbook.md' => 10);

# what a command that is not ours has to be tried with first
my %TRIED = (sqlite3 => 'sqlite3 --version',
	     python3 => 'python3 -c "import pandas"');

# python3's lines are one program, as each starts with what the last one left;
# prompts go to standard error
sub joined
{
	my @found;
	for my $x (@_) {
		if ($x->{who} ne '>>>') {
			push @found, { %$x };
		} elsif (@found && $found[-1]{who} eq '>>>') {
			$found[-1]{command} .= "\n$x->{command}";
			$found[-1]{shown} = $x->{shown};
		} else {
			push @found, { %$x };
		}
	}
	return @found;
}

sub run_example
{
	my ($example) = @_;
	return run_command($example->{command}, $DIR, $PROGRAMS)
		unless $example->{who} eq '>>>';
	return run_command("python3 -q -i 2>/dev/null <<'.'\n" .
			   "$example->{command}\n.", $DIR, $PROGRAMS);
}

# why a command cannot be tried here, or nothing
sub lack
{
	my ($example, $got) = @_;
	my $tool = $example->{who} eq '>>>' ? 'python3' :
		$example->{command} =~ s/\W.*//sr;

	return 'built without SQLite' if $got->{err} =~ /built without SQLite/;
	return unless $TRIED{$tool} &&
		run_command($TRIED{$tool}, $DIR, $PROGRAMS)->{rc};
	return "no $TRIED{$tool}";
}

# Runs a block; returns what its commands printed, by command.
sub test_block
{
	my ($examples) = @_;
	my %printed;

	while (my $example = shift @$examples) {
		my $got = run_example($example);
		my $lack = lack($example, $got);
		skip $lack, 1 + @$examples if $lack;
		my $shown = join '', map { "$_\n" } @{$example->{shown}};
		my $name = $example->{command} =~ s/\n.*//sr;
		is(masked($got->{out} . $got->{err}), masked($shown), $name);
		is($got->{rc}, 0, "$name: status");
		my $last = $example->{command} =~ s/.*\n(?=.)//sr;
		$printed{$example->{who} eq '>>>' ? $last :
			$example->{command}} = $got->{out} . $got->{err};
	}
	return %printed;
}

# a block about the recorded trace, without a command of root
sub is_recorded
{
	my ($block) = @_;
	return $block->[0]{command} =~ /\bdatabase\b/ &&
		!grep { $_->{who} eq '#' } @$block;
}

symlink "$TOP/doc/examples", "$DIR/examples" or die "$DIR/examples: $!\n";
symlink "$TOP/tests", "$DIR/tests" or die "$DIR/tests: $!\n";
for my $name (sort keys %FEWEST) {
	my $text = slurp("$TOP/$name");
	my %printed;
	my $shown = 0;
	for my $block (map { [joined(@$_)] } blocks_of($text)) {
		next unless is_recorded($block);
		$shown += grep { @{$_->{shown}} } @$block;
		SKIP: { %printed = (%printed, test_block($block)) }
	}
	cmp_ok($shown, '>=', $FEWEST{$name}, "$name shows outputs");
	spew("$TOP/$name", with_outputs($text, \%printed))
		if grep { $_ eq '--write' } @ARGV;
}
# files that a document names, from the top or from doc/
for my $name (sort(keys %FEWEST), 'doc/tour.md') {
	my @named = slurp("$TOP/$name") =~
		m{(?<![\w/.~-])((?:\w[\w-]*/)+[\w-]+\.(?:c|h|md|png|sql|service))\b}g;
	my @lacking = grep { !-e "$TOP/$_" && !-e "$TOP/doc/$_" } @named;
	is("@lacking", '', "$name names files that exist");
}
# one sitting
cmp_ok(scalar(() = slurp("$TOP/README") =~ /\n/g), '<=', 220, 'README is short');
done_testing();
