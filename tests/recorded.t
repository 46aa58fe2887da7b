#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# All that was recorded from release 1.3.0, when the recordings are at hand.
#
#	prove tests/recorded.t
#	tests/recorded.t [--bin DIR] [--hold] [CASE-GLOB ...]
#
# SHARED names the directory that has traces/ and golden/ (../shared).
# Cases that differs.tsv lists are compared with our own bytes: those of the
# case folder of the same name if there is one, else those in tests/held.
# --hold rewrites tests/held from what our programs do now.  A glob such as
# 'traces/md-raid1*' or '*/stdin' picks cases.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Basename 'dirname';
use File::Path qw(make_path remove_tree);
use Getopt::Long;
use Suite::Case qw(load_case match run_case try_case one_line);
use Suite::Differs qw(read_differs compare_differs);
use Suite::Files qw(spew read_kept write_kept drop_kept kept_names);
use Suite::LiveOrder qw(has_event_lines live_order_faults);
use Suite::Recorded qw(recorded_names load_recorded load_command
	recorded_as);
use Suite::Run qw(find_programs missing_programs);
use Suite::Tap qw(work_in_order test_line note);

my $HERE = $FindBin::Bin;

# how names in golden/companions begin, and whose cases those are
my %COMPANIONS = (bnoplot => 'bno_plot', btrace => 'btrace',
		  iomon => 'blkiomon', rawverify => 'blkrawverify',
		  vblk => 'verify_blkparse');

# the case folder that was made from this recording, undef when there is none
sub folder_of
{
	my ($name) = @_;
	my $folder = $name =~ m{^traces/(.*)/(.*)} ? "trace/$1.$2" :
		$name =~ m{^golden/companions/(\w+)-(.*)} ?
			"$COMPANIONS{$1}/$2" :
		$name =~ m{^golden/replay/(rp-)?(.*)} ?
			($1 ? "btreplay/" : "btrecord/") . $2 =~ tr|-|_|r :
		$name =~ s{^golden/crafted}{blkparse}r =~ s{^golden/}{}r;
	return -d "$HERE/cases/$folder" ? $folder : undef;
}

# where our own output and status for NAME are held
sub held_base
{
	my ($name) = @_;
	my $folder = folder_of($name);
	return defined $folder ? "$HERE/cases/$folder/out" :
		"$HERE/held/" . $name =~ s{^traces/}{}r . '.out';
}

# the status beside it
sub held_status
{
	my ($base) = @_;
	my $path = $base =~ s{out\z}{rc}r;
	return $path;
}

# Puts our own bytes in place of 1.3.0's, those held for the case called NAME;
# false when none are.
sub expect_ours
{
	my ($case, $name) = @_;
	my $base = held_base($name);
	my $rc = held_status($base);

	$case->{out} = read_kept($base);
	$case->{rc} = -e $rc ? one_line($rc) : 0;
	# a folder keeps all files, held are those that differ
	my %others = folder_of($name) ? () : %{$case->{files} || {}};
	$case->{files} = { %others, %{our_files(held_files($base))} }
		if $case->{files};
	return defined $case->{out};
}

# the files beside it
sub held_files
{
	my ($base) = @_;
	return $base =~ s{out\z}{files}r;
}

sub our_files
{
	my ($dir) = @_;
	return { map { $_ => read_kept("$dir/$_") } kept_names($dir) };
}

# What is not as it was recorded, other than the counts in the headers of
# replay files.
sub beyond_header
{
	my ($theirs, $ours) = @_;
	my $masked = sub {
		my ($name, $bytes) = @_;
		return $bytes if $name =~ /\.rec\z/ || length $bytes < 32;
		return substr($bytes, 0, 16) . substr $bytes, 32;
	};

	return grep {
		$masked->($_, $theirs->{$_}) ne
			$masked->($_, defined $ours->{$_} ? $ours->{$_} : '')
	} sort keys %$theirs;
}

# Sets up the case: for a listed one our own bytes and, for a pipe's order,
# the property that makes us believe them.  Of two runs of one recording the
# second is listed only if it is to give other bytes than the first.
sub prepare
{
	my ($shared, $name, $differs) = @_;
	my $case = load_recorded($shared, $name);
	my ($recorded, $files) = @$case{qw(out files)};
	my $as = defined $differs->{$name} ? $name : recorded_as($name);
	my $decisions = $differs->{$as};

	return $case unless defined $decisions;
	expect_ours($case, $as) or
		die "no bytes of ours are held for $as (see --hold)\n";
	my @other = $files && $decisions eq "btrecord-header" ?
		beyond_header($files, $case->{files}) : ();
	die "@other: more than the header differs\n" if @other;
	$case->{also} = sub {
		my ($got) = @_;
		live_order_faults($recorded, $got->{out}, $got->{err},
				  $decisions =~ /damaged/);
	} if $decisions =~ /\bpipe-order\b/ &&
		has_event_lines($case->{cmd}, $recorded);
	return $case;
}

sub check
{
	my ($shared, $programs, $differs, @names) = @_;
	my ($number, $failed) = (0, 0);
	my $work = sub {
		my ($name, $dir) = @_;
		my $case = eval { prepare($shared, $name, $differs) };
		return $@ unless $case;
		return try_case($case, $dir, $programs);
	};
	my $show = sub {
		my ($name, @complaints) = @_;
		test_line(++$number, $name, @complaints);
		$failed++ if @complaints;
	};

	print '1..', @names + 1, "\n";
	$show->('differs.tsv is the list that came with the recordings',
		compare_differs("$HERE/differs.tsv", "$shared/differs.tsv"));
	work_in_order(\@names, $work, $show);
	return $failed;
}

# Rewrites the held bytes of those names that are held here.
sub hold
{
	my ($shared, $programs, @names) = @_;
	my $work = sub {
		my ($name, $dir) = @_;
		my $case = load_recorded($shared, $name);
		my ($got, $found) = run_case($case, $dir, $programs);
		die "$name did not end in time: not kept\n" if $got->{late};
		return keep($name, $got, $found, $case->{files});
	};

	work_in_order([grep { !folder_of($_) } @names], $work,
		sub { print "$_[0]: $_[1]\n" });
	note('not held, a case folder has them: ' . folder_of($_))
		for grep { folder_of($_) } @names;
	return 0;
}

sub keep
{
	my ($name, $got, $ours, $theirs) = @_;
	my $base = held_base($name);
	my $rc = held_status($base);
	my $old = read_kept($base);

	make_path(dirname($base));
	drop_kept($rc);
	spew($rc, "$got->{rc}\n") if $got->{rc};
	keep_files(held_files($base), $ours, $theirs) if $theirs;
	return 'unchanged' if defined $old && $old eq $got->{out};
	# always xz'd here: the bytes are many and read by nobody
	drop_kept($base);
	spew("$base.xz", '');
	write_kept($base, $got->{out});
	return defined $old ? 'changed' : 'new';
}

# Of the files written those that are not as recorded.
sub keep_files
{
	my ($dir, $ours, $theirs) = @_;
	my @names = grep {
		!defined $theirs->{$_} || $theirs->{$_} ne $ours->{$_}
	} sort keys %$ours;

	remove_tree($dir);
	return unless @names;
	make_path($dir);
	for my $name (@names) {
		spew("$dir/$name.xz", '');
		write_kept("$dir/$name", $ours->{$name});
	}
}

# Without the programs that are not built yet; how many that leaves out is
# said, not kept quiet.
sub runnable
{
	my ($shared, $programs, @names) = @_;
	my (@fit, %lacking);

	for my $name (@names) {
		my $command = load_command($shared, $name);
		my @missing = missing_programs($command, $programs);
		push @fit, $name unless @missing;
		$lacking{$_}++ for @missing;
	}
	note(map { "$lacking{$_} cases left out: $_ is not built" }
		sort keys %lacking);
	return @fit;
}

sub main
{
	my $shared = $ENV{SHARED} || "$HERE/../../shared";
	my ($dir, $hold) = ($ENV{BIN} || "$HERE/..", 0);

	GetOptions('bin=s' => \$dir, 'hold' => \$hold)
		or die "usage: recorded.t [--bin DIR] [--hold] [GLOB ...]\n";
	unless (-d "$shared/traces") {
		print "1..0 # SKIP ../shared/traces is not here\n";
		return 0;
	}
	my $bin = abs_path($dir) or die "$dir: $!\n";
	my $programs = find_programs($bin);
	my $differs = read_differs("$HERE/differs.tsv");
	my @names = match([recorded_names($shared)], @ARGV);
	@names = grep { defined $differs->{$_} } @names if $hold;
	@names = runnable($shared, $programs, @names);
	return $hold ? hold($shared, $programs, @names) :
		check($shared, $programs, $differs, @names);
}

exit(main() ? 1 : 0);
