# SPDX-License-Identifier: GPL-2.0-only
# Reads what btreport writes, by doc/report.md: a decoder of its own.
package Suite::Report;
use strict;
use warnings;
use Compress::Zlib qw(uncompress);
use Exporter 'import';
use JSON::PP;
use MIME::Base64 'decode_base64';

our @EXPORT_OK = qw(bucket_of page_of rows_of sparse_of);

# A page's text as { meta => its numbers, columns => { name => [numbers] } }.
sub page_of
{
	my ($html) = @_;
	my ($json) = $html =~
		m{<script type="application/json" id="meta">(.*?)</script>}s
		or die "the page has no numbers\n";
	my $meta = JSON::PP->new->utf8->decode($json);
	my %blocks = $html =~
		m{<script type="text/plain" id="b-(\w+)">([\w+/=]*)</script>}g;
	my %columns;

	$_ = uncompress(decode_base64($_)) // die "a block is no zlib stream\n"
		for values %blocks;
	while (my ($name, $about) = each %{$meta->{columns}}) {
		my ($block, $at, $bytes, $count, $encoding) = @$about;
		my $part = substr $blocks{$block}, $at, $bytes;
		my $numbers = decoded($part, $encoding);

		@$numbers == $count
			or die "$name: ", scalar @$numbers, " of $count\n";
		$columns{$name} = $numbers;
	}
	return { meta => $meta, columns => \%columns };
}

# numbers of seven bits a byte, the lowest first
sub leb128
{
	my ($bytes) = @_;
	my ($v, $shift, @out) = (0, 0);

	for my $byte (unpack 'C*', $bytes) {
		$v |= ($byte & 127) << $shift;
		$shift += 7;
		next if $byte & 128;
		push @out, $v;
		($v, $shift) = (0, 0);
	}
	return @out;
}

sub decoded
{
	my ($bytes, $encoding) = @_;
	return [unpack 'C*', $bytes] if $encoding eq 'u8';
	my @numbers = leb128($bytes);
	return \@numbers if $encoding eq 'u';
	my $sum = 0;
	@numbers = map { $_ & 1 ? -(($_ + 1) >> 1) : $_ >> 1 } @numbers
		if $encoding eq 'dz';
	return [map { $sum += $_ } @numbers];
}

# All rows, as hashes; q2c, d2c, q2d where they have these.  Those that are open
# have until, up to when that is sure.
sub rows_of
{
	my ($page) = @_;
	my $c = $page->{columns};
	my @names = qw(t s pid q2g q2i q2d end sector blocks flags error);
	my %sure = map { $c->{open}[$_] => $c->{sure}[$_] } 0 .. $#{$c->{open}};

	return map {
		my $i = $_;
		my %row = (open => defined $sure{$i},
			   map { $_ => $c->{$_}[$i] } @names);
		my $q2d = $row{q2d} ? $row{q2d} - 1 : 0;

		$row{issued} = delete $row{q2d};
		$row{until} = $row{t} + $sure{$i} if $row{open};
		if ($row{end}) {
			my ($q, $d) = ($row{flags} & 1, $row{flags} & 2);
			$row{c} = $row{t} + $q2d + $row{end} - 1;
			$row{q2c} = $q2d + $row{end} - 1 if $q;
			$row{d2c} = $row{end} - 1 if $d;
			$row{q2d} = $q2d if $q && $d;
		}
		\%row;
	} 0 .. $#{$c->{t}};
}

# The three columns of sparse counts as { "bin key" => count }.
sub sparse_of
{
	my ($page, $name) = @_;
	my ($n, $k, $c) = map { $page->{columns}{"$name.$_"} } qw(n k c);
	my ($at, %found) = (0);

	for my $bin (0 .. $#$n) {
		my $key = 0;
		for (1 .. $n->[$bin]) {
			$key += $k->[$at];
			$found{"$bin $key"} = $c->[$at++];
		}
	}
	$at == @$k && $at == @$c or die "$name: keys are left over\n";
	return \%found;
}

# floor(8 * log2 v), by whole numbers: v^8 is at least 2^bucket
sub bucket_of
{
	my ($v) = @_;
	require Math::BigInt;
	return 0 if $v <= 1;
	my $bits = Math::BigInt->new($v)->bpow(8)->as_bin;
	return length($bits) - 3;
}

1;
