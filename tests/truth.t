#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# btexport's rows are the truth of 300 simulated traces (truth/): every column
# where no sector is used twice; elsewhere no wrong row claims to be sure.  The
# traces hold each situation of truth/situations.py.
#
#	BIN=DIR prove tests/truth.t
#	SEED=N prove tests/truth.t	other traces: seeds N to N + 299
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Suite::Run qw(find_programs run_command);
use Suite::Tap 'test_line';

my $HERE = $FindBin::Bin;
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('truth.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $FIRST = $ENV{SEED} || 1;
my $COUNT = 300;
# so many rows in a hundred have to be sure: where no sector is used twice, and
# of all
my ($ONCE_SURE, $SURE) = (99, 70);

# at least that many situations are known
my $SITUATIONS = 35;

my $number = 0;

sub is_none
{
	my ($name, $got, $what, @notes) = @_;
	my $value = $got->{$what};

	return test_line(++$number, $name) if defined $value && !$value;
	test_line(++$number, $name, "$what: " . ($value // 'not printed'),
		  @notes);
	return 1;
}

# Are enough rows sure?
sub is_sure
{
	my ($got, @notes) = @_;
	my ($once, $rows) = map { $_ || 1 } @$got{qw(once rows)};
	my @share = map { 100 * ($_ // 0) }
		($got->{once_sure} // 0) / $once,
		($got->{said_sure} // 0) / $rows;
	my @faults = $share[0] < $ONCE_SURE || $share[1] < $SURE ?
		(sprintf('%.1f%% and %.1f%%', @share), @notes) : ();

	return test_line(++$number, 'most rows are sure', @faults);
}

# Of sums that are lower bounds little is compared.
sub is_rare
{
	my ($name, $got) = @_;
	my ($bounds, $sums) = map { $_ // 0 } @$got{qw(bounds sums)};
	my @faults = $sums && 50 * $bounds < $sums ? () : "$bounds of $sums";

	test_line(++$number, $name, @faults);
	return @faults;
}

# Does each situation occur in the traces?
sub all_are_made
{
	my ($line) = @_;
	my %made = ($line // '') =~ /(\w+)=(\d+)/g;
	my @faults = map { "no $_" } grep { !$made{$_} } sort keys %made;

	push @faults, keys(%made) . " situations" if keys %made < $SITUATIONS;
	test_line(++$number, 'the traces hold every situation', @faults);
	return scalar @faults;
}

sub main
{
	my $got = run_command("BIN='$PROGRAMS->{path}' '$HERE/truth/check' $FIRST " .
			      $COUNT, $TOP, $PROGRAMS);
	my @notes = grep { /^#/ } split /\n/, $got->{out};
	my ($made, $totals) = $got->{out} =~ /^made (.*)\n(.*)/m;
	my %of = ($totals // '') =~ /(\w+)=(\d+)/g;
	my @faults = $got->{rc} ? ("status $got->{rc}", $got->{err}) : ();

	push @faults, "only $of{rows} rows" if ($of{rows} // 0) < 50_000;
	my $slices = run_command("BIN='$PROGRAMS->{path}' " .
				 "'$HERE/truth/slices' $FIRST 60",
				 $TOP, $PROGRAMS);
	my %sums = $slices->{out} =~ /(\w+)=(\d+)/g;

	print "1..7\n";
	test_line(++$number, "$COUNT traces are joined", @faults);
	return grep { $_ } scalar @faults, all_are_made($made),
		is_none('rows of sectors used once are true', \%of,
			'once_differ', @notes),
		is_none('no wrong row claims to be sure', \%of, 'sure_differ',
			@notes),
		is_sure(\%of, @notes),
		is_none('windows add up to the whole', \%sums, 'differ',
			split(/\n/, $slices->{out}), $slices->{err}),
		is_rare('few of them are bounds', \%sums);
}

exit(main() ? 1 : 0);
