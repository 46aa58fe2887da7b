#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The commands of doc/fleet.md, run as they are: three hosts, then replicas.
#
#	make all rotate-programs; BIN=DIR ROTATE=build/tests/rotate \
#		prove tests/guide.t
#
# Only names differ: ch1 is a server of ours, /srv and /var/lib directories.
# blktrace is not run but checked: its segments are those of recorded traces.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use File::Path 'make_path';
use File::Temp 'tempdir';
use Process 'patience';
use Suite::ClickHouse;
use Suite::Files qw(slurp spew);
use Suite::Followed qw(end feed start);
use Suite::Run qw(find_programs run_command);
use Test::More;
use Time::HiRes qw(sleep time);

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('guide.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $why = Suite::ClickHouse::hindrance();
plan skip_all => $why if $why;
my $probe = run_command('btexport --follow=. -o x/ --to=clickhouse://x', $TOP,
			$PROGRAMS)->{err};
plan skip_all => 'built without libcurl' if $probe =~ /has no libcurl/;
$SIG{$_} = sub { exit 1 } for qw(INT TERM HUP);

# heading => its commands, in order, each without "$ " or "# "
sub commands
{
	my %of;
	my $heading = '';
	my $text = slurp("$FindBin::Bin/../doc/fleet.md") =~ s/\\\n\s+//gr;

	for my $line (split /\n/, $text) {
		$heading = $1 if $line =~ /^## (.*)/;
		push @{$of{$heading}}, $1 if $line =~ /^\t+[\$#] (.*)/;
	}
	return %of;
}

my %DOC = commands();
my ($FOLLOW) = grep { /--follow=/ } @{$DOC{'Three hosts'}};
my @HOSTS = qw(db1 smp4-mixed-procs md-raid1-3dev);

# The client, for a server: another port, and what release 18.16 needs.
sub make_client
{
	my ($servers, $number) = @_;
	my $dir = "$TOP/client-$number";

	make_path($dir);
	spew("$dir/clickhouse-client", "#!/bin/sh\nexec /usr/bin/env"
	     . " PATH='$ENV{PATH}' clickhouse-client"
	     . " --port=$servers->{ports}[$number]"
	     . " --allow_experimental_low_cardinality_type=1 \"\$\@\"\n");
	chmod 0755, "$dir/clickhouse-client" or die;
	return $dir;
}

# As the document has it, but for --ttl, which 18.16 does not know.
sub ask_server
{
	my ($servers, $number, $command) = @_;
	my $path = make_client($servers, $number);

	$command =~ s/ --ttl=\d+//;
	return system('env', "PATH=$path:$PROGRAMS->{path}:$ENV{PATH}", 'sh',
		      '-c', $command);
}

sub follow
{
	my ($what, $to) = @_;
	my $command = $FOLLOW =~ s{/srv/trace}{$TOP/trace}r
		=~ s{/var/lib/btexport}{$TOP/$what}r =~ s{--to=\S+}{$to}r;

	return start("$TOP/messages", 'sh', '-c', "exec env PATH="
		. "'$PROGRAMS->{path}:$ENV{PATH}' $command");
}

# host, I/Os and their bytes, once all segments are there
sub arrived
{
	my ($servers, $number, $segments) = @_;
	my %how = (database => 'blktrace');
	my $until = time + 60 * patience(1);

	sleep 0.2 until time > $until || (eval { $servers->ask($number,
		'SELECT uniqExact(trace, segment) FROM segments', %how) }
		|| 0) == $segments;
	return $servers->ask($number, 'SELECT host, count(), sum(bytes) FROM ios
		GROUP BY host ORDER BY host', %how);
}

# the same by a whole export
sub wanted
{
	return join '', map {
		my @bytes = split /\n/, run_command('btexport --table=ios'
			. " --format=csv --no-header --fields=bytes '$TOP/trace/$_'",
			$TOP, $PROGRAMS)->{out};
		my $sum = 0;
		$sum += $_ for @bytes;
		"$_\t" . @bytes . "\t$sum\n" } sort @HOSTS;
}

# Options of a command that nobody could run here are those of the program.
sub test_capture
{
	for my $command (grep { /\bblktrace / } map { @$_ } values %DOC) {
		my ($words) = $command =~ /\b(blktrace .*?)(?:;|$)/;
		$words =~ s{/dev/\S+}{}g;
		$words =~ s{\$\(hostname\)}{db1};
		my $got = run_command("$words --check /dev/null", $TOP,
				      $PROGRAMS);
		unlike($got->{err}, qr/unknown|unrecognized|usage|invalid|expects/i,
		       "$words: known");
	}
}

sub test_three
{
	my ($segments) = @_;

	mkdir "$TOP/servers" or die;
	my $one = Suite::ClickHouse->start("$TOP/servers", 1);
	for my $command (grep { /clickhouse-client/ } @{$DOC{'Three hosts'}}) {
		is(ask_server($one, 0, $command), 0, $command);
	}
	my ($to) = $FOLLOW =~ /(--to=\S+)/;
	my $web = $one->web(0);
	my $pid = follow('one', $to =~ s/ch1/$web/r);
	is(arrived($one, 0, $segments), wanted(), $FOLLOW);
	end($pid, 'TERM');
	for my $table (qw(ios latency latency_10m segments)) {
		my $what = $table eq 'latency_10m' ? 'sum(count)' : 'count()';
		my ($all, $here) = map { $one->ask(0, "SELECT $what FROM $_",
			database => 'blktrace') } "${table}_all", $table;
		is($all, $here, "${table}_all");
	}
}

sub test_replicas
{
	my ($segments) = @_;
	my $none = Suite::ClickHouse::keeper_hindrance();
	return plan skip_all => $none if $none;
	my $keeper = Suite::ClickHouse::start_keeper("$TOP/keeper");
	mkdir "$TOP/replicas" or die;
	my $three = Suite::ClickHouse->start("$TOP/replicas", 3,
					     keeper => $keeper);
	my ($create) = grep { /CREATE DATABASE/ } @{$DOC{'Three hosts'}};
	my ($schema) = grep { /replicated/ } @{$DOC{Replicas}};
	my ($to) = slurp("$FindBin::Bin/../doc/fleet.md") =~
		/^\t(--to=clickhouses:\S+)$/m;

	for my $number (0 .. 2) {
		is(ask_server($three, $number, $create), 0, "$number: $create");
		is(ask_server($three, $number, $schema), 0, "$number: $schema");
	}
	# plain here: tests/ship.t has HTTPS
	$to =~ s/clickhouses/clickhouse/;
	$to =~ s{ch(\d)}{$three->web($1 - 1)}ge;
	my $pid = follow('three', $to);
	is(arrived($three, $_, $segments), wanted(), "server $_: $to") for 0 .. 2;
	end($pid, 'TERM');
}

my $segments = 0;
$segments += feed($TOP, $_ eq 'db1' ? 'dm-linear-3dev' : $_, "$TOP/trace/$_")
	for @HOSTS;
test_capture();
test_three($segments);
subtest replicas => sub { test_replicas($segments) };
done_testing();
