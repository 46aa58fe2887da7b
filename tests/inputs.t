#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# What programs say of an input that is none: of no file, of a directory without
# a trace, and of one that the user may not read.
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

my %WHY = (none => 'no such file or trace',
	   'empty/vda' => 'no such file or trace',
	   'half/none' => 'no such file or trace',
	   empty => 'no trace in this directory',
	   'empty/' => 'no trace in this directory');
# a directory that may not be entered, and one that may not be listed
my %KEPT_FROM = map { $_ => 'Permission denied' }
	qw(locked locked/vda half half/vda);

sub run
{
	my ($command) = @_;
	return run_command($command, $TOP, $PROGRAMS);
}

# PROGRAM, by its words before the name, says so of each name
sub test_reasons
{
	my ($program, $as, %why) = @_;
	my $said = $program =~ /^btt/ ? 'cannot read ' : '';

	for my $name (sort keys %why) {
		my $got = run("$as $program $name");
		my ($called) = $program =~ /^(\w+)/;

		is($got->{err}, "$called: $said$name: $why{$name}\n",
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
# run by a user, whose own directories keep nothing back at these modes
chmod 0, "$TOP/locked" if $>;

my @PROGRAMS = ('btstat', 'btexport --format=csv', 'btreport -o page.html',
		'blktop -b', 'iowatcher -o picture.svg -t',
		'blktrace --card', 'btt -i');

test_reasons($_, '', %WHY) for @PROGRAMS;
SKIP: {
	skip 'as nobody these do not run', 1
		if run("$NOBODY btstat -V")->{rc};
	delete @KEPT_FROM{grep { /half/ } keys %KEPT_FROM} if $>;
	test_reasons($_, $NOBODY, %KEPT_FROM) for @PROGRAMS;
}
done_testing();
