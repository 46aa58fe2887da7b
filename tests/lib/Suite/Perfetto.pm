# SPDX-License-Identifier: GPL-2.0-only
# A Perfetto trace, made of what Suite::Perf has taken out of a perf.data: the same
# events in bundles, in rounds as traced_probes reads CPUs.
package Suite::Perfetto;

use strict;
use warnings;
use Compress::Zlib 'compress';
use Exporter 'import';
use Suite::Perf 'block_formats';

our @EXPORT_OK = qw(field packet bundles_of trace_of_bundles compressed_trace);

use constant { SAMPLE => 9, DEV_BITS => 20 };

my ($PID, $TIME, $CPU, $RAW_SIZE, $RAW) = (20, 24, 32, 48, 52);	# in a sample
my $ROUND = 1e6;		# ns
my $GENERIC = 327;

# each event's number and fields from 1, as Perfetto has them
my @BIO = qw(dev sector nr_sector rwbs comm);
my %EVENTS = (
	block_rq_issue => [45, qw(dev sector nr_sector bytes rwbs comm)],
	block_bio_backmerge => [115, @BIO],
	block_bio_complete => [117, qw(dev sector nr_sector error rwbs)],
	block_bio_frontmerge => [118, @BIO],
	block_bio_queue => [119, @BIO],
	block_bio_remap => [120, qw(dev sector nr_sector old_dev old_sector rwbs)],
	block_getrq => [122, @BIO],
	block_plug => [123, 'comm'],
	block_rq_complete => [125, qw(dev sector nr_sector errors rwbs cmd error)],
	block_rq_insert => [126, qw(dev sector nr_sector bytes rwbs comm)],
	block_rq_requeue => [129, qw(dev sector nr_sector errors rwbs)],
	block_split => [131, qw(dev sector new_sector rwbs comm)],
	block_unplug => [133, qw(nr_rq comm)],
);

# --- the encoding --------------------------------------------------------------

# a field with a number, or with bytes
sub field
{
	my ($number, $value, $is_bytes) = @_;
	return varint($number << 3 | 2) .
		varint(length $value) . $value if $is_bytes;
	return varint($number << 3) . varint($value);
}

sub varint
{
	my ($n) = @_;
	my $out = '';

	for (; $n >= 0x80; $n >>= 7) {
		$out .= chr($n & 0x7f | 0x80);
	}
	return $out . chr $n;
}

sub packet
{
	return field(1, join('', @_), 1);
}

# --- events ----------------------------------------------------------------------

# what a format's fields are in raw bytes, by name
sub values_of
{
	my ($format, $raw) = @_;
	my %values;

	while ($format =~ /^\tfield:([^;]+);\toffset:(\d+);\tsize:(\d+);/mg) {
		my ($declared, $at, $size) = ($1, $2, $3);
		my ($name) = $declared =~ /(\w+)(?:\[\w*\])?$/;
		my $bytes = substr $raw, $at, $size;

		$values{$name} = $declared =~ /char \w+\[\d/ ?
			{ text => unpack 'Z*', $bytes } :
			{ number => unpack +{ 1 => 'C', 2 => 'v', 4 =>
				$declared =~ /^int/ ? 'l<' : 'V', 8 => 'Q<' }->{$size},
			  $bytes };
	}
	$values{$_} and $values{$_}{number} = user_device($values{$_}{number})
		for 'dev', 'old_dev';
	return \%values;
}

# as user space numbers a device
sub user_device
{
	my ($n) = @_;
	my ($major, $minor) = ($n >> DEV_BITS, $n & (1 << DEV_BITS) - 1);
	return $minor & 0xff | $major << 8 | ($minor & ~0xff) << 12;
}

sub value
{
	my ($number, $v) = @_;
	return '' unless $v;
	return defined $v->{text} ? field($number, $v->{text}, 1) :
		field($number, $v->{number});
}

# as an event that Perfetto does not know: names and values
sub generic
{
	my ($name, $values) = @_;
	my $out = field(1, $name, 1);

	for (sort keys %$values) {
		my $v = $values->{$_};
		$out .= field(2, field(1, $_, 1) .
			      value(defined $v->{text} ? 3 : 5, $v), 1);
	}
	return field($GENERIC, $out, 1);
}

# One sample as an event, or '' if Perfetto has none for it.
sub event_of
{
	my ($formats, $body, $is_generic) = @_;
	my $raw = substr $body, $RAW, unpack 'V', substr $body, $RAW_SIZE, 4;
	my $format = $formats->{unpack 'v', $raw} // return '';
	my ($name) = $format =~ /^name: (\w+)$/m;
	my $values = values_of($format, $raw);
	my $event = field(1, unpack 'Q<', substr $body, $TIME, 8) .
		field(2, unpack 'V', substr $body, $PID, 4);

	return $event . generic($name, $values) if $is_generic;
	my ($number, @names) = @{$EVENTS{$name} // return ''};
	return $event . field($number, join('', map {
		value($_ + 1, $values->{$names[$_]})
	} 0 .. $#names), 1);
}

# The events of all samples: a list of [round, CPU, events in order]
sub bundles_of
{
	my ($perf, $is_generic) = @_;
	my $of = block_formats($perf->{features}{1});
	my %formats = map { /^ID: (\d+)$/m ? ($1 => $_) : () } values %$of;
	my %bundles;

	for (grep { $_->[0] == SAMPLE } @{$perf->{records}}) {
		my $time = unpack 'Q<', substr $_->[2], $TIME, 8;
		my $cpu = unpack 'V', substr $_->[2], $CPU, 4;
		push @{$bundles{int $time / $ROUND}{$cpu}},
			[$time, event_of(\%formats, $_->[2], $is_generic)];
	}
	return map {
		my $round = $_;
		map { [$round, $_, map { $_->[1] } sort { $a->[0] <=> $b->[0] }
		       @{$bundles{$round}{$_}}] }
			sort { $a <=> $b } keys %{$bundles{$round}};
	} sort { $a <=> $b } keys %bundles;
}

# --- a trace ------------------------------------------------------------------------

# clocks at one time: [number, ns]
sub clocks
{
	return packet(field(6, join('', map {
		field(1, field(1, $_->[0]) . field(2, $_->[1]), 1)
	} @_), 1), field(10, 1));
}

sub system_packet
{
	my $names = join '', map { field($_->[0], $_->[1], 1) } [1, 'Linux'],
		[2, '#1 SMP'], [3, '6.18.44'], [4, 'x86_64'];
	return packet(field(45, field(1, $names, 1) .
			    field(4, 'Perfetto v56.0', 1) . field(8, 2), 1),
		      field(10, 1));
}

# Packets in front, and one for each bundle.  MORE is added to bundles.
sub trace_of_bundles
{
	my ($bundles, $clocks, $more) = @_;
	return clocks(@$clocks) . system_packet() . join '', map {
		my (undef, $cpu, @events) = @$_;
		packet(field(1, field(1, $cpu) . join('', map {
			length() ? field(2, $_, 1) : ''
		} @events) . ($more // ''), 1), field(10, 2));
	} @$bundles;
}

sub compressed_trace
{
	return packet(field(50, compress($_[0]), 1));
}

1;
