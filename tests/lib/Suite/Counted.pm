# SPDX-License-Identifier: GPL-2.0-only
# What is in ranges of a trace's time, counted plainly: rows of btexport, and
# what doc/report.md says of which count.  Pages are held against it.
package Suite::Counted;

use strict;
use warnings;
use Exporter 'import';

our @EXPORT_OK = qw(counted_ranges count_of);

my @FIELDS = qw(link kind op bytes birth dev time_ns total_ns d2c_ns gap);
# operations that have a name of their own in a page; others are O
my %KEYS = (read => 'R', write => 'W', append => 'W', discard => 'D');

# a row's operation, or F: a flush, which moves no data
sub key_of
{
	my ($op, $bytes) = @_;

	return 'F' if $op eq 'flush';
	return 'O' if $op eq 'read' && !$bytes;
	return $KEYS{$op} // 'O';
}

# Counts of ranges [from, to) of ns, of what ended in them:
# [{ "device operation" => { n, bytes, q2c => [ns], d2c => [ns] } }].
# What has no Q counts on devices only that have none at all; the kernel's own
# flush requests count nowhere.
sub counted_ranges
{
	my ($command, @ranges) = @_;
	my @found = map { {} } @ranges;
	my (%queued, @more);

	open my $in, '-|', 'sh', '-c', "$command --format=tsv --no-header"
		. ' --fields=' . join(',', @FIELDS) or die "sh: $!\n";
	while (my $line = <$in>) {
		my ($link, $kind, $op, $bytes, $birth, $dev, $time, $total,
		    $d2c, $gap) = split /\t/, $line;
		next if $link eq 'split' || $kind =~ /^(?:pass|flush)$/;
		my $key = key_of($op, $bytes);
		my $counts = $birth eq 'Q';
		$queued{$dev} = 1 if $birth eq 'Q';
		next if $total eq '\N' || $gap > 0;
		my $end = $time + $total;
		for my $i (0 .. $#ranges) {
			next if $end < $ranges[$i][0] || $end >= $ranges[$i][1];
			my @row = ("$dev $key", $bytes,
				   $birth eq 'Q' ? $total : undef,
				   $d2c eq '\N' ? undef : $d2c);
			if ($counts) {
				add($found[$i], @row);
			} else {
				push @more, [$i, $dev, @row];
			}
		}
	}
	close $in;
	for my $more (grep { !$queued{$_->[1]} } @more) {
		my ($i, $dev, @row) = @$more;
		add($found[$i], @row);
	}
	return @found;
}

sub add
{
	my ($to, $key, $bytes, $q2c, $d2c) = @_;
	my $c = $to->{$key} //= { n => 0, bytes => 0, q2c => [], d2c => [] };

	$c->{n}++;
	$c->{bytes} += $bytes;
	push @{$c->{q2c}}, $q2c if defined $q2c;
	push @{$c->{d2c}}, $d2c if defined $d2c;
}

# Those of some keys together, with n, sum, max and percentiles of each span, as
# number ceil(p n) in order.  Of several operations bytes are those of reads and
# writes, and moved is the number of these.
sub count_of
{
	my ($range, @keys) = @_;
	my %sum = (n => 0, bytes => 0, moved => 0);
	my %ops = map { (substr($_, -1) => 1) } @keys;

	for my $key (grep { $range->{$_} } @keys) {
		my $c = $range->{$key};
		my $moves = keys %ops == 1 || $key =~ /[RW]$/;

		$sum{n} += $c->{n};
		$sum{bytes} += $c->{bytes} if $moves;
		$sum{moved} += $c->{n} if $moves;
		push @{$sum{$_}}, @{$c->{$_}} for qw(q2c d2c);
	}
	for my $span (qw(q2c d2c)) {
		my @ns = sort { $a <=> $b } @{$sum{$span} // []};
		my $total = 0;

		$total += $_ for @ns;
		$sum{$span} = @ns ? { n => scalar @ns, sum => $total,
			max => $ns[-1], p => [map { $ns[rank($_, @ns)] }
				500, 900, 990, 999] } : undef;
	}
	return \%sum;
}

# the place of a percentile, in thousandths, of values in order
sub rank
{
	my ($p, @ns) = @_;
	my $rank = int((@ns * $p + 999) / 1000) || 1;
	return $rank - 1;
}

1;
