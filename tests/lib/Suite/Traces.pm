# SPDX-License-Identifier: GPL-2.0-only
# All recorded traces that are at hand: those of the tree, tests/data, and with
# a directory SHARED beside it many more.  For tests of what holds for any.
package Suite::Traces;

use strict;
use warnings;
use Exporter 'import';
use File::Basename 'basename';
use Suite::Files 'unpack_set';

our @EXPORT_OK = qw(every_trace unpack_traces);

# name => its folder; of two of one name the tree's.  data/import has what other
# programs recorded.
sub trace_folders
{
	my ($tests, $shared) = @_;
	my %found;

	for my $in ("$tests/data", "$shared/traces",
		    "$shared/golden/requests/traces") {
		for my $folder (glob "\Q$in\E/*/") {
			my @files = glob "\Q$folder\E*.blktrace.* " .
				"\Q$folder\E*.bin*";
			$found{basename($folder)} ||= $folder
				if @files && basename($folder) ne 'import';
		}
	}
	return \%found;
}

# [name, its folder] of each, in order of names; arguments as below
sub every_trace
{
	my $folders = trace_folders(@_);
	return map { [$_, $folders->{$_}] } sort keys %$folders;
}

# Unpacks them all to folders in TOP; name => where.  TESTS is the folder of
# the tests, SHARED need not be there.
sub unpack_traces
{
	my ($tests, $shared, $top) = @_;
	my $folders = trace_folders($tests, $shared);
	my %where;

	for my $name (sort keys %$folders) {
		$where{$name} = "$top/$name";
		mkdir $where{$name} or die "$where{$name}: $!\n";
		unpack_set($folders->{$name}, $where{$name});
	}
	return \%where;
}

1;
