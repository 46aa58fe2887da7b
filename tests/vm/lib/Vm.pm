# SPDX-License-Identifier: GPL-2.0-only
# What the programs of the virtual-machine rig share: where the cache is, how
# to run a command that must succeed, and how to put something into the cache
# so that nobody ever meets half of it.
package Vm;

use strict;
use warnings;
use Cwd 'abs_path';
use Exporter 'import';
use Fcntl ':flock';
use File::Basename 'dirname';
use File::Glob 'bsd_glob';
use File::Path qw(make_path remove_tree);

our @EXPORT_OK = qw(@KERNELS is_kernel cache_dir find_program missing must
		    output_of slurp lines_of spew lock_file sweep
		    shared_objects);

our @KERNELS = qw(oldest middle newest);

my $TOP = dirname(abs_path(__FILE__)) . '/../../..';

# What the rig itself runs, and the Debian package each comes from.
my %HOST = (
	'qemu-system-x86_64' => 'qemu-system-x86',
	'apt-get'	=> 'apt',
	'dpkg-deb'	=> 'dpkg',
	'cpio'		=> 'cpio',
	'depmod'	=> 'kmod',
	'modprobe'	=> 'kmod',
	'busybox'	=> 'busybox-static',
	'ldd'		=> 'libc-bin',
	'xz'		=> 'xz-utils',
);

sub is_kernel
{
	my ($name) = @_;
	return scalar grep { $_ eq $name } @KERNELS;
}

# VM_CACHE, or build/vm of the checkout; made when missing.
sub cache_dir
{
	my $dir = $ENV{VM_CACHE} || abs_path($TOP) . '/build/vm';
	make_path($dir);
	return abs_path($dir);
}

# The path of a program, undef when there is none.  PATH of an ordinary user
# lacks the directories where most of ours are.
sub find_program
{
	my ($name) = @_;
	my @dirs = (split(/:/, $ENV{PATH} // ''), qw(/usr/sbin /sbin));
	for my $path (map { "$_/$name" } @dirs) {
		return $path if -f $path && -x _;
	}
	return undef;
}

# The packages that this machine lacks of PROGRAM => PACKAGE pairs; without
# arguments, of what the rig runs.
sub missing
{
	my %need = @_ ? @_ : %HOST;
	my %lack = map { $need{$_} => 1 }
		grep { !defined find_program($_) } keys %need;
	return sort keys %lack;
}

sub command_line
{
	my ($name, @args) = @_;
	my $path = $name =~ m{/} ? $name : find_program($name);
	return ($path // die("no program $name\n"), @args);
}

# Runs a command; dies unless it ends well.
sub must
{
	my @command = command_line(@_);
	system(@command) == 0 or die "failed: @_\n";
}

# A command's standard output, as lines without their ends.
sub output_of
{
	my @command = command_line(@_);
	open my $pipe, '-|', @command or die "$_[0]: $!\n";
	chomp(my @lines = <$pipe>);
	close $pipe or die "failed: @_\n";
	return @lines;
}

sub slurp
{
	my ($path) = @_;
	open my $in, '<:raw', $path or die "$path: $!\n";
	local $/;
	return scalar <$in> // '';
}

# What a file has, as lines; none when it is not there.
sub lines_of
{
	my ($path) = @_;
	return -e $path ? split(/\n/, slurp($path)) : ();
}

sub spew
{
	my ($path, @text) = @_;
	open my $out, '>:raw', $path or die "$path: $!\n";
	print $out @text;
	close $out or die "$path: $!\n";
}

# Holds PATH.lock until the returned handle is gone, so that two runs that
# need the same piece do not both make it.
sub lock_file
{
	my ($path) = @_;
	open my $lock, '>>', "$path.lock" or die "$path.lock: $!\n";
	flock($lock, LOCK_EX) or die "$path.lock: $!\n";
	return $lock;
}

# Removes what a killed run left: PATH.new.*  Call it with the lock held.
sub sweep
{
	my ($path) = @_;
	remove_tree(bsd_glob("$path.new.*"));
}

# The shared objects a program is loaded with, at the paths the loader found
# them.  A script or a static program has none; what is not found is told.
sub shared_objects
{
	my ($program) = @_;
	open my $ldd, '-|', 'sh', '-c', 'ldd "$1" 2>/dev/null', 'sh', $program
		or die "ldd: $!\n";
	my @found;
	while (<$ldd>) {
		warn "$program: $1 not found on this machine\n"
			if m{(\S+) => not found};
		push @found, $1 if m{(?:=>|^)\s+(/\S+) \(0x};
	}
	close $ldd;
	return @found;
}

1;
