# SPDX-License-Identifier: GPL-2.0-only
# Traces that tests make up: ios by what they are, as version 7 records.
package Suite::Made;

use strict;
use warnings;
use Exporter 'import';

our @EXPORT_OK = qw(made_ios made_queue made_trace);

my ($READ, $WRITE, $DISCARD, $FS) = (1 << 16, 1 << 17, 1 << 29, 1 << 24);
my %KINDS = (R => $READ, W => $WRITE, D => $WRITE | $DISCARD);
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

# The trace of ios { time, sector, op (R, W, D), bytes, pid, name, device,
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

1;
