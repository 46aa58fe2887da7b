# SPDX-License-Identifier: GPL-2.0-only
# A reader of Perfetto's traces, as far as btexport writes them: what packets
# are is in emit/perfetto/packet.h.
package Timeline;

use strict;
use warnings;
use Exporter 'import';

our @EXPORT_OK = qw(read_timeline);

# Fields of a message, each [NUMBER, VALUE]; dies of what is none.
sub fields
{
	my ($bytes) = @_;
	my ($at, $end, @fields) = (0, length $bytes);

	my $varint = sub {
		my ($value, $shift) = (0, 0);
		while (1) {
			die "cut short\n" if $at >= $end;
			my $byte = ord substr $bytes, $at++, 1;
			$value |= ($byte & 127) << $shift;
			return $value if $byte < 128;
			$shift += 7;
		}
	};
	while ($at < $end) {
		my $key = $varint->();
		my ($number, $kind) = ($key >> 3, $key & 7);
		my $length = $kind == 0 ? 0 : $kind == 1 ? 8 :
			$kind == 2 ? $varint->() : die "kind $kind\n";
		die "cut short\n" if $length > $end - $at;
		push @fields, [$number, $kind == 0 ? $varint->() :
			$kind == 1 ? unpack('Q<', substr $bytes, $at, 8) :
			substr $bytes, $at, $length];
		$at += $length;
	}
	return @fields;
}

# the same by number; of those that are there several times the last
sub message { return map { @$_ } fields($_[0]) }

# words by kind and number
sub learn_words
{
	my ($trace, $bytes) = @_;

	for my $field (fields($bytes)) {
		my %word = message($field->[1]);
		die "word $word{1} again\n"
			if defined $trace->{words}{$field->[0]}[$word{1}];
		$trace->{words}{$field->[0]}[$word{1}] = $word{2};
	}
}

sub learn_track
{
	my ($trace, $bytes) = @_;
	my %track = message($bytes);
	my $name = $track{2};

	die "track $track{1} again\n" if $trace->{tracks}{$track{1}};
	die "a group $track{5} that is not there\n"
		if $track{5} && !$trace->{tracks}{$track{5}};
	$trace->{tracks}{$track{1}} = { name => $name, rank => $track{12},
		group => $track{5} && $trace->{tracks}{$track{5}}{name} };
}

# what an event says beside its name
sub annotation
{
	my ($trace, $bytes) = @_;
	my %a = message($bytes);
	my $name = $trace->{words}{3}[$a{1}] // die "annotation $a{1}\n";

	return ($name, $a{4} // $trace->{words}{29}[$a{17}]
		// die "text $a{17}\n");
}

sub add_event
{
	my ($trace, $time, $bytes) = @_;
	my (%event, @annotations, @flows);

	for my $field (fields($bytes)) {
		my ($number, $value) = @$field;
		if ($number == 4) {
			push @annotations, annotation($trace, $value);
		} elsif ($number == 47) {
			push @flows, $value;
		} else {
			$event{$number} = $value;
		}
	}
	my $track = $trace->{tracks}{$event{11}} // die "track $event{11}\n";
	push @{$trace->{events}}, { time => $time, type => $event{9},
		track => $track->{name}, value => $event{30},
		name => $event{10} && ($trace->{words}{2}[$event{10}]
			// die "name $event{10}\n"),
		annotations => { @annotations }, flows => \@flows };
}

sub add_packet
{
	my ($trace, $bytes) = @_;
	my %packet = message($bytes);

	learn_track($trace, $packet{60}) if $packet{60};
	learn_words($trace, $packet{12}) if $packet{12};
	if ($packet{6}) {
		my %clocks = map { my %c = message($_->[1]); ($c{1}, $c{2}) }
			fields($packet{6});
		$trace->{start} = $clocks{1};
	}
	return unless $packet{11};
	die "another sequence\n" if $packet{10} != 1;
	die "words are not used\n" unless $packet{13} & 2;
	add_event($trace, $packet{8}, $packet{11});
}

# begins and ends become slices, as Perfetto does it: by time, and at one time
# in the order of the file
sub make_slices
{
	my ($trace) = @_;
	my $events = $trace->{events};
	my @order = sort { $events->[$a]{time} <=> $events->[$b]{time}
		|| $a <=> $b } 0 .. $#$events;
	my %open;

	for my $e (@$events[@order]) {
		my $stack = $open{$e->{track}} //= [];
		if ($e->{type} == 4) {
			push @{$trace->{counters}{$e->{track}}},
				[$e->{time}, $e->{value}];
		} elsif ($e->{type} == 1) {
			push @{$trace->{slices}}, $e;
			$e->{level} = push @$stack, $e;
		} else {
			my $begin = pop @$stack // die "an end too much\n";
			$begin->{length} = $e->{time} - $begin->{time};
		}
	}
	die "no end\n" if grep { @$_ } values %open;
}

# A trace: tracks by number, slices and counters by time, start in ns since
# 1970 if it is known.  Dies of what cannot be read, or does not fit together.
sub read_timeline
{
	my ($bytes) = @_;
	my %trace = (tracks => {}, words => {}, events => [], slices => [],
		counters => {});

	for my $packet (fields($bytes)) {
		die "no packet\n" if $packet->[0] != 1;
		add_packet(\%trace, $packet->[1]);
	}
	make_slices(\%trace);
	return \%trace;
}

1;
