#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# What --check finds without being root, on any machine; what a run needs root
# for, and every cause that tracing may fail of, is in live/doctor.t.
#
#	BIN=DIR prove tests/doctor.t
#
# Started by root, it becomes nobody for a part of it.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Suite::Files qw(slurp spew);
use Suite::Run qw(find_programs run_command);
use Test::More;

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('doctor.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $NOBODY = $> ? '' :
	'setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all';

sub run
{
	my ($command) = @_;
	return run_command($command, $TOP, $PROGRAMS);
}

# --check has such a line, and its status says so
sub finds
{
	my ($what, $words, $arguments) = @_;
	my $got = run("blktrace --check $arguments");

	like($got->{out}, qr/^no: $words/m, "$what: --check says so");
	is($got->{rc}, 1, '... ends with 1');
	is($got->{err}, '', '... and complains nowhere else');
}

# every line has a mark, and only a "no" makes the status 1
sub test_form
{
	for my $arguments ('', '/dev/null', '--via=relay', '--via=ftrace',
			   '--via=bpf', '--via=bpf /dev/null', '-o -',
			   '-h 127.0.0.1') {
		my $got = run("blktrace --check $arguments");
		my @wrong = grep { !/^(?:ok|no|but): \S/ } split /\n/,
			$got->{out};
		is("@wrong", '', "--check $arguments: a mark in each line");
		is($got->{rc}, $got->{out} =~ /^no:/m ? 1 : 0,
		   '... the status is that of its marks');
	}
}

# only what the run would need is looked for
sub test_ways
{
	my %lines = (debugfs => '--via=relay', tracefs => '--via=ftrace',
		     'output directory' => '-D .');
	for my $line (sort keys %lines) {
		for my $arguments (sort values %lines) {
			my $got = run("blktrace --check $arguments -o -");
			my $want = $line ne 'output directory' &&
				($arguments !~ /via/ ||
				 $arguments eq $lines{$line});
			is($got->{out} =~ /^\w+: (?:.* )?\Q$line\E/m ? 1 : 0,
			   $want ? 1 : 0, "--check $arguments: $line");
		}
	}
}

sub test_output
{
	spew("$TOP/file", '');
	finds('output is a file',
	      'output directory file is not writable: Not a directory; .*-D',
	      '-D file');
	finds('output in a file',
	      'output directory ./file is not writable: Not a directory',
	      '-o file/name');
	finds('output nowhere',
	      'output directory /nope is not writable: No such file',
	      '-D /nope/deep');
	# root has every right there, and yet can make nothing
	for my $dir ('/proc', '/proc/nope', '/sys', '/sys/nope') {
		finds('output into the kernel',
		      'output directory \S+ is not writable: .*-D', "-D $dir");
	}
	mkdir "$TOP/empty";
	my $got = run('blktrace --check -D empty');
	like($got->{out}, qr/^ok: output directory empty is writable$/m,
	     'one that is there');
	opendir my $dir, "$TOP/empty" or die "$TOP/empty: $!\n";
	is(scalar(grep { !/^\.\.?\z/ } readdir $dir), 0,
	   '... nothing is left in it');
	$got = run('blktrace --check -D new');
	like($got->{out}, qr/^ok: output directory new is writable$/m,
	     'one that is missing will be made');
	ok(!-e "$TOP/new", '... but not yet');
}

sub test_devices
{
	finds('no device', 'no such device: /dev/nope; lsblk', '/dev/nope');
	finds('not a device', '/dev/null is not a block device', '/dev/null');
	finds('not a device, by ftrace', 'file is not a block device',
	      '--via=ftrace file');
	my $got = run('blktrace --check /dev/nope /dev/null');
	is(scalar(() = $got->{out} =~ m{^no: .*/dev/n}mg), 2,
	   'a line for each device');
}

# a user may load no programs, whatever the machine
sub test_bpf
{
	my $works = !run("$NOBODY blktrace -V")->{rc};
	SKIP: {
		skip 'nobody may not get to blktrace', 2 unless $works;
		my $got = run("$NOBODY blktrace --check --via=bpf -o -");
		is($got->{out}, "no: only root may load programs into the" .
		   " kernel\nno: tracing will not work\n",
		   'not root: --check --via=bpf says so');
		is($got->{rc}, 1, '... and ends with 1');
	}
}

# whether there is a lockdown: not without a look
sub test_lockdown
{
	my $seen = -r '/sys/kernel/security/lockdown' ||
		slurp('/proc/cmdline') =~ /lockdown=/;
	my $mounted = -e '/sys/kernel/debug/fault_around_bytes';
	my $got = run('blktrace --check --via=relay -o -')->{out};
	SKIP: {
		skip 'the kernel says it', 2 if $seen;
		skip 'nobody may not get to blktrace', 2
			if run("$NOBODY blktrace -V")->{rc};
		is(scalar($got =~ /^ok: no sign of a locked down kernel$/m),
		   $mounted && !$> ? 1 : '', 'no sign of a lockdown:'
		   . ' only where that can be seen');
		$got = run("$NOBODY blktrace --check --via=relay -o -")->{out};
		like($got, qr/^but: only root can see .* run this as root$/m,
		     '... the user nobody is sent to root');
	}
}

# a block device that a user may not open
sub test_not_root
{
	my ($device) = grep { -b && !((stat)[2] & 0006) } glob '/dev/*';
	my $works = !run("$NOBODY blktrace -V")->{rc};
	SKIP: {
		skip 'no block device', 4 unless $device;
		skip 'nobody may not get to blktrace', 4 unless $works;
		chmod 0777, $TOP;
		my $words = "tracing $device is for root only;" .
			' run this as root';
		my $got = run("$NOBODY blktrace --check $device");
		like($got->{out}, qr/^no: $words$/m, 'not root: --check');
		is($got->{rc}, 1, '... ends with 1');
		$got = run("$NOBODY blktrace $device");
		is($got->{err}, "blktrace: $words\n",
		   '... a run says the same');
		is($got->{rc}, 1, '... and ends with 1');
	}
}

test_form();
test_ways();
test_output();
test_devices();
test_bpf();
test_lockdown();
test_not_root();
done_testing();
