#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# One version: cli/version.h has it, and so have the newest entries of
# CHANGELOG.md and of the Debian package, and the library.
#
#	prove tests/version.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Suite::Files 'slurp';
use Test::More;

my $TOP = "$FindBin::Bin/..";

# what the pattern finds first in a file
sub found
{
	my ($path, $pattern) = @_;
	my ($version) = slurp("$TOP/$path") =~ /$pattern/m;
	return $version // 'none';
}

my $version = found('cli/version.h', '^#define SUITE_VERSION "(.*)"$');
like($version, qr/\A\d+\.\d+\.\d+\z/, 'cli/version.h has a version');
is(found('CHANGELOG.md', '^## (.*)$'), $version, 'CHANGELOG.md begins with it');
is(found("debian/$_", '^blktrace \((.*)\) '), $version, "so does debian/$_")
	for 'changelog', 'NEWS';
my ($library) = `cd '$TOP' && printf '%s' 'include Makefile
show:
	\@echo \$(LIBRARY_VERSION) \$(SHARED) \$(SONAME)
' | make -s -f - show` =~ /(.*)/;
is($library, "$version libblktrace.so.$version libblktrace.so.0",
	"the library's version, its file, and its own soname");

done_testing();
