#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The units of doc/examples, by systemd itself: whether it understands all that is
# in them, and what they leave to a collector; and whether blktrace understands
# the words that they start it with.
#
#	BIN=DIR prove tests/services.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use IO::Socket::IP;
use Suite::Files qw(slurp spew);
use Suite::Run 'find_programs';
use Test::More;

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $DIR = tempdir('services.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $EXAMPLES = "$FindBin::Bin/../doc/examples";
# of systemd's 10.0, in which much that it cannot know of a network is counted
my $EXPOSURE = 3.0;

# a unit with our program in it, as a file of that name
sub unit
{
	my ($from, $name) = @_;
	my $text = slurp("$EXAMPLES/$from");
	$text =~ s{/usr/s?bin/(blktrace|btexport)}{$PROGRAMS->{dir}/$1}g;
	spew("$DIR/$name", $text);
	return $text;
}

sub verify
{
	my ($name) = @_;
	my $said = `cd $DIR && systemd-analyze verify --man=no ./$name 2>&1`;
	return "$?: $said";
}

# the words of ExecStart behind the program
sub words_of
{
	my ($text) = @_;
	my ($line) = $text =~ /^ExecStart=((?:.*\\\n)*.*)$/m;
	$line =~ s/\\\n//g;
	return $line =~ s/\S+\s*//r;
}

# The system calls that a list of systemd's allows, its sets taken apart.
sub allowed
{
	my (@list) = @_;
	my %calls;

	while (defined(my $name = shift @list)) {
		if ($name !~ /^@/) {
			$calls{$name} = 1;
			next;
		}
		push @list, map { /^ +([@\w]\S*)/ ? $1 : () }
			`systemd-analyze syscall-filter --no-pager $name`;
	}
	return \%calls;
}

# What confines the collector once more has to let it confine itself.
sub test_calls
{
	my ($text) = @_;
	my ($list) = $text =~ /^SystemCallFilter=((?:.*\\\n)*.*)$/m;
	my $calls = allowed(split ' ', $list =~ s/\\\n//gr);
	my @own = slurp("$FindBin::Bin/../server/rights.c") =~
		/\.number = SYS_(\w+)/g;

	cmp_ok(scalar @own, '>', 30, 'calls that the collector makes');
	# those of another kind of machine are none of this one's sets
	is_deeply([grep { !$calls->{$_} && !/64$|^_llseek$/ } @own, 'prctl',
		   'seccomp', map { "landlock_$_" }
		   qw(create_ruleset add_rule restrict_self)],
		  [], '... are allowed by its unit, and its own rules');
}

my $collector = unit('blktrace-collector.service', 'blktrace-collector.service');
my $said;
my $recorder = unit('blktrace-recorder.service', 'blktrace-recorder@.service');

my $words = words_of($collector) =~ s{-D \S+}{-D $DIR/store}r;
my $port = IO::Socket::IP->new(LocalHost => '127.0.0.1', Listen => 1)->sockport;
my $checked = `$PROGRAMS->{dir}/blktrace --check $words -p $port 2>&1`;
is($?, 0, 'the collector is started with words that blktrace knows')
	or diag($checked);
$words = words_of($recorder) =~ s/%i/none-such/r;
like(`$PROGRAMS->{dir}/blktrace $words 2>&1`, qr{/dev/none-such},
     'the recorder gets as far as its device');

my $follower = unit('btexport-follow.service', 'btexport-follow.service');
$words = words_of($follower) =~ s{/srv/trace}{$DIR/none}r =~
	s{/var/lib/btexport}{$DIR}gr;
SKIP: {
	$said = `$PROGRAMS->{dir}/btexport $words 2>&1`;
	skip 'built without libcurl', 1 if $said =~ /no libcurl/;
	like($said, qr{^btexport: \Q$DIR\E/none: No such file},
	     'the follower gets as far as its directory');
}

SKIP: {
	skip 'no systemd here', 9
		if system('systemd-analyze --version >/dev/null 2>&1');
	test_calls($collector);
	is(verify('blktrace-collector.service'), '0: ', 'the collector\'s unit');
	unit('blktrace-collector.socket', 'blktrace-collector.socket');
	is(verify('blktrace-collector.socket'), '0: ', '... and its socket');
	symlink 'blktrace-recorder@.service', "$DIR/blktrace-recorder\@sda.service"
		or die "symlink: $!\n";
	is(verify('blktrace-recorder@sda.service'), '0: ',
	   'the recorder\'s, of a disk');
	is(verify('btexport-follow.service'), '0: ', 'the follower\'s');
	spew("$DIR/wrong.service",
	     $collector =~ s/^ProtectSystem=/ProtectSytem=/mr);
	like(verify('wrong.service'), qr/ProtectSytem/,
	     'a name that is wrong would be told of');
	$said = `cd $DIR && systemd-analyze security --offline=yes \\
		--no-pager ./blktrace-collector.service 2>&1`;
	my ($exposure) = $said =~ /exposure level for \S+: ([\d.]+)/;
	skip 'a systemd that does not tell', 2 unless defined $exposure;
	cmp_ok($exposure, '<=', $EXPOSURE, 'what the collector is exposed to');
	like($said, qr/^\S+ +CapabilityBoundingSet=~CAP_SYS_ADMIN/m,
	     '... by rules that were read');
}
done_testing();
