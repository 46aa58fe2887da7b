# SPDX-License-Identifier: GPL-2.0-only
# Numbers as a page shows them, said here once more: tests compare what they
# count themselves with what is to be read on a page.
package Suite::Figures;

use strict;
use warnings;
use Exporter 'import';
use File::Basename 'dirname';
use POSIX qw(nextafter);
use Suite::Files 'slurp';

our @EXPORT_OK = qw(figure_cases figure_text);

my $CASES = dirname(__FILE__) . '/../../unit/figures.h';
my %UNITS = (
	TIME => [[1e9, 's'], [1e6, 'ms'], [1e3, "\x{b5}s"], [1, 'ns']],
	SIZE => [[2 ** 40, 'TiB'], [2 ** 30, 'GiB'], [2 ** 20, 'MiB'],
		 [2 ** 10, 'KiB'], [1, 'B']],
);

# all cases that there are: [kind, value, text]
sub figure_cases
{
	my $text = slurp($CASES);

	utf8::decode($text);
	return map { [$_->[0], 0 + $_->[1], $_->[2] =~ tr/~/\x{202f}/r] }
		map { /^\t\{ (\w+), ([\d.]+), "(.*)" \},$/ ? [$1, $2, $3] : () }
		split /\n/, $text;
}

sub grouped
{
	my ($n) = @_;
	1 while $n =~ s/^(\d+)(\d{3})/$1\x{202f}$2/;
	return $n;
}

# three digits, or what there is of them; just between two goes up
sub short
{
	my ($v) = @_;
	my $between = sprintf('%.19e', $v) =~ /^\d\.\d\d50{15}/;

	return grouped(int($v + 0.5)) if $v >= 999.5;
	return sprintf '%.3g', $between ? nextafter($v, 9 ** 99) : $v
		if $v >= 0.001;
	return $v > 0 ? '<0.001' : '0';
}

# v, which is of a kind as in figures.h, as text
sub figure_text
{
	my ($kind, $v) = @_;

	return grouped($v) if $kind eq 'COUNT';
	return short($v) if $kind eq 'DECIMAL';
	return short($v * 100) . "%" if $kind eq 'SHARE';
	my @units = @{$UNITS{$kind}};
	my ($unit) = grep { $v >= $_->[0] * 0.9995 } @units;

	$unit //= $units[-1];
	return short($v / $unit->[0]) . "\x{202f}$unit->[1]";
}

1;
