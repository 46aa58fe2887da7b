# SPDX-License-Identifier: GPL-2.0-only
# Whole files, plain or xz'd, and what a directory holds.
#
# Expected bytes live in the tree as NAME or, when they are large, as NAME.xz;
# read_kept() and write_kept() hide which.  Everything here dies when it cannot
# do its work: a test without its tools is a failure, never a skip.
package Suite::Files;

use strict;
use warnings;
use Exporter 'import';
use File::Basename 'basename';
use File::Find;
use Time::HiRes;

our @EXPORT_OK = qw(slurp spew read_kept write_kept drop_kept kept_names
		    copy_tree unpack_set files_below census written);

# a text or dump longer than this is kept xz'd when it is new
my $PLAIN_MAX = 4096;

sub slurp
{
	my ($path) = @_;
	open my $in, '<:raw', $path or die "$path: $!\n";
	local $/;
	my $bytes = <$in>;
	return defined $bytes ? $bytes : '';
}

sub spew
{
	my ($path, $bytes) = @_;
	open my $out, '>:raw', $path or die "$path: $!\n";
	print $out $bytes;
	close $out or die "$path: $!\n";
}

# what a tool prints, all of it; the tool's failure is ours
sub output_of
{
	my @command = @_;
	open my $in, '-|', @command or die "$command[0]: $!\n";
	binmode $in;
	local $/;
	my $bytes = <$in>;
	close $in or die "'@command' failed with status $?\n";
	return defined $bytes ? $bytes : '';
}

# the bytes of PATH or PATH.xz, undef when neither is there
sub read_kept
{
	my ($path) = @_;
	return slurp($path) if -e $path;
	return output_of('xz', '-dc', "$path.xz") if -e "$path.xz";
	return undef;
}

# Keeps the form that is there, so that a rewrite shows as one changed file.
sub write_kept
{
	my ($path, $bytes) = @_;
	my $packed = -e "$path.xz" ||
		(!-e $path && length $bytes > $PLAIN_MAX);

	drop_kept($path);
	spew($path, $bytes);
	return unless $packed;
	system('xz', '-9', '-T1', $path) == 0 or die "xz: cannot pack $path\n";
}

sub drop_kept
{
	my ($path) = @_;
	for my $old ($path, "$path.xz") {
		next unless -e $old;
		unlink $old or die "$old: $!\n";
	}
}

# every file below DIR, as read_kept() wants to be asked for it
sub kept_names
{
	my ($dir) = @_;
	my @names = map { s{\.xz\z}{}r } files_below($dir);
	return sort @names;
}

# relative paths of all that is not a directory; fifos and links count too
sub files_below
{
	my ($dir) = @_;
	my @found;

	return () unless -d $dir;
	find({ no_chdir => 1, wanted => sub {
		return if -d $_ && !-l $_;
		push @found, substr($_, length($dir) + 1);
	} }, $dir);
	return sort @found;
}

# The copy is writable whatever the original is: checkouts may be read-only.
sub copy_tree
{
	my ($from, $to) = @_;
	system('cp', '-R', "$from/.", $to) == 0 or die "cannot copy $from\n";
	system('chmod', '-R', 'u+w', $to) == 0 or die "chmod $to failed\n";
}

# Unpacks a trace set: xz'd files lose their suffix, per-CPU files that were
# never packed are copied, notes about the set stay behind.
sub unpack_set
{
	my ($set, $to) = @_;
	my $count = 0;

	die "no trace set $set\n" unless -d $set;
	for my $path (glob "\Q$set\E/*.xz \Q$set\E/*.blktrace.*[0-9]") {
		my $name = basename($path);
		$name =~ s/\.xz\z//;
		spew("$to/$name", $path =~ /\.xz\z/ ?
			output_of('xz', '-dc', $path) : slurp($path));
		$count++;
	}
	die "nothing to unpack in $set\n" unless $count;
}

# A note of every file, good for seeing later which are new or were changed.
sub census
{
	my ($dir) = @_;
	my %seen;

	for my $name (files_below($dir)) {
		my @st = Time::HiRes::lstat("$dir/$name");
		$seen{$name} = "@st[1, 7, 9]";	# inode, size, time
	}
	return \%seen;
}

sub written
{
	my ($before, $after) = @_;
	return sort grep {
		!defined $before->{$_} || $before->{$_} ne $after->{$_}
	} keys %$after;
}

1;
