#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Every source names its licence in its first two lines.
#
#	prove tests/spdx.t
use strict;
use warnings;
use File::Find;
use FindBin;
use Test::More;

my $TOP = "$FindBin::Bin/..";
my $LINE = qr/SPDX-License-Identifier: GPL-2\.0-only/;

# what tests compare, what make builds, and what is not ours
my %SKIP = map { $_ => 1 } qw(.git build tests/cases tests/data tests/held
	tests/fuzz/corpus debian/.debhelper debian/blktrace debian/tmp
	debian/libblktrace0 debian/libblktrace-dev);

# a file's first two lines
sub beginning
{
	my ($path) = @_;
	open my $in, '<', $path or die "$path: $!\n";
	return join '', map { scalar(<$in>) // '' } 1, 2;
}

sub is_source
{
	my ($path) = @_;
	return $path =~ /\.(?:[ch]|t|pm|sh|[1-9])\z/ ||
		$path =~ m{(?:^|/)Makefile\z} || beginning("$TOP/$path") =~ /^#!/;
}

# paths below the top; the top's own programs are copies that make has put there
sub sources
{
	my @found;
	find({ no_chdir => 1, wanted => sub {
		my $path = $File::Find::name =~ s{^\Q$TOP\E/?}{}r;
		$File::Find::prune = 1 if $SKIP{$path};
		return if $SKIP{$path} || -l "$TOP/$path" || !-f "$TOP/$path";
		return if $path !~ m{[./]};
		push @found, $path if is_source($path);
	} }, $TOP);
	return sort @found;
}

my @sources = sources();
my @without = grep { beginning("$TOP/$_") !~ $LINE } @sources;
cmp_ok(scalar @sources, '>', 100, 'sources are found');
is("@without", '', 'each names its licence');
done_testing();
