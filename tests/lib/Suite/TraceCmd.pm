# SPDX-License-Identifier: GPL-2.0-only
# trace.dat, made of what Suite::Perf has taken out of a perf.data: the same events
# in pages of the ring buffer, in versions 6 and 7 and the byte order of the perf.data.
#
#	buffers		list of { name, clock, pages: [CPU] => list of pages }
#	options		list of [id, bytes]
#	names		lines of a pid and a name
#	formats		tracing data, as Suite::Perf has it
package Suite::TraceCmd;

use strict;
use warnings;
use Compress::Zlib 'compress';
use Exporter 'import';
use Suite::Perf 'tracing_data';

our @EXPORT_OK = qw(trace_of as_6 as_7 page pages_of);

use constant { SAMPLE => 9, PAGE => 4096, PAGE_HEAD => 16, EXTEND => 30,
	       DATA_MAX => 28, DELTA_BITS => 27, CHUNK_PAGES => 10 };

my ($TIME, $CPU, $RAW_SIZE, $RAW) = (24, 32, 48, 52);	# in a sample
my ($LOST, $LOST_KNOWN) = (1 << 31, 1 << 30);
my $MAGIC = "\x17\x08\x44tracing";

# --- pages -------------------------------------------------------------------

# the first word of an event
sub word
{
	my ($order, $type, $delta) = @_;
	return pack "L$order", $order eq '<' ? $type | $delta << 5 :
					       $type << DELTA_BITS | $delta;
}

# one event, DELTA ns after the one before
sub event
{
	my ($order, $delta, $raw) = @_;
	my $long = $delta >> DELTA_BITS;
	my $out = $long ? word($order, EXTEND, $delta & (1 << DELTA_BITS) - 1) .
		pack("L$order", $long) : '';
	my $words = int((length($raw) + 3) / 4);

	$delta = 0 if $long;
	$out .= $words <= DATA_MAX ? word($order, $words, $delta) :
		word($order, 0, $delta) . pack "L$order", 4 * $words + 4;
	return $out . $raw . "\0" x (4 * $words - length $raw);
}

# A page of events that begins then; LOST: so many were lost before, or -1 for an
# unknown number.
sub page
{
	my ($order, $time, $events, $lost) = @_;
	my $size = length $events;

	$size |= $LOST if $lost;
	$size |= $LOST_KNOWN if ($lost // 0) > 0;
	my $bytes = pack("Q${order}2", $time, $size) . $events;
	$bytes .= pack "Q$order", $lost if ($lost // 0) > 0;
	return $bytes . "\0" x (PAGE - length $bytes);
}

# of [time, raw bytes] in order
sub pages_of
{
	my ($order, @events) = @_;
	my ($begin, $last, $bytes, @pages) = (undef, undef, '');

	for (@events) {
		my ($time, $raw) = @$_;
		my $next = defined $begin ? event($order, $time - $last, $raw) :
			'';
		if (!defined $begin ||
		    PAGE_HEAD + length($bytes) + length($next) > PAGE - 8) {
			push @pages, page($order, $begin, $bytes)
				if defined $begin;
			($begin, $bytes) = ($time, event($order, 0, $raw));
		} else {
			$bytes .= $next;
		}
		$last = $time;
	}
	push @pages, page($order, $begin, $bytes) if defined $begin;
	return \@pages;
}

# --- what perf has -------------------------------------------------------------

sub trace_of
{
	my ($perf) = @_;
	my $order = $perf->{order};
	my @cpus;

	for (grep { $_->[0] == SAMPLE } @{$perf->{records}}) {
		my $body = $_->[2];
		my $time = unpack "Q$order", substr $body, $TIME, 8;
		my $cpu = unpack "L$order", substr $body, $CPU, 4;
		my $len = unpack "L$order", substr $body, $RAW_SIZE, 4;
		push @{$cpus[$cpu]}, [$time, substr $body, $RAW, $len];
	}
	@$_ = sort { $a->[0] <=> $b->[0] } @$_ for @cpus;
	return {
		order => $order,
		formats => $perf->{features}{1},
		names => '',
		options => [[4, "local global [mono] boot\0"],
			    [5, "Linux vm 6.18.44 x86_64\0"],
			    [8, pack("L$order", 2)], [9, "3.1.6 x\n\0"]],
		buffers => [{ name => '', clock => 'mono',
			      pages => [map { pages_of($order, @$_) } @cpus] }],
	};
}

# --- in general ----------------------------------------------------------------

sub start
{
	my ($t, $version) = @_;
	return $MAGIC . "$version\0" .
		pack("C2 L$t->{order}", $t->{order} eq '<' ? 0 : 1, 8, PAGE);
}

sub option
{
	my ($t, $id, $bytes) = @_;
	return pack("S$t->{order} L$t->{order}", $id, length $bytes) . $bytes;
}

# the parts of tracing data after its start: the layout of pages, and formats
sub formats_of
{
	my ($t) = @_;
	my $data = $t->{formats};
	my $pages = index $data, "header_page\0";
	my $systems = index $data, "block\0";

	return (substr($data, $pages, $systems - 8 - $pages),
		substr($data, $systems - 4, length($data) - $systems + 4 - 16));
}

# the size of what it has, and that
sub sized
{
	my ($t, $bytes) = @_;
	return pack("Q$t->{order}", length $bytes) . $bytes;
}

# --- version 6 -------------------------------------------------------------------

sub places
{
	my ($t, $buffer, $at) = @_;
	my ($out, $bytes) = ("flyrecord\0", '');

	for (@{$buffer->{pages}}) {
		my $pages = join '', @{$_ || []};
		$out .= pack "Q$t->{order}2", $at + length $bytes, length $pages;
		$bytes .= $pages;
	}
	return ($out, $bytes);
}

sub as_6
{
	my ($t) = @_;
	my $order = $t->{order};
	my ($first, @others) = @{$t->{buffers}};
	my ($pages, $events) = formats_of($t);
	my $cpus = @{$first->{pages}};
	my $head = start($t, 6) . $pages . pack("L$order", 0) . $events .
		pack("L${order}2", 0, 0) . sized($t, $t->{names}) .
		pack("L$order", $cpus) . "options  \0" .
		join('', map { option($t, @$_) } @{$t->{options}});
	my $more = 0;
	$more += length option($t, 3, "\0" x 8 . "$_->{name}\0") for @others;
	my $at = length($head) + $more + 2 + 10 + 16 * $cpus;
	my ($places, $bytes) = places($t, $first, $at);

	for (@others) {
		my $begin = $at + length $bytes;
		my ($own, $data) = places($t, $_, $begin + 10 +
					  16 * @{$_->{pages}});
		$head .= option($t, 3, pack("Q$order", $begin) . "$_->{name}\0");
		$bytes .= $own . $data;
	}
	return $head . pack("S$order", 0) . $places . $bytes;
}

# --- version 7 -------------------------------------------------------------------

# one frame, whose blocks are not compressed
sub zstd
{
	my ($bytes) = @_;
	return pack('V C C', 0xfd2fb528, 0, 7 << 3) .
		substr(pack('V', length($bytes) << 3 | 1), 0, 3) . $bytes;
}

my %PACK = (none => undef, zlib => \&compress, zstd => \&zstd);

sub packed
{
	my ($t, $by, $bytes) = @_;
	my $packed = $PACK{$by}->($bytes);
	return pack("L$t->{order}2", length $packed, length $bytes) . $packed;
}

sub section
{
	my ($t, $by, $id, $bytes) = @_;
	my $order = $t->{order};

	$bytes = packed($t, $by, $bytes) if $PACK{$by};
	return pack("S${order}2 L$order Q$order", $id, $PACK{$by} ? 1 : 0, 0,
		    length $bytes) . $bytes;
}

# what a CPU has in the file, and the size that is said of it
sub stored
{
	my ($t, $by, @pages) = @_;
	return (join('', @pages), @pages * PAGE) if !$PACK{$by};
	my ($out, $count) = ('', 0);
	while (my @some = splice @pages, 0, CHUNK_PAGES) {
		$out .= packed($t, $by, join '', @some);
		$count++;
	}
	return (pack("L$t->{order}", $count) . $out, length $out);
}

sub as_7
{
	my ($t, $by) = @_;
	my $order = $t->{order};
	my ($pages, $events) = formats_of($t);
	my $out = start($t, 7) . "$by\0" . ($PACK{$by} ? '1.0' : '') . "\0";
	my $hole = length $out;
	$out .= "\0" x 8;

	my @options = @{$t->{options}};
	for ([16, $pages], [17, pack "L$order", 0], [18, $events],
	     [21, sized($t, $t->{names})]) {
		push @options, [$_->[0], pack "Q$order", length $out];
		$out .= section($t, $by, @$_);
	}
	for my $buffer (@{$t->{buffers}}) {
		my $at = length $out;
		my @cpus = @{$buffer->{pages}};
		my $option = pack("Q$order", $at) . "$buffer->{name}\0" .
			"$buffer->{clock}\0" . pack "L${order}2", PAGE,
			scalar @cpus;
		$out .= pack "S${order}2 L$order Q$order", 3,
			$PACK{$by} ? 1 : 0, 0, 0;
		for my $cpu (0 .. $#cpus) {
			my ($bytes, $size) = stored($t, $by, @{$cpus[$cpu]});
			$option .= pack "L$order Q${order}2", $cpu,
				length $out, $size;
			$out .= $bytes;
		}
		push @options, [3, $option];
	}

	# half of the options, and where the others are
	my @first = splice @options, 0, 4;
	my $last = length $out;
	$out .= section($t, $by, 0, join('', map { option($t, @$_) } @options) .
			option($t, 0, pack "Q$order", 0));
	my $begin = length $out;
	$out .= section($t, $by, 0, join('', map { option($t, @$_) } @first) .
			option($t, 0, pack "Q$order", $last));
	substr $out, $hole, 8, pack "Q$order", $begin;
	return $out;
}

1;
