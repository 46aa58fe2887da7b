# SPDX-License-Identifier: GPL-2.0-only
# A case folder: one command and all that it should give.
#
# tests/cases/PROGRAM/CASE/ holds cmd, in/, trace, out, err, rc, files/,
# differs, original/, about; tests/README says what each is.  This module finds
# folders, loads them, runs them, and rewrites what they expect.
package Suite::Case;

use strict;
use warnings;
use Exporter 'import';
use File::Basename 'dirname';
use File::Path 'make_path';
use Suite::Files qw(slurp spew read_kept write_kept drop_kept kept_names
		    copy_tree unpack_set census written);
use Suite::Judge 'judge';
use Suite::Run qw(run_command missing_programs);

our @EXPORT_OK = qw(find_cases match load_case run_case try_case update_case
		    faults one_line);

# names (program/case) of the folders below ROOT that fit one of the globs
sub find_cases
{
	my ($root, @globs) = @_;
	my @names = map { m{([^/]+/[^/]+)/cmd\z} } glob "\Q$root\E/*/*/cmd";
	return match([sort @names], @globs);
}

# those of the names that fit one of the globs; without globs, all
sub match
{
	my ($names, @globs) = @_;
	return @$names unless @globs;
	my $any = join '|', map { glob_pattern($_) } @globs;
	return grep { /\A(?:$any)\z/ } @$names;
}

# A bare program or trace means all its cases.
sub glob_pattern
{
	my ($glob) = @_;
	my $pattern = quotemeta $glob;
	$pattern =~ s/\\\*/.*/g;
	$pattern =~ s/\\\?/./g;
	return $glob =~ m{/} ? $pattern : "$pattern/.*";
}

# data is where trace sets are
sub load_case
{
	my ($root, $data, $name) = @_;
	my $dir = "$root/$name";
	my $out = read_kept("$dir/out");
	my @sets = -e "$dir/trace" ? split ' ', slurp("$dir/trace") : ();

	die "$name has no expected output\n" unless defined $out;
	return {
		name => $name, dir => $dir, cmd => one_line("$dir/cmd"),
		out => $out, err => read_kept("$dir/err"),
		rc => -e "$dir/rc" ? one_line("$dir/rc") : 0,
		files => { map { $_ => read_kept("$dir/files/$_") }
			kept_names("$dir/files") },
		inputs => [grep { -d } "$dir/in"],
		sets => [map { "$data/$_" } @sets],
	};
}

sub one_line
{
	my ($path) = @_;
	my $line = slurp($path);
	$line =~ s/\n\z//;
	return $line;
}

# Runs the case in DIR, empty, with these programs; returns the result
# and the files written.
sub run_case
{
	my ($case, $dir, $programs) = @_;

	copy_tree($_, $dir) for @{$case->{inputs}};
	unpack_set($_, $dir) for @{$case->{sets}};
	my $before = census($dir);
	my $got = run_command($case->{cmd}, $dir, $programs);
	return ($got, {}) unless defined $case->{files};
	my %found = map { $_ => -f "$dir/$_" ? slurp("$dir/$_") : '' }
		written($before, census($dir));
	return ($got, \%found);
}

# Complaints, none when all is well.  A case may bring a further test of its
# own: also->(result) returns complaints too.
sub try_case
{
	my ($case, $dir, $programs) = @_;
	my @missing = missing_programs($case->{cmd}, $programs);

	return ("@missing: not built in $programs->{dir}") if @missing;
	my ($got, $found) = run_case($case, $dir, $programs);
	my @wrong = judge($case, $got, $found);
	push @wrong, $case->{also}->($got) if $case->{also};
	return @wrong;
}

# Makes what our programs do now the expectation; returns what changed.
sub update_case
{
	my ($case, $dir, $programs) = @_;
	my @missing = missing_programs($case->{cmd}, $programs);

	die "@missing: not built in $programs->{dir}\n" if @missing;
	my ($got, $found) = run_case($case, $dir, $programs);
	die "$case->{name} did not end in time: not kept\n" if $got->{late};
	my $at = $case->{dir};
	my @changed = keep_if_new("$at/out", $got->{out}, $case->{out});
	# A silent run needs no err; one that has err goes on comparing it.
	push @changed, keep_if_new("$at/err", $got->{err}, $case->{err})
		if defined $case->{err} || length $got->{err};
	push @changed, update_status($case, $got->{rc});
	push @changed, update_files($case, $found);
	return map { s{^\Q$at\E/}{}; $_ } @changed;
}

sub keep_if_new
{
	my ($path, $bytes, $old) = @_;
	return () if defined $old && $old eq $bytes;
	make_path(dirname($path));
	write_kept($path, $bytes);
	return $path;
}

sub update_status
{
	my ($case, $rc) = @_;
	my $path = "$case->{dir}/rc";

	return () if $rc == $case->{rc};
	drop_kept($path);
	spew($path, "$rc\n") if $rc;
	return $path;
}

sub update_files
{
	my ($case, $found) = @_;
	my ($want, $at) = ($case->{files}, "$case->{dir}/files");
	my @gone = grep { !defined $found->{$_} } sort keys %$want;

	drop_kept("$at/$_") for @gone;
	return ((map { "$at/$_" } @gone),
		map { keep_if_new("$at/$_", $found->{$_}, $want->{$_}) }
		sort keys %$found);
}

# What is wrong with the folders themselves.  decisions: the known keys.
sub faults
{
	my ($root, $data, $decisions) = @_;
	my (@wrong, %used);

	for my $name (find_cases($root)) {
		my $dir = "$root/$name";
		push @wrong, map { "$name: $_" } difference_faults($dir,
								$decisions);
		next unless -e "$dir/trace";
		$used{$_} = 1 for split ' ', slurp("$dir/trace");
	}
	push @wrong, map { "data/$_ is used by no case, nor by requests.t" }
		grep { !$used{$_} && !-e "$data/../requests/golden/$_.tsv.xz" }
		grep { $_ ne 'import' }	# its tests are import*.t
		map { m{([^/]+)/\z} } glob "\Q$data\E/*/";
	push @wrong, map { "$_ has no cmd" } grep { !-e "$_/cmd" }
		glob "\Q$root\E/*/*";
	return @wrong;
}

# differs and original/out come together, and the decision is a known one
sub difference_faults
{
	my ($dir, $decisions) = @_;
	my $original = -e "$dir/original/out" || -e "$dir/original/out.xz";

	return $original ? 'original/ without differs' : ()
		unless -e "$dir/differs";
	return 'differs without original/' unless $original;
	return map { "differs: no decision is called '$_'" }
		grep { !$decisions->{$_} } split /,/, one_line("$dir/differs");
}

1;
