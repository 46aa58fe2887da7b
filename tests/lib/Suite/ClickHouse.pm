# SPDX-License-Identifier: GPL-2.0-only
# Servers of ClickHouse, only for us: each on a port of 127.0.0.1 that was free,
# with all its files in a directory of ours.  They know each other as the shards
# of the cluster "bt", which is what doc/sql calls it.
#
# They end with the script, however that ends: by their numbers when it can
# still say so, else by the signal that the kernel sends when a parent is gone.
package Suite::ClickHouse;

use strict;
use warnings;
use IO::Socket::INET;
use POSIX 'WNOHANG';
use Suite::Files qw(slurp spew);
use Time::HiRes qw(sleep time);

my $SECONDS = 600;		# until a server answers
my $TRIES = 3;			# as another may take a port in between
my $MEMORY = 1 << 30;		# of a query, if nothing is said

my @running;			# [pid of who started it, its own]

$ENV{PATH} .= ':/usr/sbin:/sbin';

END { local $?; end_servers() }

# why there can be none here, or nothing
sub hindrance
{
	for my $name (qw(clickhouse-server clickhouse-client)) {
		return "no $name" unless grep { -x "$_/$name" }
			split /:/, $ENV{PATH};
	}
	return;
}

# COUNT servers that answer, in DIR, which is empty.  HOW: keeper, a port at which
# ZooKeeper is: they are replicas of one shard then; memory of a query, in bytes;
# tls, a path before .pem and .key: web() is HTTPS, and a user "writer" has the
# password "secret".
sub start
{
	my ($class, $dir, $count, %how) = @_;

	for my $try (1 .. $TRIES) {
		my @ports = free_ports(3 * $count);
		my $self = bless { dir => "$dir/$try", memory => $MEMORY, %how,
				   ports => [@ports[0 .. $count - 1]],
				   web => [@ports[$count .. 2 * $count - 1]],
				   between => [@ports[2 * $count .. $#ports]],
				 }, $class;
		mkdir $self->{dir} or die "$self->{dir}: $!\n";
		$self->launch($_) for 0 .. $count - 1;
		return $self if $self->answers;
		end_servers();
	}
	die "no server answers; its log is:\n", map { slurp($_) }
		glob "\Q$dir\E/$TRIES/0/log";
}

sub free_ports
{
	my ($count) = @_;
	my @sockets = map {
		IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 1)
			or die "no port: $!\n"
	} 1 .. $count;
	return map { $_->sockport } @sockets;
}

# --- one server -------------------------------------------------------------

# what makes them replicas
sub replicated
{
	my ($self, $number) = @_;

	return '' unless $self->{keeper};
	return <<"END";
	<zookeeper><node><host>127.0.0.1</host>
		<port>$self->{keeper}</port></node>
		<session_timeout_ms>10000</session_timeout_ms></zookeeper>
	<macros><shard>1</shard><replica>r$number</replica></macros>
	<interserver_http_host>127.0.0.1</interserver_http_host>
	<interserver_http_port>$self->{between}[$number]</interserver_http_port>
END
}

# what makes it speak HTTPS
sub secured
{
	my ($self, $number) = @_;

	return "<http_port>$self->{web}[$number]</http_port>" unless $self->{tls};
	return <<"END";
<https_port>$self->{web}[$number]</https_port>
	<openSSL><server>
		<certificateFile>$self->{tls}.pem</certificateFile>
		<privateKeyFile>$self->{tls}.key</privateKeyFile>
		<verificationMode>none</verificationMode>
		<loadDefaultCAFile>false</loadDefaultCAFile>
	</server></openSSL>
END
}

sub user
{
	my ($name, $password) = @_;

	return <<"END";
		<$name>
			<password>$password</password>
			<networks><ip>127.0.0.1</ip></networks>
			<profile>default</profile>
			<quota>default</quota>
		</$name>
END
}

sub settings
{
	my ($self, $number) = @_;
	my $at = "$self->{dir}/$number";
	my $between = $self->{keeper} ? '' : '</shard><shard>';
	my $shards = join $between, map { "<replica><host>127.0.0.1</host>" .
		"<port>$_</port></replica>" } @{$self->{ports}};
	my $replicated = $self->replicated($number);
	my $secured = $self->secured($number);
	my $users = user('default', '') .
		($self->{tls} ? user('writer', 'secret') : '');

	return <<"END";
<yandex>
	<listen_host>127.0.0.1</listen_host>
	<tcp_port>$self->{ports}[$number]</tcp_port>
	$secured
	<path>$at/</path>
	<tmp_path>$at/tmp/</tmp_path>
	<users_config>$at/settings.xml</users_config>
	<logger>
		<level>warning</level>
		<log>$at/log</log>
		<errorlog>$at/errors</errorlog>
	</logger>
	<default_profile>default</default_profile>
	<default_database>default</default_database>
	<timezone>UTC</timezone>
	<mark_cache_size>16777216</mark_cache_size>
	<remote_servers><bt><shard>$shards</shard></bt></remote_servers>
$replicated	<profiles>
		<default><max_memory_usage>$self->{memory}</max_memory_usage></default>
	</profiles>
	<quotas><default></default></quotas>
	<users>
$users	</users>
</yandex>
END
}

sub launch
{
	my ($self, $number) = @_;
	my $at = "$self->{dir}/$number";

	-d $_ or mkdir $_ or die "$_: $!\n" for $at, "$at/tmp";
	spew("$at/settings.xml", $self->settings($number));
	my $pid = fork;
	die "fork: $!\n" unless defined $pid;
	if (!$pid) {
		open STDIN, '<', '/dev/null';
		open STDOUT, '>', "$at/out";
		open STDERR, '>&', \*STDOUT;
		exec(qw(setpriv --pdeathsig KILL clickhouse-server),
		     "--config-file=$at/settings.xml") or POSIX::_exit(127);
	}
	push @running, [$$, $pid];
	$self->{pids}[$number] = $pid;
}

# kill -9 of one, and a start of it
sub kill_one
{
	my ($self, $number) = @_;

	kill 'KILL', $self->{pids}[$number];
	waitpid $self->{pids}[$number], 0;
	@running = grep { $_->[1] != $self->{pids}[$number] } @running;
}

sub start_again
{
	my ($self, $number) = @_;

	$self->launch($number);
	$self->wait_for($number, time + $SECONDS);
}

# where one is asked by HTTP
sub web
{
	my ($self, $number) = @_;
	return "127.0.0.1:$self->{web}[$number]";
}

# All of them, before time is over or one has ended.
sub answers
{
	my ($self) = @_;
	my $end = time + $SECONDS;

	for my $number (0 .. $#{$self->{ports}}) {
		return 0 unless $self->wait_for($number, $end);
	}
	return 1;
}

sub wait_for
{
	my ($self, $number, $end) = @_;

	until (eval { $self->ask($number, 'SELECT 1') eq "1\n" }) {
		return 0 if time > $end || grep {
			waitpid($_->[1], WNOHANG) } @running;
		sleep 0.1;
	}
	return 1;
}

# --- ZooKeeper ----------------------------------------------------------------

my $JARS = '/usr/share/java';

# why there can be none here, or nothing
sub keeper_hindrance
{
	return 'no zookeeper' unless -e "$JARS/zookeeper.jar";
	return 'no java' unless grep { -x "$_/java" } split /:/, $ENV{PATH};
	return;
}

# Starts one in DIR, which is empty; its port.
sub start_keeper
{
	my ($dir) = @_;
	my ($port) = free_ports(1);

	mkdir $_ or die "$_: $!\n" for $dir, "$dir/data";
	spew("$dir/zoo.cfg", join "\n", "dataDir=$dir/data", "clientPort=$port",
	     'clientPortAddress=127.0.0.1', 'tickTime=1000',
	     'admin.enableServer=false', 'maxClientCnxns=0', '');
	my $pid = fork;
	die "fork: $!\n" unless defined $pid;
	if (!$pid) {
		open STDIN, '<', '/dev/null';
		open STDOUT, '>', "$dir/out";
		open STDERR, '>&', \*STDOUT;
		exec(qw(setpriv --pdeathsig KILL java -Xmx256m -cp),
		     join(':', glob "$JARS/*.jar"),
		     'org.apache.zookeeper.server.ZooKeeperServerMain',
		     "$dir/zoo.cfg") or POSIX::_exit(127);
	}
	push @running, [$$, $pid];
	my $end = time + $SECONDS;
	until (IO::Socket::INET->new(PeerAddr => "127.0.0.1:$port")) {
		die "no ZooKeeper: ", slurp("$dir/out") if time > $end ||
			waitpid($pid, WNOHANG);
		sleep 0.1;
	}
	return $port;
}

sub end_servers
{
	my @ours = map { $_->[1] } grep { $_->[0] == $$ } @running;

	@running = ();
	kill 'KILL', @ours;
	waitpid $_, 0 for @ours;
}

# --- questions --------------------------------------------------------------

# What server NUMBER says to a statement, as TSV; dies with its complaint.  HOW:
# database, and input, a file for INSERT.
sub ask
{
	my ($self, $number, $statement, %how) = @_;
	my $base = "$self->{dir}/ask.$$";
	my $pid = fork;

	die "fork: $!\n" unless defined $pid;
	if (!$pid) {
		open STDIN, '<', $how{input} // '/dev/null';
		open STDOUT, '>', "$base.out";
		open STDERR, '>', "$base.err";
		exec(qw(clickhouse-client --host 127.0.0.1 --port),
		     $self->{ports}[$number],
		     '--database', $how{database} // 'default',
		     '--allow_experimental_low_cardinality_type=1',
		     '--query', $statement) or POSIX::_exit(127);
	}
	waitpid $pid, 0;
	die "$statement: ", slurp("$base.err"), "\n" if $?;
	return slurp("$base.out");
}

1;
