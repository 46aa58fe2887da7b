# SPDX-License-Identifier: GPL-2.0-only
# Traces that tests make up: ios by what they are, as version 7 records.
package Suite::Made;

use strict;
use warnings;
use Exporter 'import';

our @EXPORT_OK = qw(made_ios made_queue made_sealed made_trace);

my ($READ, $WRITE, $DISCARD, $FS) = (1 << 16, 1 << 17, 1 << 29, 1 << 24);
my ($SYNC, $META, $FUA) = (1 << 19, 1 << 28, 1 << 31);
my %KINDS = (R => $READ, W => $WRITE, D => $WRITE | $DISCARD,
	     WS => $WRITE | $SYNC, WSM => $WRITE | $SYNC | $META,
	     WFSM => $WRITE | $FUA | $SYNC | $META);
my ($NAME, $MESSAGE) = (0x04000000, 0x04000002);
my ($Q, $D, $C) = (1 | 1 << 20, 7 | 1 << 22 | $FS, 8 | 1 << 23 | $FS);

sub event
{
	my ($time, $action, %io) = @_;
	my $text = $io{name} // '';
	return [$time, pack('L L Q Q L L L L L S S', 0x65617407, 0,
			    int($time * 1e9 + 0.5), $io{sector} // 0,
			    $io{bytes} // 4096, $action, $io{pid} // 100,
			    ($io{device} // 8) << 20, 0, 0, length $text) .
		$text];
}

# the events in the order of time, numbered
sub in_order
{
	my $number = 0;
	my @sorted = map { $_->[1] } sort { $a->[0] <=> $b->[0] } @_;
	substr $_, 4, 4, pack 'L', ++$number
		for grep { !(unpack('x28 L', $_) & $NAME) } @sorted;
	return join '', @sorted;
}

# The trace of ios { time, sector, op (R, W, D, WS, WSM, WFSM), bytes, pid, name, device,
# took, hangs }, in seconds: each is queued, issued and, unless it hangs, completes.
sub made_ios
{
	return made_trace(\@_, []);
}

# The same with marks { time, text, pid, device } among them.
sub made_trace
{
	my ($ios, $marks) = @_;
	my @events = map { event($_->{time}, $MESSAGE, %$_,
				 name => $_->{text}, bytes => 0) } @$marks;

	for my $io (@$ios) {
		my $kind = $KINDS{$io->{op}};
		my $time = $io->{time};
		push @events, event($time, $NAME, pid => $io->{pid},
				    name => $io->{name}) if $io->{name};
		push @events, event($time, $Q | $kind, %$io),
			event($time, $D | $kind, %$io);
		push @events, event($time + ($io->{took} // 0.001), $C | $kind, %$io) unless $io->{hangs};
	}
	return in_order(@events);
}

# the same of ios that are queued only
sub made_queue
{
	return in_order(map { event($_->{time}, $Q | $KINDS{$_->{op}}, %$_) }
			@_);
}

# A seal of a CPU's stream: 0 opens it, 1 continues, 2 ends; at a time, after so
# many records, the last of them in $bytes.
sub seal
{
	my ($kind, $time, $cpu, $streams, $records, $bytes, $ends) = @_;
	my $ns = int($time * 1e9 + 0.5);
	my $words = $bytes . "\0" x (-length($bytes) % 8);
	my $sum = 0;

	{
		use integer;
		$sum += $_ for unpack 'q<*', $words;
	}
	return pack('L L Q Q L L L L L S S', 0x65617407, 0, $ns, 0, 0,
		    0x04000053, 0, 8 << 20, $cpu, 0, 40) .
		pack('L L Q Q q Q', $kind, $streams, $records, 0, $sum,
		     $kind == 2 && $ends ? $ns : 0);
}

# The file of a CPU with the events of made_ios(), sealed, of a capture on
# a number of CPUs that ended at a time; or, if it was killed, was alive then.
sub made_sealed
{
	my ($events, $cpu, $streams, $end, $killed) = @_;
	my ($count, $at) = (0, 0);

	while ($at < length $events) {
		substr $events, $at + 40, 4, pack 'L', $cpu;
		$at += 48 + unpack 'x46 S', substr $events, $at, 48;
		$count++;
	}
	my ($first) = unpack 'x8 Q', $events;
	return seal(0, $first / 1e9, $cpu, $streams, 0, '') . $events .
		seal($killed ? 1 : 2, $end, $cpu, $streams, $count, $events, 1);
}

1;
