#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# btexport --follow --to: captures into real ClickHouse servers.
#
#	make all rotate-programs; BIN=DIR ROTATE=build/tests/rotate \
#		prove tests/ship.t
#
# The tables must have the rows of one export of all segments, each once, whatever
# is killed or absent for a while.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile", "$FindBin::Bin/tls";
use Authority qw(make_authority make_certificate);
use Cwd 'abs_path';
use File::Path 'make_path';
use File::Temp 'tempdir';
use Process 'patience';
use Suite::ClickHouse;
use Suite::Files qw(files_below slurp spew);
use Suite::Followed qw(end feed start %TRACES);
use Suite::Run qw(find_programs run_command);
use Test::More;
use Time::HiRes qw(sleep time);

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('ship.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $BTEXPORT = "$PROGRAMS->{path}/btexport";

my $why = Suite::ClickHouse::hindrance();
plan skip_all => $why if $why;
$SIG{$_} = sub { exit 1 } for qw(INT TERM HUP);

# --- tables and rows --------------------------------------------------------

sub statements
{
	return grep { /\S/ } split /;/, $_[0] =~ s/^--.*\n//mgr;
}

# the tables that --schema prints, on a server, in a database of their own
sub make_tables
{
	my ($servers, $number, $database, $how) = @_;
	my $text = run_command("btexport --schema=$how", $TOP, $PROGRAMS)->{out};

	$text =~ s/^-- On the node that.*//ms;
	$text =~ s{/\{shard\}/}{/{shard}/$database-}g;
	$servers->ask($number, "CREATE DATABASE $database");
	$servers->ask($number, $_, database => $database)
		for statements($text);
}

# rows and sums of a table by host: what no row may be twice or missing in
my %SUMS = (
	ios => 'count(), uniqExact(trace, id), sum(bytes), sum(total_ns),
		sum(cityHash64(trace, id, unix_ns, sector, ended))',
	latency => 'count(), sum(count), sum(sum_ns), sum(sum_bytes),
		min(min_ns), max(max_ns)',
	latency_10m => 'sum(count), sum(sum_ns), sum(sum_bytes),
		sum(count * cityHash64(trace, dev, disk, op, phase,
				       from_unix_ns, low_ns, high_ns))',
);

sub sums
{
	my ($servers, $number, $database, $table) = @_;
	return $servers->ask($number, "SELECT host, $SUMS{$table} FROM $table
		GROUP BY host ORDER BY host", database => $database);
}

# The same of whole exports, in tables of a database "whole": made once.
sub whole
{
	my ($servers, $number, $dir) = @_;

	make_tables($servers, $number, 'whole', 'clickhouse');
	for my $host (sort map { m{([^/]+)\z} } glob "\Q$dir\E/*") {
		for my $table (qw(ios latency)) {
			my $file = "$TOP/whole.$table.tsv";
			run_command("btexport --table=$table -o '$file'"
				. " '$dir/$host'", $TOP, $PROGRAMS);
			$servers->ask($number, "INSERT INTO $table FORMAT"
				. ' TSVWithNames', database => 'whole',
				input => $file);
			$servers->ask($number, 'INSERT INTO latency_10m_in'
				. ' FORMAT TSVWithNames', database => 'whole',
				input => $file) if $table eq 'latency';
		}
	}
}

# --- exporters --------------------------------------------------------------

sub ship
{
	my ($dir, $spool, $to, @options) = @_;
	return start("$TOP/messages", $BTEXPORT, "--follow=$dir", '-o',
		     "$spool/", "--to=$to", @options);
}

# what a spool still has to send: no manifest is without the mark
sub waiting
{
	my ($spool) = @_;
	return grep { m{^manifest/host=.*\.json\z} } files_below($spool);
}

# waits until COUNT segments, of all devices, are in their table
sub wait_for
{
	my ($servers, $number, $database, $count) = @_;
	my $until = time + 30 * patience(1);
	my $got = 0;

	until ($got >= $count || time > $until) {
		$got = eval { $servers->ask($number, 'SELECT
			uniqExact(host, segment) FROM segments',
			database => $database) } || 0;
		sleep 0.1;
	}
	return $got + 0;
}

sub said
{
	return slurp("$TOP/messages");
}

sub same
{
	my ($what, $servers, $number, $database, $from) = @_;

	for my $table (sort keys %SUMS) {
		is(sums($servers, $number, $database, $table),
		   sums($servers, $from, 'whole', $table),
		   "$what: $table, each row once");
	}
}

# --- tests ------------------------------------------------------------------

my $probe = run_command('btexport --follow=. -o x/ --format=csv'
	. ' --to=clickhouse://x/y', $TOP, $PROGRAMS);
plan skip_all => 'built without libcurl'
	if $probe->{err} =~ /this build has no libcurl/;
mkdir "$TOP/servers" or die;
spew("$TOP/messages", '');
my $DIR = "$TOP/captures";
my %SEGMENTS = map { $_ => [feed($TOP, $TRACES{$_} ? $_ : 'dm-linear-3dev',
	"$DIR/$_")] } qw(long smp4-mixed-procs md-raid1-3dev db1 db2);
my $ALL = 0;
$ALL += @{$SEGMENTS{$_}} for keys %SEGMENTS;
my $one = Suite::ClickHouse->start("$TOP/servers", 1);
my $TO = 'clickhouse://' . $one->web(0);

whole($one, 0, $DIR);

# a number that a status file has
sub number_in
{
	my ($file, $name) = @_;
	return (-e $file ? slurp($file) : '') =~ /^blktrace_export_$name (\S+)$/m ?
		$1 : 'none';
}

# all at once
sub test_plain
{
	my $status = "$TOP/plain.prom";
	make_tables($one, 0, 'plain', 'clickhouse');
	my $pid = ship($DIR, "$TOP/plain", "$TO/plain", "--status=$status");
	is(wait_for($one, 0, 'plain', $ALL), $ALL, 'all segments arrive');
	my $until = time + 10 * patience(1);
	sleep 0.1 until number_in($status, 'sent_segments_total') eq $ALL ||
		time > $until;
	my $rows = $one->ask(0, 'SELECT count() FROM ios',
			     database => 'plain') + 0;
	is(number_in($status, $_->[0]), $_->[1], "... a status has $_->[0]")
		for ['captures', 5], ['segments_total', $ALL],
		    ['sent_segments_total', $ALL], ['rows_total', $rows],
		    ['sent_rows_total', $rows], ['failures_total', 0],
		    ['send_failures_total', 0], ['waiting_bytes', 0];
	like(number_in($status, 'lag_seconds'), qr/^\d+\.\d{3}\z/, '... and lag');
	is(end($pid, 'TERM'), 0, '... until a signal');
	same('one server', $one, 0, 'plain', 0);
	is($one->ask(0, 'SELECT sum(io_rows) FROM segments',
		     database => 'plain'),
	   $one->ask(0, 'SELECT count() FROM ios', database => 'plain'),
	   '... and segments counts them');
	is(join(' ', grep { !m{^manifest/} } files_below("$TOP/plain")), '',
	   '... and nothing is left in the spool');
	is(said(), '', '... nor said');
}

# Killed at any moment, both processes or one, at once or a while later.
sub test_killed
{
	make_tables($one, 0, 'killed', 'clickhouse');
	for my $ms (map { 20 * $_ } 1 .. 25) {
		my $pid = ship($DIR, "$TOP/killed", "$TO/killed");
		sleep $ms / 1000;
		end($pid, 'KILL');
	}
	my $pid = ship($DIR, "$TOP/killed", "$TO/killed");
	is(wait_for($one, 0, 'killed', $ALL), $ALL, 'killed at any moment: all');
	end($pid, 'TERM');
	same('killed at any moment', $one, 0, 'killed', 0);
}

# A roll-up of which the batch in doubt is there, is not, or is half.
sub test_rollup
{
	my %there = (all => 'SELECT * FROM latency',
		     none => 'SELECT * FROM latency WHERE 0',
		     half => 'SELECT * FROM latency WHERE segment % 2 = 1');

	for my $what (sort keys %there) {
		my $at = "rollup_$what";
		make_tables($one, 0, $at, 'clickhouse');
		$one->ask(0, 'DROP TABLE latency_10m_in', database => $at);
		spew("$TOP/messages", '');
		my $pid = ship($DIR, "$TOP/$at", "$TO/$at");
		my $until = time + 20 * patience(1);
		sleep 0.1 until said() =~ /latency_10m_in/ || time > $until;
		like(said(), qr/latency_10m_in\b.* what is exported waits/,
		     "a roll-up that has $what: the batch is in doubt");
		$one->ask(0, "INSERT INTO latency_10m SELECT host, disk, op,
			phase, low_ns, high_ns, count, trace, dev,
			intDiv(ifNull(minute_unix_ns, 0), 600000000000)
			* 600000000000, sum_ns, sum_bytes
			FROM ($there{$what})", database => $at);
		$one->ask(0, 'CREATE TABLE latency_10m_in AS latency
			ENGINE = Null', database => $at);
		is(wait_for($one, 0, $at, $ALL), $ALL, '... and all arrives');
		end($pid, 'TERM');
		same("a roll-up that has $what", $one, 0, $at, 0);
	}
}

# No server, then one that refuses, then one that has the tables.
sub test_absent
{
	spew("$TOP/messages", '');
	my $pid = ship($DIR, "$TOP/absent", 'clickhouse://127.0.0.1:1,'
		. $one->web(0) . '/absent');
	sleep 3;
	like(said(), qr{ClickHouse\ at\ \S+:\ status\ 404:\ Code:\ 81,
			[^,]*\babsent\b[^,]*:\ what\ is\ exported\ waits}x,
	     'a database that is not there: said, in its words');
	is(() = said() =~ /\n/g, 1, '... once');
	cmp_ok(scalar(waiting("$TOP/absent")), '>=', $ALL,
	       '... and segments wait');
	my ($gone) = map { "$TOP/absent//$_" } grep { m{^ios/.*\.rowbinary\z} }
		files_below("$TOP/absent");
	rename $gone, "$TOP/gone" or die "$gone: $!\n";
	make_tables($one, 0, 'absent', 'clickhouse');
	sleep 3;
	like(said(), qr{^btexport: ClickHouse at \S+: \Q$gone\E cannot be read:}m,
	     'a file that is not there: which');
	rename "$TOP/gone", $gone or die "$gone: $!\n";
	is(wait_for($one, 0, 'absent', $ALL), $ALL, '... until it is');
	same('absent for a while', $one, 0, 'absent', 0);
	like(said(), qr/has what waited/, '... which is said, too');
	end($pid, 'TERM');
}

# What waits has a limit.
sub test_full
{
	spew("$TOP/messages", '');
	my $pid = ship($DIR, "$TOP/full", 'clickhouse://127.0.0.1:1/full',
		       '--spool=20K');
	sleep 3;
	my $waiting = () = waiting("$TOP/full");
	cmp_ok($waiting, '>', 0, 'a spool with a limit: some wait');
	cmp_ok($waiting, '<', $ALL, '... and not all');
	like(said(), qr{full/?: as much waits as may}, '... which is said');
	end($pid, 'TERM');
	make_tables($one, 0, 'full', 'clickhouse');
	$pid = ship($DIR, "$TOP/full", "$TO/full", '--spool=20K');
	is(wait_for($one, 0, 'full', $ALL), $ALL, '... until a server is there');
	end($pid, 'TERM');
	same('a small spool', $one, 0, 'full', 0);
}

# Three replicas, of which the one in use is killed, and the exporter, too.
sub test_replicas
{
	mkdir "$TOP/replicas" or die;
	my $keeper = Suite::ClickHouse::start_keeper("$TOP/keeper");
	my $three = Suite::ClickHouse->start("$TOP/replicas", 3,
					     keeper => $keeper);
	my $to = 'clickhouse://' . join(',', map { $three->web($_) } 0 .. 2)
		. '/fleet';
	my $dir = "$TOP/slow";
	my @left;

	make_tables($three, $_, 'fleet', 'replicated') for 0 .. 2;
	for my $host (sort keys %SEGMENTS) {
		make_path("$dir/$host");
		push @left, map { "$host/$_" } @{$SEGMENTS{$host}};
	}
	# of each host in order, and all hosts mixed
	@left = sort { (split m{/}, $a)[1] cmp (split m{/}, $b)[1] } @left;
	my $pid = ship($dir, "$TOP/fleet", $to);
	my $step = 0;
	for my $segment (@left) {
		system('cp', '-r', "$DIR/$segment", "$dir/$segment.partial")
			== 0 or die;
		rename "$dir/$segment.partial", "$dir/$segment" or die;
		$step++;
		$three->kill_one(0) if $step == 8;
		$three->start_again(0) if $step == 30;
		$three->kill_one(1) if $step == 40;
		if ($step % 11 == 5) {
			end($pid, 'KILL');
			$pid = ship($dir, "$TOP/fleet", $to);
		}
		sleep 0.05;
	}
	is(wait_for($three, 2, 'fleet', $ALL), $ALL,
	   'three replicas, of which each is killed: all segments arrive');
	$three->start_again(1);
	wait_for($three, $_, 'fleet', $ALL) for 0 .. 2;
	end($pid, 'TERM');
	for my $number (0 .. 2) {
		for my $table (sort keys %SUMS) {
			my $want = sums($one, 0, 'whole', $table);
			my $until = time + 20 * patience(1);
			sleep 0.2 until time > $until ||
				sums($three, $number, 'fleet', $table) eq $want;
			is(sums($three, $number, 'fleet', $table), $want,
			   "replica $number: $table, each row once");
		}
	}
}

# Trusts only the authority NAME.
sub ship_secured
{
	my ($name, $to) = @_;
	my $all = '/etc/ssl/certs/ca-certificates.crt';

	return start("$TOP/messages", 'unshare', '-m', 'sh', '-c',
		     "mount --bind '$TOP/$name.pem' $all && exec \"\$\@\"", 'sh',
		     'env', "HOME=$TOP", $BTEXPORT, "--follow=$DIR", '-o',
		     "$TOP/secured/", "--to=$to");
}

# HTTPS with a password: first to a server that nobody vouches for.
sub test_secured
{
	make_authority($TOP, $_) for qw(ours other);
	make_certificate($TOP, 'ours', 'server', 'cn = server',
			 'ip_address = 127.0.0.1', 'tls_www_server');
	spew("$TOP/.netrc", "machine 127.0.0.1 login writer password secret\n");
	mkdir "$TOP/tls" or die "$TOP/tls: $!\n";
	my $server = Suite::ClickHouse->start("$TOP/tls", 1,
					      tls => "$TOP/server");
	my $to = 'clickhouses://writer@' . $server->web(0) . '/secured';

	make_tables($server, 0, 'secured', 'clickhouse');
	spew("$TOP/messages", '');
	my $pid = ship_secured('other', $to);
	sleep 3;
	like(said(), qr{^btexport: ClickHouse at \S+: .*certificate}m,
	     'TLS: another authority: refused');
	end($pid, 'TERM');
	is($server->ask(0, 'SELECT count() FROM segments',
			database => 'secured') + 0, 0, '... nothing was sent');
	$pid = ship_secured('ours', $to);
	is(wait_for($server, 0, 'secured', $ALL), $ALL,
	   'TLS, and a password from .netrc: all');
	end($pid, 'TERM');
	is(sums($server, 0, 'secured', $_), sums($one, 0, 'whole', $_),
	   "over TLS: $_, each row once") for sort keys %SUMS;
}

sub test_refused
{
	for my $try ('http://x/y', 'clickhouse://x', 'clickhouse:///y',
		     'clickhouse://x/y;z') {
		my $got = run_command("btexport --follow=. -o x/ '--to=$try'",
				      $TOP, $PROGRAMS);
		is($got->{rc}, 1, "$try: refused");
		like($got->{err}, qr{--to is clickhouse://HOST/DB}, '... and why');
	}
	for my $try (["--to=$TO/plain x", 'are for --follow'],
		     ["--follow=. -o x/ --spool=5", 'is for --to'],
		     ["--follow=. -o x/ --to=$TO/plain --spool=x",
		      'is a size'],
		     ["--follow=. -o x/ --to=$TO/plain --format=csv",
		      'leave out --format=csv']) {
		my $got = run_command("btexport $try->[0]", $TOP, $PROGRAMS);
		is($got->{rc}, 1, "$try->[0]: refused");
		like($got->{err}, qr/$try->[1]/, '... and why');
	}
}

test_refused();
test_plain();
test_killed();
test_absent();
test_rollup();
test_full();
SKIP: {
	skip 'certificates need certtool, and authorities root', 5
		if $> || system('certtool --version >/dev/null 2>&1') ||
		!-e '/etc/ssl/certs/ca-certificates.crt';
	test_secured();
}
SKIP: {
	my $none = Suite::ClickHouse::keeper_hindrance();
	skip $none, 1 if $none;
	test_replicas();
}
done_testing();
