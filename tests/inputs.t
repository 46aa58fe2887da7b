#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Why an input cannot be read, and what to do: there is no such file, it is a
# directory without a trace, or the user may not read it.
#
#	BIN=DIR prove tests/inputs.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Suite::Files 'spew';
use Suite::Run qw(find_programs run_command);
use Test::More;

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('inputs.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $NOBODY = $> ? '' :
	'setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all';

my $NONE = 'no such file or trace; give its path without .blktrace.CPU, as' .
	' DIR/sda for DIR/sda.blktrace.0';
my $EMPTY = 'a directory without a trace; name the one with files such as' .
	' sda.blktrace.0';
my $DENIED = 'permission denied; read it as root, or have root give you the' .
	' files (chown)';
my %WHY = (none => $NONE, 'empty/vda' => $NONE, 'half/none' => $NONE,
	   empty => $EMPTY, 'empty/' => $EMPTY);
# a directory that may not be entered, and one that may not be listed
my %KEPT_FROM = map { $_ => $DENIED }
	qw(locked locked/vda half half/vda);

sub run
{
	my ($command) = @_;
	return run_command($command, $TOP, $PROGRAMS);
}

# what stands before our line: release 1.3.0's, or words of it
my %CLASSIC = (blkparse => ['No input files found for %s', ''],
	       btrecord => ['No traces found for %s', ''],
	       btt => [undef, 'cannot read ']);

# PROGRAM, by its words before the name, says so of each name
sub test_reasons
{
	my ($program, $as, %why) = @_;
	my ($called) = $program =~ /^(\w+)/;
	my ($line, $said) = @{$CLASSIC{$called} // [undef, '']};

	for my $name (sort keys %why) {
		my $got = run("$as $program $name");
		my $first = $line ? "$called: " . sprintf($line, $name) . "\n" :
			'';

		my $reason = $line && $why{$name} eq $NONE ? '' :
			"$called: $said$name: $why{$name}\n";

		is($got->{err}, "$first$reason",
		   "$as $program $name: the reason");
		is($got->{rc}, 1, '... status 1');
	}
}

chmod 0755, $TOP or die "$TOP: $!\n";
for my $dir (qw(empty half locked)) {
	mkdir "$TOP/$dir" or die "$TOP: $!\n";
}
spew("$TOP/$_/vda.blktrace.0", '') for qw(half locked);
chmod 0711, "$TOP/half" or die "$TOP: $!\n";
chmod 0700, "$TOP/locked" or die "$TOP: $!\n";
mkdir "$TOP/mine" or die "$TOP: $!\n";
spew("$TOP/mine/vda.blktrace.0", 'x');
spew("$TOP/dump", '');
chmod 0600, "$TOP/dump", "$TOP/mine/vda.blktrace.0" or die "$TOP: $!\n";
# run by a user, whose own directories keep nothing back at these modes
chmod 0, "$TOP/locked" if $>;

my @PROGRAMS = ('btstat', 'btexport --format=csv', 'btreport -o page.html',
		'blktop -b', 'iowatcher -o picture.svg -t',
		'blktrace --card', 'btt -i', 'blkparse', 'btrecord',
		'btpack -o packed.btz');

test_reasons($_, '', %WHY) for @PROGRAMS;
SKIP: {
	skip 'as nobody these do not run', 1
		if run("$NOBODY btstat -V")->{rc};
	delete @KEPT_FROM{grep { /half/ } keys %KEPT_FROM} if $>;
	# 1.3.0's line is not blkparse's where a directory may not be read
	my %on_the_way = %KEPT_FROM;
	delete @on_the_way{qw(locked half)};
	test_reasons($_, $NOBODY, /^blkparse/ ? %on_the_way : %KEPT_FROM)
		for @PROGRAMS;
	skip 'a user reads what is his', 1 if $>;
	like(run("$NOBODY blkrawverify mine/vda")->{err},
	     qr/: cannot be opened: \Q$DENIED\E$/m,
	     'blkrawverify: a file that may not be read');
	for my $program ('btstat', 'blkparse', 'btexport --format=csv') {
		like(run("$NOBODY $program $_")->{err},
		     qr/^\w+: $_(?:\.blktrace\.0: byte 0)?: \Q$DENIED\E$/m,
		     "$NOBODY $program $_: a file that may not be read")
			for 'dump', 'mine/vda';
	}
}
done_testing();
