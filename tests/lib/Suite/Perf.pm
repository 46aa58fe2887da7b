# SPDX-License-Identifier: GPL-2.0-only
# perf.data in pieces: parse() takes a little-endian file apart, which can be put
# together again as a file, as what perf writes to a pipe, in the other byte order,
# and with compressed records.
#
#	order		'<' or '>', the byte order of all bytes below
#	attrs		list of { attr, ids }: perf_event_attr as bytes, list of ids
#	features	number => bytes; 1 is the tracing data
#	records		list of [type, misc, body]
package Suite::Perf;

use strict;
use warnings;
use Exporter 'import';

our @EXPORT_OK = qw(parse as_file as_pipe compressed swapped record
		    tracing_data block_formats raw_zstd);

use constant { LOST => 2, COMM => 3, SAMPLE => 9, LOST_SAMPLES => 13, ATTR => 64,
	       TRACING_DATA => 66, FINISHED_ROUND => 68, FEATURE => 80,
	       COMPRESSED => 81, COMPRESSED2 => 83 };

my $MAGIC = 'PERFILE2';
my ($HEADER, $PIPE_HEADER, $ATTR_SIZE) = (104, 16, 128);
my ($FORMATS, $COMPRESSION) = (1, 27);	# features
my $CHUNK = 40000;		# bytes in a compressed record

# --- taking apart ------------------------------------------------------------

sub parse
{
	my ($bytes) = @_;
	die "no little-endian perf.data\n" unless $bytes =~ /^$MAGIC/;
	my ($size, $attr_size, $attrs_at, $attrs_len, $at, $len) =
		unpack 'x8 Q<6', $bytes;
	my %perf = (order => '<', attrs => [], features => {}, records => []);

	for (my $i = 0; $i < $attrs_len; $i += $attr_size) {
		my ($attr, $ids_at, $ids_len) = unpack "a$ATTR_SIZE Q<2",
			substr $bytes, $attrs_at + $i, $attr_size;
		push @{$perf{attrs}}, { attr => $attr, ids => [
			unpack 'Q<*', substr $bytes, $ids_at, $ids_len] };
	}
	my @bits = split //, unpack 'b256', substr $bytes, 72, 32;
	my $place = $at + $len;
	for my $n (grep { $bits[$_] } 0 .. 255) {
		my ($from, $long) = unpack 'Q<2', substr $bytes, $place, 16;
		$perf{features}{$n} = substr $bytes, $from, $long;
		$place += 16;
	}
	for (my $end = $at + $len; $at < $end;) {
		my ($type, $misc, $long) = unpack 'V v2', substr $bytes, $at, 8;
		push @{$perf{records}}, [$type, $misc,
					 substr $bytes, $at + 8, $long - 8];
		$at += $long;
	}
	return \%perf;
}

# --- putting together --------------------------------------------------------

sub record
{
	my ($order, $type, $misc, $body) = @_;
	return pack("L${order}S${order}2", $type, $misc, 8 + length $body) .
		$body;
}

sub records_of
{
	my ($perf) = @_;
	return join '', map { record($perf->{order}, @$_) }
		@{$perf->{records}};
}

sub magic
{
	my ($perf) = @_;
	return $perf->{order} eq '<' ? $MAGIC : scalar reverse $MAGIC;
}

# a bit for each feature, in words of 8 bytes
sub feature_bits
{
	my ($perf) = @_;
	my $bits = pack 'b256', join '', map { exists $perf->{features}{$_} ||0 }
		0 .. 255;
	return pack "Q$perf->{order}4", unpack 'Q<4', $bits;
}

sub as_file
{
	my ($perf) = @_;
	my $q = "Q$perf->{order}";
	my ($ids, $attrs, $places, $features) = ('', '', '', '');
	my @numbers = sort { $a <=> $b } keys %{$perf->{features}};

	for my $one (@{$perf->{attrs}}) {
		$attrs .= $one->{attr} .
			pack "${q}2", $HEADER + length $ids, 8 * @{$one->{ids}};
		$ids .= pack "$q*", @{$one->{ids}};
	}
	my $records = records_of($perf);
	my $attrs_at = $HEADER + length $ids;
	my $at = $attrs_at + length $attrs;
	my $free = $at + length($records) + 16 * @numbers;
	for my $bytes (map { $perf->{features}{$_} } @numbers) {
		$places .= pack "${q}2", $free + length $features, length $bytes;
		$features .= $bytes;
	}
	return magic($perf) . pack("${q}8", $HEADER, $ATTR_SIZE + 16, $attrs_at,
		length $attrs, $at, length $records, 0, 0) .
		feature_bits($perf) . $ids . $attrs . $records . $places .
		$features;
}

# what perf record -o - writes
sub as_pipe
{
	my ($perf) = @_;
	my $order = $perf->{order};
	my $out = magic($perf) . pack "Q$order", $PIPE_HEADER;

	$out .= record($order, ATTR, 0, $_->{attr} . pack "Q$order*",
		       @{$_->{ids}}) for @{$perf->{attrs}};
	for my $n (sort { $a <=> $b } keys %{$perf->{features}}) {
		next if $n == $FORMATS;
		$out .= record($order, FEATURE, 0,
			       pack("Q$order", $n) . $perf->{features}{$n});
	}
	my $data = $perf->{features}{$FORMATS} // '';
	$data .= "\0" x (-length($data) % 8);
	$out .= record($order, TRACING_DATA, 0, pack "L$order", length $data) .
		$data;
	return $out . records_of($perf);
}

# --- compressed --------------------------------------------------------------

# One frame of zstd for all calls together, whose blocks are not compressed: a
# header if FIRST, then a block.  Its window is 64 KiB.
sub raw_zstd
{
	my ($bytes, $first) = @_;
	my $header = $first ? pack 'V C C', 0xfd2fb528, 0, 6 << 3 : '';
	return $header . substr(pack('V', length($bytes) << 3), 0, 3) . $bytes;
}

# The records packed in ones of TYPE, as of CHUNK bytes, wherever that cuts them;
# rounds stay.
sub compressed
{
	my ($perf, $type) = @_;
	my ($first, @out) = (1);
	my $waiting = '';
	my $put = sub {
		while (length $waiting) {
			my $block = raw_zstd(substr($waiting, 0, $CHUNK, ''),
					     $first);
			my $pad = "\0" x (-length($block) % 8);
			my $size = pack "Q$perf->{order}", length $block;
			push @out, [$type, 0, $type == COMPRESSED ? $block :
				    $size . $block . $pad];
			$first = 0;
		}
	};
	for my $r (@{$perf->{records}}) {
		$put->() if $r->[0] == FINISHED_ROUND;
		if ($r->[0] == FINISHED_ROUND) {
			push @out, $r;
		} else {
			$waiting .= record($perf->{order}, @$r);
		}
	}
	$put->();
	my %features = %{$perf->{features}};
	# version, zstd, level, ratio, and what perf unpacks at a time
	$features{$COMPRESSION} = pack "L$perf->{order}5", 1, 1, 1, 1, 1 << 20;
	return { %$perf, features => \%features, records => \@out };
}

# --- tracing data ------------------------------------------------------------

my $TRACING = "\x17\x08\x44tracing";

# name => format file, of the block layer
sub block_formats
{
	my ($data) = @_;
	my %formats;

	my $at = index($data, "block\0") + 6;
	my $count = unpack 'V', substr $data, $at, 4;
	$at += 4;
	for (1 .. $count) {
		my $len = unpack 'Q<', substr $data, $at, 8;
		my $text = substr $data, $at + 8, $len;
		$formats{$1} = $text if $text =~ /^name: (\w+)$/m;
		$at += 8 + $len;
	}
	return \%formats;
}

# what follows one of two words in it: as perf wants to see it
sub head
{
	my ($data, $word) = @_;
	my $at = index($data, "$word\0") + 1 + length $word;
	return substr $data, $at + 8, unpack 'Q<', substr $data, $at, 8;
}

# The tracing data of DATA without symbols and other formats than block's, or only
# those that are named.
sub tracing_data
{
	my ($order, $data, @names) = @_;
	my $of = block_formats($data);
	my @formats = map { $of->{$_} } @names ? @names : sort keys %$of;
	my $part = sub { pack("Q$order", length $_[0]) . $_[0] };
	my $big = $order eq '<' ? 0 : 1;

	return "${TRACING}0.6\0" . pack("C2 L$order", $big, 8, 4096) .
		"header_page\0" . $part->(head($data, 'header_page')) .
		"header_event\0" . $part->(head($data, 'header_event')) .
		pack("L$order", 0) . pack("L$order", 1) . "block\0" .
		pack("L$order", scalar @formats) .
		join('', map { $part->($_) } @formats) .
		pack("L${order}2", 0, 0) . $part->('');
}

# --- the other byte order ----------------------------------------------------

# offset and size of the numbers in an event's bytes
sub numbers_in
{
	my ($format) = @_;
	my @numbers;

	while ($format =~ /^\tfield:([^;]+);\toffset:(\d+);\tsize:(\d+);/mg) {
		my ($declared, $at, $size) = ($1, $2, $3);
		push @numbers, [$at, $size] unless $declared =~ /char \w+\[\d/;
	}
	return \@numbers;
}

sub swap_places
{
	my ($bytes, @places) = @_;
	for (@places) {
		my ($at, $size) = @$_;
		substr($bytes, $at, $size) =
			scalar reverse substr $bytes, $at, $size;
	}
	return $bytes;
}

sub swap_attr
{
	my ($attr) = @_;
	my ($numbers, $flags, $rest) = unpack 'a40 a8 a*', $attr;
	my @sizes = (4, 4, 8, 8, 8, 8);
	my @more = (4, 4, 8, 8, 8, 8, 4, 4, 8, 4, 2, 2, 4, 4, 8);
	my $swap = sub {
		my ($bytes, @each) = @_;
		my $at = 0;
		return swap_places($bytes, map { [($at += $_) - $_, $_] } @each);
	};

	$flags = pack 'B64', unpack 'b64', $flags;
	return $swap->($numbers, @sizes) . $flags . $swap->($rest, @more);
}

# IDENTIFIER, IP, pid, tid, TIME, CPU and padding, PERIOD, the size of raw bytes
my @SAMPLE = ([0, 8], [8, 8], [16, 4], [20, 4], [24, 8], [32, 4], [36, 4],
	      [40, 8], [48, 4]);
my $RAW = 52;
# of other records: pid, tid, TIME, CPU and padding, IDENTIFIER
my @END = ([0, 4], [4, 4], [8, 8], [16, 4], [20, 4], [24, 8]);

sub swap_sample
{
	my ($body, $numbers) = @_;
	my $type = unpack 'v', substr $body, $RAW, 2;
	my $fields = $numbers->{$type} // die "no format $type\n";
	return swap_places($body, @SAMPLE,
			   map { [$RAW + $_->[0], $_->[1]] } @$fields);
}

# what begins with numbers of these sizes, and ends as all do
sub swap_other
{
	my ($body, @places) = @_;
	my $end = length($body) - 32;
	return swap_places($body, @places,
			   map { [$end + $_->[0], $_->[1]] } @END);
}

my %SWAP = (
	SAMPLE, \&swap_sample,
	COMM, sub { swap_other($_[0], [0, 4], [4, 4]) },
	LOST, sub { swap_other($_[0], [0, 8], [8, 8]) },
	LOST_SAMPLES, sub { swap_other($_[0], [0, 8]) },
	FINISHED_ROUND, sub { $_[0] },
);

# texts have a length in front, and numbers are known
my %SWAP_FEATURE = (
	(map { $_ => [[0, 4]] } 3, 4, 5),
	7 => [[0, 4], [4, 4]],
	29 => [[0, 4], [4, 4], [8, 8], [16, 8]],
);

# of records whose layout is known here: that of files that tests keep
sub swapped
{
	my ($perf) = @_;
	my $formats = block_formats($perf->{features}{$FORMATS});
	my %numbers = map { /^ID: (\d+)$/m ? ($1 => numbers_in($_)) : () }
		values %$formats;
	my %features = map { $_ => swap_places($perf->{features}{$_},
					       @{$SWAP_FEATURE{$_}}) }
		grep { $SWAP_FEATURE{$_} } keys %{$perf->{features}};

	$features{$FORMATS} = tracing_data('>', $perf->{features}{$FORMATS});
	return {
		order => '>',
		features => \%features,
		attrs => [map { { attr => swap_attr($_->{attr}),
				  ids => $_->{ids} } } @{$perf->{attrs}}],
		records => [map {
			my ($type, $misc, $body) = @$_;
			[$type, $misc, $SWAP{$type}->($body, \%numbers)]
		} @{$perf->{records}}],
	};
}

1;
