# SPDX-License-Identifier: GPL-2.0-only
# What must hold for events from a pipe, whatever their order was in 1.3.0.
#
# Release 1.3.0 shows a pipe's events in batches, out of time order; we show
# them in time order.  So the bytes differ, but every event is still there
# once, and only events that came too late, counted on standard error, may be
# out of order.  Times, process names, latencies and the extent of completions
# are left out of the comparison: all depend on which events were seen before.
package Suite::LiveOrder;

use strict;
use warnings;
use Exporter 'import';

our @EXPORT_OK = qw(has_event_lines live_order_faults);

# device, CPU, sequence, time, pid, action, RWBS, rest, as printed by default
my $EVENT = qr/^\s*(\d+,\d+)\s+(\d+)\s+(\d+)\s+(\d+)\.(\d{9})
		\s+(\d+)(\s\d+,\d+)?\s+(\S+)\s+(\S+)(.*)$/mx;

# Times before the first shown are printed modulo 2^64 ns, their seconds
# modulo 2^32: this brings them back below zero.
my $WRAPPED = 1_000_000_000;
my $TURN = 1_266_874_889_709_551_616;

# default text without a format of its own
sub has_event_lines
{
	my ($command, $text) = @_;
	return $command !~ / -[fF] / && $text =~ $EVENT;
}

# Complaints.  Damage skipped by 1.3.0 but read by us adds events: more says
# that additional ones are fine.
sub live_order_faults
{
	my ($recorded, $ours, $errors, $more) = @_;
	my (%count, $said);
	my $late = late_count(times_of($ours));

	$count{$_}++ for events($ours);
	$count{$_}-- for events($recorded);
	my @lost = grep { $count{$_} < 0 } sort keys %count;
	my @new = $more ? () : grep { $count{$_} > 0 } sort keys %count;
	$said = $1 if $errors =~ /(\d+) lines? late/;
	return (first_of('lost', @lost), first_of('new', @new),
		$late > ($said || 0) ?
		"$late lines out of time order, not said to be late" : ());
}

sub first_of
{
	my ($what, @events) = @_;
	return () unless @events;
	return scalar(@events) . " kinds of event $what, such as $events[0]";
}

sub events
{
	my ($text) = @_;
	my @found;

	while ($text =~ /$EVENT/g) {
		my @event = ($1, $2, $3, $6, $8, $9);
		my $rest = $8 eq 'C' ? '' : $10;
		$rest =~ s{\[.*?\]}{[]};
		$rest =~ s{\( *\d+\) }{};
		push @found, join ' ', @event, $rest;
	}
	return @found;
}

sub times_of
{
	my ($text) = @_;
	my @times;

	while ($text =~ /$EVENT/g) {
		my $ns = $4 * 1_000_000_000 + $5;
		push @times, $4 > $WRAPPED ? $ns - $TURN : $ns;
	}
	return @times;
}

# how many come after a later one
sub late_count
{
	my @times = @_;
	my ($late, $newest) = (0, undef);

	for my $time (@times) {
		if (defined $newest && $time < $newest) {
			$late++;
		} else {
			$newest = $time;
		}
	}
	return $late;
}

1;
