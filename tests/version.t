#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The suite's version: cli/version.h has it, and the newest entries of
# CHANGELOG.md and of the Debian package are about the same one.
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
is(found('debian/changelog', '^blktrace \(.*\+suite(.*)\) '), $version,
	'so does debian/changelog');
my $release = found('cli/version.h', '^#define FAITHFUL_TO "(.*)"$');
is(found('debian/changelog', '^blktrace \((.*)\+suite'), $release,
	"the package's version begins with the original's");

done_testing();
