# SPDX-License-Identifier: GPL-2.0-only
# One shell line, run the way every case is run: in a directory of its own,
# with our programs first in PATH, the C locale, UTC, nothing on standard
# input, a pipe on standard output, and a time limit for the whole family of
# processes it starts.
package Suite::Run;

use strict;
use warnings;
use Exporter 'import';
use File::Temp 'tempdir';
use POSIX ();
use Suite::Files qw(slurp spew);

our @EXPORT_OK = qw(run_command missing_programs find_programs has_sqlite);

# what only a run that hangs reaches, also on a machine much slower than ours
my $SECONDS = 600;
# how much longer a run may take under a checker given in WRAP
my $WRAP_PATIENCE = 10;

my @PROGRAMS = qw(blkparse blktrace btt btrace btrecord btreplay blkiomon
		  blkrawverify verify_blkparse iowatcher bno_plot btt_plot
		  iotracer btstat btexport btimport btreport btpack blktop);

# How a checker or sanitizer is told what to do; all else is taken away.
my @PASSED_ON = grep { defined $ENV{$_} } qw(ASAN_OPTIONS UBSAN_OPTIONS
					     TSAN_OPTIONS VALGRIND_OPTS);

# The programs of the suite that a command needs and we lack.  Without this
# look a command would quietly find the distribution's own in /usr/bin.
sub missing_programs
{
	my ($command, $programs) = @_;
	my $any = join '|', @PROGRAMS;
	my $start = qr{(?:^|[;|&(]|\b(?:do|then)\s)\s*(?:\w+=\S*\s+)*};
	my %named = map { $_ => 1 }
		$command =~ m{$start($any)(?![\w.-])}g;
	return grep { !-x "$programs->{dir}/$_" } sort keys %named;
}

# whether btexport of PROGRAMS was built with SQLite; asked in the directory TOP
sub has_sqlite
{
	my ($top, $programs) = @_;
	my $got = run_command('btexport --query=depth .', $top, $programs);
	return $got->{err} !~ /without SQLite/;
}

# The programs of DIR: { dir, path }, path being what PATH should begin with.
# That is DIR itself, or with WRAP in the environment a directory of little
# scripts that start DIR's programs under that checker.
sub find_programs
{
	my ($dir) = @_;
	my $wrap = $ENV{WRAP};
	return { dir => $dir, path => $dir }
		unless defined $wrap && length $wrap;

	my $wrapped = tempdir('wrap.XXXXXX', TMPDIR => 1, CLEANUP => 1);
	for my $name (grep { -x "$dir/$_" } @PROGRAMS) {
		# a checker wants the program: our scripts run as they are
		my $by = is_script("$dir/$name") ? '' : $wrap;
		spew("$wrapped/$name",
		     "#!/bin/sh\nexec $by '$dir/$name' \"\$@\"\n");
		chmod 0755, "$wrapped/$name";
	}
	return { dir => $dir, path => $wrapped };
}

sub is_script
{
	my ($path) = @_;
	open my $in, '<:raw', $path or die "$path: $!\n";
	read $in, my $start, 2;
	return $start eq '#!';
}

sub time_limit
{
	my $limit = $ENV{TIMEOUT} || $SECONDS;
	return $ENV{WRAP} ? $limit * $WRAP_PATIENCE : $limit;
}

# Returns { out, err, rc, late }: rc as a shell counts it (128 + a signal's
# number), late true when the time limit ended the run.
sub run_command
{
	my ($command, $dir, $programs) = @_;
	my $errors = "$dir.stderr";

	pipe my $out, my $into or die "pipe: $!\n";
	my $pid = fork;
	die "fork: $!\n" unless defined $pid;
	become_shell($command, $dir, $programs->{path}, $into, $errors)
		if $pid == 0;
	setpgrp $pid, $pid;		# both sides do it: no race
	close $into;

	my $got = collect($pid, $out);
	$got->{err} = slurp($errors);
	unlink $errors;
	# a program may say where it is: its name is enough
	s{\Q$programs->{dir}\E/|\Q$dir\E/}{}g for $got->{out}, $got->{err};
	return $got;
}

# the child's side; does not return
sub become_shell
{
	my ($command, $dir, $path, $into, $errors) = @_;

	setpgrp 0, 0;
	$SIG{PIPE} = 'DEFAULT';
	umask 022;
	%ENV = ((map { $_ => $ENV{$_} } @PASSED_ON),
		PATH => "$path:/usr/bin:/bin", LC_ALL => 'C', TZ => 'UTC0',
		HOME => $dir);
	chdir $dir
		and open(STDIN, '<', '/dev/null')
		and open(STDERR, '>', $errors)
		and open(STDOUT, '>&', $into)
		# a crash should leave a status, not a core file
		and exec '/bin/sh', '-c', 'ulimit -c 0; exec /bin/sh -c "$1"',
			'sh', $command;
	warn "cannot start: $!\n";
	POSIX::_exit(127);
}

# Reads standard output to its end and takes the status.  The limit covers
# both: a command may close its output and still hang.
sub collect
{
	my ($pid, $out) = @_;
	my ($bytes, $late) = ('', 0);
	my $end = sub { kill 'KILL', -$pid; POSIX::_exit(130) };
	local $SIG{INT} = $end;
	local $SIG{TERM} = $end;
	local $SIG{ALRM} = sub { $late = 1; kill 'KILL', -$pid };

	alarm time_limit();
	while (1) {
		my $n = sysread $out, $bytes, 65536, length $bytes;
		next if !defined $n && $!{EINTR};
		last unless $n;
	}
	# perl's waitpid comes back early when the alarm rings
	my $reaped = 0;
	$reaped = waitpid $pid, 0 until $reaped == $pid;
	my $status = $?;
	alarm 0;
	return { out => $bytes, late => $late, rc => shell_status($status) };
}

sub shell_status
{
	my ($status) = @_;
	return $status & 127 ? 128 + ($status & 127) : $status >> 8;
}

1;
