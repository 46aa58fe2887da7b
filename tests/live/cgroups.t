#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# blktrace --cgroup: fio in cgroups of ours, whose I/Os are counted by name and
# exactly, also of one that is gone before the end; and the kernel's switch,
# which is back behind every end.
#
#	BIN=DIR prove tests/live/cgroups.t
#
# Works in a private mount namespace, on loop devices it makes itself, and in
# cgroups that it makes below the root of the tree that has the I/O controller.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../hostile", $FindBin::Bin;
use Cwd 'abs_path';
use File::Temp 'tempdir';
use JSON::PP;
use Machine qw($TRACEFS enter loops name_of wait_tracing);
use Process;
use Suite::Files 'slurp';
use Suite::Run qw(find_programs run_command);
use Test::More;
use Time::HiRes 'sleep';

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $OPTION = "$TRACEFS/options/blk_cgroup";
my $END = 30;
my ($TOP, $LOOP, $TREE);
my $OURS = "blktrace-test-$$";
my (@made, $inside);

# --- cgroups ----------------------------------------------------------------

# where the tree is that has the controller, if that can be used here
sub find_tree
{
	for (slurp('/proc/self/mountinfo') =~ /^.*\n/mg) {
		my ($place, $type, $options) =
			m{^\S+ \S+ \S+ / (\S+) .* - (\S+) \S+ (\S+)$} or next;
		return $place if $type eq 'cgroup' &&
			$options =~ /(?:^|,)blkio(?:,|$)/;
		return $place if $type eq 'cgroup2' &&
			slurp("$place/cgroup.subtree_control") =~ /\bio\b/;
	}
	return undef;
}

sub make_cgroup
{
	my ($name) = @_;
	mkdir "$TREE/$name" or die "$TREE/$name: $!\n";
	push @made, $name;
	my $control = "$TREE/$name/cgroup.subtree_control";
	return if $name =~ m{/} || !-e $control;

	open my $to, '>', $control or die "$control: $!\n";
	print $to '+io';
	close $to or die "$control: $!\n";
}

sub remove_cgroup
{
	my ($name) = @_;
	for (1 .. 100) {
		last if rmdir "$TREE/$name";
		sleep 0.05;
	}
	@made = grep { $_ ne $name } @made;
}

END {
	if (defined $inside && $inside == $$) {
		local $?;
		remove_cgroup($_) for reverse my @all = @made;
	}
}

# COUNT I/Os of fio in a cgroup, as fio counts them
sub fio
{
	my ($name, $rw, $count) = @_;
	my $got = run_command("sh -c 'echo 0 >$TREE/$name/cgroup.procs && exec"
		. " fio --name=x --filename=$LOOP --rw=$rw --bs=4k --direct=1"
		. " --number_ios=$count --ioengine=psync --thread=0"
		. " --output-format=json'", $TOP, $PROGRAMS);
	my $job = decode_json($got->{out} =~ s/\A[^{]*//r)->{jobs}[0];
	return $job->{read}{total_ios} + $job->{write}{total_ios};
}

# --- captures ---------------------------------------------------------------

sub is_on
{
	return slurp($OPTION) + 0;
}

sub begin
{
	my ($words, $dir) = @_;
	mkdir "$TOP/$dir" or die "$TOP/$dir: $!\n";
	my $run = Process->start(
		['sh', '-c', "exec blktrace --cgroup $words $LOOP"],
		"$TOP/$dir", $PROGRAMS->{path});

	ok(wait_tracing($run->pid), "blktrace --cgroup $words");
	is(is_on(), 1, '... has the switch on');
	return $run;
}

sub finish
{
	my ($run, $signal) = @_;
	kill $signal => $run->pid if $signal;
	my ($status) = $run->finish($END);
	is($status, 0, '... ends well');
	is(is_on(), 0, '... and has it off again');
}

# ios by cgroup, as btstat has them
sub counted
{
	my ($dir) = @_;
	my $got = run_command('btstat --by=cgroup --format=json ' .
			      name_of($LOOP), "$TOP/$dir", $PROGRAMS);
	return { map { $_->{cgroup} => $_->{ios} }
		 @{decode_json($got->{out})->{tables}{sums}} };
}

sub test_whose
{
	my $run = begin('', 'whose');
	my %fio = ("/$OURS/a" => fio("$OURS/a", 'randwrite', 137),
		   "/$OURS/b" => fio("$OURS/b", 'randread', 211));

	make_cgroup("$OURS/short");
	$fio{"/$OURS/short"} = fio("$OURS/short", 'randrw', 50);
	remove_cgroup("$OURS/short");
	finish($run, 'INT');
	my $got = counted('whose');
	is_deeply({ map { $_ => $got->{$_} } keys %fio }, \%fio,
		  '... each has what fio counts');
	is($fio{"/$OURS/a"}, 137, '... which is what was asked for');
}

sub test_ends
{
	finish(begin('', 'term'), 'TERM');
	finish(begin('', 'hup'), 'HUP');
	finish(begin('-w 1', 'time'));
}

# A capture that cannot begin has nothing left on.
sub test_fails
{
	my $got = run_command("blktrace --cgroup -D /proc/none $LOOP", $TOP,
			      $PROGRAMS);
	isnt($got->{rc}, 0, 'a directory that cannot be written: no capture');
	is(is_on(), 0, '... and the switch is off');
	$got = run_command("blktrace --cgroup --via=bpf $LOOP", $TOP,
			   $PROGRAMS);
	like($got->{err}, qr/not for --via=bpf/, '... not by eBPF');
}

# What was on before stays on.
sub test_was_on
{
	open my $to, '>', $OPTION or die "$OPTION: $!\n";
	print $to '1';
	close $to;
	my $run = begin('', 'on');
	kill INT => $run->pid;
	$run->finish($END);
	is(is_on(), 1, '... and leaves on what was on before');
	open $to, '>', $OPTION or die "$OPTION: $!\n";
	print $to '0';
	close $to;
}

my $hindrance = enter();
$hindrance ||= 'fio is not here' if system 'fio --version >/dev/null 2>&1';
plan skip_all => $hindrance if $hindrance;
plan skip_all => 'no option blk_cgroup' unless -e $OPTION;
$TREE = find_tree();
plan skip_all => 'no tree of cgroups with the I/O controller'
	unless defined $TREE && -w $TREE;
plan skip_all => 'somebody else records cgroups' if is_on();
$inside = $$;
$TOP = tempdir('cgroups.XXXXXX', TMPDIR => 1, CLEANUP => 1);
($LOOP) = loops($TOP, 1);
make_cgroup($_) for $OURS, "$OURS/a", "$OURS/b";
test_whose();
test_ends();
test_fails();
test_was_on();
done_testing();
