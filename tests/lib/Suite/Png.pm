# SPDX-License-Identifier: GPL-2.0-only
# A PNG as pixels: 8 bits a channel, RGB or RGBA, not interlaced, as
# rsvg-convert writes it.
package Suite::Png;

use strict;
use warnings;
use Compress::Zlib 'uncompress';
use Exporter 'import';

our @EXPORT_OK = qw(png_read pixel);

my $SIGNATURE = "\x89PNG\r\n\x1a\n";
my %CHANNELS = (2 => 3, 6 => 4);

# what the pixels' bytes are less than these were filtered by
my @FILTERS = (
	sub { 0 },
	sub { $_[0] },
	sub { $_[1] },
	sub { ($_[0] + $_[1]) >> 1 },
	\&paeth,
);

sub paeth
{
	my ($left, $up, $corner) = @_;
	my $guess = $left + $up - $corner;
	my ($l, $u, $c) = map { abs $guess - $_ } $left, $up, $corner;
	return $l <= $u && $l <= $c ? $left : $u <= $c ? $up : $corner;
}

sub unfilter
{
	my ($filter, $line, $above, $wide) = @_;
	my @bytes = unpack 'C*', $line;

	die "png: filter $filter\n" unless $FILTERS[$filter];
	return \@bytes unless $filter;
	for my $i (0 .. $#bytes) {
		my ($left, $corner) = $i < $wide ? (0, 0) :
			($bytes[$i - $wide], $above->[$i - $wide]);
		$bytes[$i] = ($bytes[$i] + $FILTERS[$filter]->(
			$left, $above->[$i], $corner)) & 255;
	}
	return \@bytes;
}

sub chunks
{
	my ($bytes) = @_;
	my ($at, @found) = (length $SIGNATURE);

	die "png: no signature\n" unless index($bytes, $SIGNATURE) == 0;
	while ($at < length $bytes) {
		my ($size, $name) = unpack 'N a4', substr $bytes, $at, 8;
		push @found, [$name, substr $bytes, $at + 8, $size];
		$at += $size + 12;
	}
	return @found;
}

# { width, height, wide (bytes of a pixel), rows }
sub png_read
{
	my ($bytes) = @_;
	my @chunks = chunks($bytes);
	my ($width, $height, $depth, $kind, undef, undef, $interlaced) =
		unpack 'N N C C C C C', $chunks[0][1];
	my $wide = $CHANNELS{$kind};
	die "png: depth $depth, kind $kind\n"
		if $depth != 8 || !$wide || $interlaced;
	my $data = uncompress(join '', map { $_->[1] }
			      grep { $_->[0] eq 'IDAT' } @chunks);
	my $length = $width * $wide;
	my ($above, @rows) = [(0) x $length];

	for my $y (0 .. $height - 1) {
		my ($filter, $line) = unpack "C a$length",
			substr $data, $y * ($length + 1), $length + 1;
		push @rows, $above = unfilter($filter, $line, $above, $wide);
	}
	return { width => $width, height => $height, wide => $wide,
		 rows => \@rows };
}

# "#rrggbb" of a place
sub pixel
{
	my ($png, $x, $y) = @_;
	my $at = $x * $png->{wide};
	return sprintf '#%02x%02x%02x', @{$png->{rows}[$y]}[$at .. $at + 2];
}

1;
