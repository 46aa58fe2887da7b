#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# TLS against what others have made: gnutls-cli and openssl s_client send to
# blktrace -l, and what blktrace -h does is tried on gnutls-serv and openssl
# s_server.  No byte of a trace may reach a server that has proven nothing, and
# nothing may be made for such a client.
#
#	BIN=DIR UNITS=DIR prove tests/tls.t
#
# BIN is where the programs are (.), WRAP a checker to put in front of them;
# bench/capture, which sends files as if the kernel had them, is beside the
# directory of the UNITS.  Needs the loopback interface, and those programs.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile", "$FindBin::Bin/server",
	"$FindBin::Bin/tls";
use Authority qw(make_key_file make_authority make_certificate
		 make_revocations);
use Collector qw($PROGRAMS $TOP $CAPTURE free_port serve_here serve_again
		 stop stored make_root unsealed);
use IO::Select;
use IO::Socket::IP;
use Peer;
use Process qw(deadline patience);
use Proxy qw(proxy end_proxy faults);
use Records qw(trace);
use Socket qw(SOL_SOCKET SO_LINGER);
use Suite::Files qw(slurp spew);
use Test::More;
use Time::HiRes qw(sleep time);
use Wire qw(header connect_to say hear ask finish $OPEN $CLOSE $ANSWER
	    $HEADER);

my $KEY = '000102030405060708090a0b0c0d0e0f';
my $OTHER = 'ff0102030405060708090a0b0c0d0e0f';
my @PRIORITY = ('--priority', 'NORMAL:-KX-ALL:+ECDHE-PSK:+DHE-PSK');

# The first of these that is not to be found, or nothing.
sub missing
{
	for my $name (@_) {
		return $name unless grep { -x "$_/$name" } split /:/, $ENV{PATH};
	}
	return;
}

my $missing = missing(qw(gnutls-cli gnutls-serv certtool openssl python3));
plan skip_all => "$missing is not there" if $missing;

die "no blktrace in $PROGRAMS->{dir}\n" unless -x "$PROGRAMS->{dir}/blktrace";

# What --check says of a collector with these options: text, but for what is
# about other things, and status.
sub checked
{
	my (@options) = @_;
	my $run = Process->start(['blktrace', '--check', '-l', @options], $TOP,
				 $PROGRAMS->{path});

	my $status = $run->finish;
	my @lines = grep { /TLS|director|^no:/ && !/Landlock/ }
		split /^/, $run->text;
	return (join('', @lines), $status);
}

make_key_file("$TOP/keys", "web1:$KEY", "web2:$OTHER");
if ((checked('--psk', "$TOP/keys"))[0] =~ /built without TLS/) {
	my $run = Process->start(['blktrace', '-l', '--psk', "$TOP/keys"],
				 $TOP, $PROGRAMS->{path});
	is($run->finish, 1, 'built without TLS: status 1');
	like($run->errors, qr/^blktrace: built without TLS\n/m, '... and a line');
	done_testing();
	exit;
}

# --- what everybody has ------------------------------------------------------

my @SERVER = ('tls_www_server', 'ip_address = 127.0.0.1',
	      'dns_name = localhost');
my @EXPIRED = ('activation_date = "2020-01-01 00:00:00 UTC"',
	       'expiration_date = "2020-01-02 00:00:00 UTC"');

my @NEXT = ('crl_next_update = 30');
my @OVERDUE = ('crl_this_update_date = "2020-01-01 00:00:00 UTC"',
	       'crl_next_update_date = "2020-01-02 00:00:00 UTC"');

sub make_all
{
	make_key_file("$TOP/web1", "web1:$KEY");
	make_key_file("$TOP/wrong", "web1:$OTHER");
	make_key_file("$TOP/nobody", "nobody:$KEY");
	make_authority($TOP, $_) for 'ca', 'strangers';
	my @made = (
		['ca', 'collector', 'cn = collector', @SERVER],
		['ca', 'elsewhere', 'cn = 127.0.0.1', 'tls_www_server',
		 'dns_name = elsewhere.example'],
		['ca', 'late', 'cn = late', @SERVER, @EXPIRED],
		['strangers', 'stranger', 'cn = stranger', @SERVER],
		['ca', 'web3', 'cn = www', 'tls_www_client',
		 'dns_name = web3.example', 'dns_name = other.example'],
		['ca', 'named', 'cn = web4', 'tls_www_client'],
		['ca', 'slash', 'cn = ../../trav', 'tls_www_client'],
		['ca', 'old', 'cn = old', 'tls_www_client', @EXPIRED],
		['strangers', 'foreign', 'cn = web4', 'tls_www_client'],
	);
	make_certificate($TOP, @$_) for @made;
}

make_all();

# the options of either end with these certificates
sub certified
{
	my ($name, $ca) = @_;
	return ('--cert', "$TOP/$name.pem", '--key', "$TOP/$name.key",
		'--ca', "$TOP/" . ($ca || 'ca') . '.pem');
}

my $number = 0;

# what it has made, relative to its directory, the time taken out
sub made_by
{
	my ($server) = @_;
	return map { s{^\Q$server->{dir}/\E}{}r =~ s/-\d{4}-[-\d]+:\d\d:\d\d//r }
		grep { !/stderr/ } sort map { glob "$server->{dir}/$_" }
		'*', '*/*';
}

# --- other people's clients --------------------------------------------------

sub gnutls_cli
{
	my ($server, @words) = @_;
	return Peer->start("$TOP/peer.log", 'gnutls-cli', '--logfile',
			   "$TOP/gnutls.log", '-p', $server->{port}, @words,
			   '127.0.0.1');
}

sub s_client
{
	my ($server, @words) = @_;
	return Peer->start("$TOP/peer.log", 'openssl', 's_client', '-quiet',
			   '-connect', "127.0.0.1:$server->{port}", @words);
}

sub openssl_psk
{
	my ($identity, $key, @words) = @_;
	return (@words ? @words : '-tls1_3', '-psk_identity', $identity,
		'-psk', $key);
}

sub openssl_cert
{
	my ($name) = @_;
	return ('-tls1_3', '-cert', "$TOP/$name.pem", '-key', "$TOP/$name.key",
		'-CAfile', "$TOP/ca.pem", '-verify_return_error');
}

sub gnutls_cert
{
	my ($name) = @_;
	return ('--x509certfile', "$TOP/$name.pem", '--x509keyfile',
		"$TOP/$name.key", '--x509cafile', "$TOP/ca.pem");
}

# an open or a close, and whether it was answered
sub asks
{
	my ($peer, @fields) = @_;
	my $answer;

	say($peer->in, header(@fields)) or return 0;
	$answer = hear($peer->out, $HEADER);
	return length $answer == $HEADER &&
		(unpack 'L a32 L3', $answer)[4] == $ANSWER;
}

# a whole run of one CPU
sub good_run
{
	my ($peer, $bytes, @fields) = @_;

	return asks($peer, @fields) &&
		say($peer->in, header(@fields, len => length $bytes) . $bytes)
		&& asks($peer, @fields, cpu => 0, len => $CLOSE);
}

sub check_good
{
	my ($name, $server, $peer, $identity) = @_;
	my $bytes = trace(1, 500);
	my $device = 'good' . $number++;

	ok(good_run($peer, $bytes, name => $device), "$name: a whole run");
	$peer->close_in;
	is(stored($server, "$device.blktrace.0"), $bytes, '... exact');
	is_deeply([grep { /\Q$device\E.*0/ } made_by($server)],
		  ["$identity/$device.blktrace.0"], '... of a known name');
	like($server->{run}->read_until(qr/end of run for \S+:\Q$device\E\n/),
	     qr/^server: end of run for \Q$identity\E:$device\n/m,
	     '... which lines have');
	like($server->{run}->text,
	     qr/^server: connection from \Q$identity\E at 127\.0\.0\.1\n/m,
	     '... with its address');
}

# Nobody gets anything made, and others are served.
sub check_bad
{
	my ($name, $server, $peer, $why) = @_;
	my @before = made_by($server);
	my $answered = asks($peer, name => 'bad');
	my $line = qr/^blktrace: 127\.0\.0\.1: TLS: $why/m;

	ok(!$answered, "$name: not answered");
	$peer->close_in;
	$peer->finish(patience(2));
	like($server->{run}->errors_until($line), $line,
	     '... a line says why');
	is_deeply([made_by($server)], \@before, '... and nothing is made');
}

sub test_server_by_keys
{
	my $server = serve_here('--psk', "$TOP/keys");

	check_good('gnutls-cli, a key', $server,
		   gnutls_cli($server, '--pskusername', 'web1', '--pskkey',
			      $KEY, @PRIORITY), 'web1');
	check_good('s_client, the other key', $server,
		   s_client($server, openssl_psk('web2', $OTHER)), 'web2');
	check_bad('gnutls-cli, a wrong key', $server,
		  gnutls_cli($server, '--pskusername', 'web1', '--pskkey',
			     $OTHER, @PRIORITY), 'its key is a different one');
	check_bad('s_client, a wrong key', $server,
		  s_client($server, openssl_psk('web1', $OTHER)),
		  'its key is a different one');
	check_bad('s_client, an unknown identity', $server,
		  s_client($server, openssl_psk('web9', $KEY)),
		  'it has an unknown identity');
	check_bad('s_client, TLS 1.2', $server,
		  s_client($server, openssl_psk('web1', $KEY, '-tls1_2')),
		  'it does not speak TLS 1.3');
	check_bad('s_client, no key', $server, s_client($server),
		  'it has not used a shared key');
	is(stop($server), 0, 'a server by keys: status 0');
	unlike($server->{run}->errors, qr/anybody/, '... nobody else may send');
}

sub test_server_by_certificates
{
	my $server = serve_here(certified('collector'));

	check_good('gnutls-cli, a certificate', $server,
		   gnutls_cli($server, gnutls_cert('web3')), 'web3.example');
	check_good('s_client, a certificate', $server,
		   s_client($server, openssl_cert('named')), 'web4');
	check_bad('gnutls-cli, an expired one', $server,
		  gnutls_cli($server, gnutls_cert('old')), '.*expired');
	check_bad('s_client, of another authority', $server,
		  s_client($server, openssl_cert('foreign')), '.*NOT trusted');
	check_bad('s_client, a server\'s', $server,
		  s_client($server, openssl_cert('collector')),
		  '.*NOT trusted');
	check_bad('s_client, a name that is a path', $server,
		  s_client($server, openssl_cert('slash')),
		  'it has no name');
	check_bad('s_client, none', $server, s_client($server, '-tls1_3'),
		  'it has no certificate');
	check_bad('s_client, a key instead', $server,
		  s_client($server, openssl_psk('web1', $KEY)),
		  'it has no certificate');
	is(stop($server), 0, 'a server by certificates: status 0');
}

# One server takes both.
sub test_server_by_both
{
	my $server = serve_here(certified('collector'), '--psk', "$TOP/keys");

	check_good('both, a key', $server,
		   s_client($server, openssl_psk('web1', $KEY)), 'web1');
	check_good('both, a certificate', $server,
		   s_client($server, openssl_cert('web3')), 'web3.example');
	check_bad('both, neither', $server, s_client($server, '-tls1_3'),
		  'it has no certificate');
	stop($server);
}

sub renewed
{
	my ($server, $times) = @_;
	my $line = qr/(?:SIGHUP: keys and networks have been read anew\n.*){$times}/s;

	$server->{run}->signal('HUP');
	like($server->{run}->errors_until($line), $line, '... SIGHUP is reported');
}

# Keys are renewed while one sender is connected: it goes on, others need new ones.
sub test_renewed_keys
{
	make_key_file("$TOP/renewed", "web1:$KEY");
	my @root = $> ? () : ('--user', 'nobody');
	my $server = serve_here('--psk', "$TOP/renewed", @root, '-D', 'made');
	my $peer = s_client($server, openssl_psk('web1', $KEY));
	my $bytes = trace(1, 70);

	ok(asks($peer, name => 'long'), 'keys renewed: a sender is connected');
	make_key_file("$TOP/renewed.new", "web2:$OTHER");
	rename "$TOP/renewed.new", "$TOP/renewed" or die "rename: $!\n";
	renewed($server, 1);
	check_bad('the old key', $server,
		  s_client($server, openssl_psk('web1', $KEY)),
		  'it has an unknown identity');
	ok(good_run(s_client($server, openssl_psk('web2', $OTHER)), $bytes,
		    name => 'new'), 'the new key: a whole run');
	ok(say($peer->in, header(name => 'long', len => length $bytes) . $bytes)
	   && asks($peer, name => 'long', cpu => 0, len => $CLOSE),
	   '... and the one connected goes on');
	spew("$TOP/renewed", "web2:short\n");
	$server->{run}->signal('HUP');
	my $line = qr/SIGHUP: \S+: line 1: a key below .*; what was read before/;
	like($server->{run}->errors_until($line), $line,
	     'a faulty file is reported');
	ok(good_run(s_client($server, openssl_psk('web2', $OTHER)), $bytes,
		    name => 'still'), '... and changes nothing');
	is(stop($server), 0, '... status 0');
	for my $name (qw(long new still)) {
		my @found = glob "$server->{dir}/made/*/$name.blktrace.0";
		is(@found == 1 && slurp($found[0]), $bytes, "... $name: exact");
	}
}

# A certificate is good until a list names it.
sub test_revoked
{
	make_revocations($TOP, 'ca', ['crl.pem', @NEXT]);
	my $server = serve_here(certified('collector'), '--crl', "$TOP/crl.pem");

	check_good('an empty list', $server,
		   gnutls_cli($server, gnutls_cert('web3')), 'web3.example');
	make_revocations($TOP, 'ca', ['crl.pem', @NEXT], 'web3');
	renewed($server, 1);
	check_bad('a revoked one', $server,
		  gnutls_cli($server, gnutls_cert('web3')), '.*revoked');
	check_good('another one', $server,
		   s_client($server, openssl_cert('named')), 'web4');
	is(stop($server), 0, '... status 0');

	# a list whose next one is overdue says what it says
	make_revocations($TOP, 'ca', ['old.pem', @OVERDUE]);
	$server = serve_here(certified('collector'), '--crl', "$TOP/old.pem");
	check_good('a list past its date', $server,
		   s_client($server, openssl_cert('named')), 'web4');
	stop($server);
}

# What one identity may have is not what its address may have.
sub test_limits
{
	my $server = serve_here('--psk', "$TOP/keys", '--max-bytes=4800/identity');
	my $greedy = s_client($server, openssl_psk('web1', $KEY));
	my $line = qr/^blktrace: web1: .*max-bytes/m;

	ok(!good_run($greedy, trace(1, 500), name => 'greedy'),
	   'an identity beyond its limit is dropped');
	$greedy->finish(patience(2));
	like($server->{run}->errors_until($line), $line,
	     '... with a line');
	is(stored($server, 'greedy.blktrace.0'), trace(1, 100),
	   '... at the limit');
	ok(good_run(s_client($server, openssl_psk('web2', $OTHER)),
		    trace(1, 90), name => 'modest'), '... another is not');
	stop($server);
}

# --- who breaks off, stalls and floods ---------------------------------------

sub is_well
{
	my ($server, $name) = @_;
	my $start = time;
	my $peer = s_client($server, openssl_psk('web1', $KEY));
	my $device = 'well' . $number++;
	my $bytes = trace(1, 50);

	ok(good_run($peer, $bytes, name => $device, run => $number) &&
	   stored($server, "$device.blktrace.0") eq $bytes,
	   "$name: others are served");
	cmp_ok(time - $start, '<', patience(5), '... at once');
}

# what a client says first
sub hello
{
	my $listener = IO::Socket::IP->new(LocalHost => '127.0.0.1',
					   Listen => 1) or die "listen: $@\n";
	my $peer = s_client({ port => $listener->sockport },
			    openssl_psk('web1', $KEY));
	return hear(scalar $listener->accept, 200);
}

sub test_plain
{
	my $server = serve_here('--psk', "$TOP/keys");
	my $start = time;

	for my $order ('<', '>') {
		my $socket = connect_to($server->{port});
		say($socket, header(order => $order));
		cmp_ok(length hear($socket, $HEADER), '<', $HEADER,
		       'a plain client: ended, and no answer');
	}
	cmp_ok(time - $start, '<', patience(1), '... within a second');
	stop($server);
	is(() = $server->{run}->errors =~
	   /^blktrace: 127\.0\.0\.1: TLS: it does not speak TLS;.*\n/mg, 2,
	   '... a line each');
	is_deeply([made_by($server)], [], '... and nothing is made');
}

# Half a handshake, and none at all: ten seconds, in which others are served.
sub test_stalled
{
	my $server = serve_here('--psk', "$TOP/keys");
	my $hello = hello();
	my @stalled = map { connect_to($server->{port}) } 1 .. 40;
	my $start = time;

	cmp_ok(length $hello, '>', 100, 'a handshake begins');
	say($stalled[$_], substr $hello, 0, 5 * $_) for 1 .. 20;
	is_well($server, 'handshakes that stop half way');
	is(hear($stalled[$_], 1), '', "... number $_ is ended")
		for 0, 10, 39;
	cmp_ok(time - $start, '>', 8, '... after its time');
	is(stop($server), 0, '... status 0');
	like($server->{run}->errors, qr/no TLS handshake within 10 s/,
	     '... and that is said');
}

# Keys that are changed again and again, which is what TLS 1.3 has of
# renegotiation.  s_client does it once for what it reads at once, if that
# begins with a K: a slow one does it for fewer lines.
sub test_flood
{
	my $server = serve_here('--psk', "$TOP/keys");
	my $peer = Peer->start("$TOP/peer.log", 'openssl', 's_client',
			       '-connect', "127.0.0.1:$server->{port}",
			       openssl_psk('web1', $KEY));
	my $end = deadline();

	sleep 0.002 while time < $end && say($peer->in, "K\n");
	is_well($server, 'a flood of new keys');
	$peer->close_in;
	is(stop($server), 0, '... status 0');
	like($server->{run}->errors, qr/web1: TLS: Too many handshake/,
	     '... it has been ended');
	is_deeply([grep { !/well/ } made_by($server)], ['web1'],
		  '... and nothing is made of it');
}

# --- cards -------------------------------------------------------------------

my $CARD_CPU = 0xfffffffe;

# Sends a card on a connection of its own: whether its part was opened.
sub card_run
{
	my ($peer, $bytes, @fields) = @_;
	return asks($peer, @fields, cpu => $CARD_CPU) &&
		say($peer->in, header(@fields, cpu => $CARD_CPU,
				      len => length $bytes) . $bytes);
}

# A card is whatever a client says it is: it is stored as it came.  What has no
# card is refused, and no other connection with it.
sub test_cards
{
	my $server = serve_here('--psk', "$TOP/keys", '--max-bytes=3M');
	my $open = sub { s_client($server, openssl_psk('web1', $KEY)) };
	my $good = $open->();
	my @who = (name => 'good', run => 7);
	my @card = map { $open->() } 0 .. 3;
	my $nested = '[' x 100000;

	ok(asks($good, @who), 'cards: a run');
	ok(card_run($card[0], $nested, @who), '... that one is sent to');
	ok(asks($card[0], @who, name => 'other', cpu => $CARD_CPU),
	   '... of two devices');
	is(stored($server, 'good.blktrace.json'), $nested, '... as it came');
	ok(asks($card[0], @who, cpu => 0, len => $CLOSE), '... and closed');
	ok(!asks($card[1], @who, name => '../good', cpu => $CARD_CPU),
	   'one with a path for a name: refused');
	ok(asks($card[2], @who, name => 'large', cpu => $CARD_CPU),
	   'one that is too large: begins');
	say($card[2]->in, header(@who, name => 'large', cpu => $CARD_CPU,
				 len => 1 + (1 << 20)) . 'x' x 100);
	is(hear($card[2]->out, 1), '', '... and is refused');
	ok(card_run($card[3], 'half', @who, name => 'half'), 'half a card');
	say($card[3]->in, header(@who, name => 'half', cpu => $CARD_CPU,
				 len => 1000) . 'x' x 500);
	ok(asks($good, @who, cpu => 0, len => $CLOSE), '... the run ends');
	$_->close_in for $good, @card;
	$_->finish(patience(5)) for @card;
	is(stop($server), 0, '... status 0');
	is(stored($server, 'half.blktrace.json'), 'half', '... half stays away');
	is_deeply([grep { /json/ } made_by($server)],
		  [map { "web1/$_.blktrace.json" } qw(good half)],
		  '... nothing else is made');
	like($server->{run}->errors, qr/large, card: 1048577 bytes: File too/,
	     '... which is said');

	$server = serve_here('--psk', "$TOP/keys", '--max-bytes=150000/identity');
	my $full = $open->();
	ok(card_run($full, $nested, @who), 'a limit of bytes: one card');
	ok(!asks($full, @who, name => 'more', cpu => $CARD_CPU) ||
	   !card_run($full, $nested, @who, name => 'last') ||
	   hear($full->out, 1) eq '', '... and not two');
	stop($server);
	like($server->{run}->errors, qr/card: --max-bytes is reached/,
	     '... by the limit');

	$server = serve_here();
	my $plain = connect_to($server->{port});
	say($plain, header(@who, cpu => $CARD_CPU));
	is(hear($plain, 1), '', 'a card without TLS: no answer');
	stop($server);
	like($server->{run}->errors, qr/bad CPU/, '... as ever');
}

# --- our client --------------------------------------------------------------

my $SECRET = trace(1, 1000);
my $ROOT = make_root('root', $SECRET);

# Ours, sending $ROOT to that port as the words say: a Process.
sub send_to
{
	my ($port, $way, @words) = @_;
	return Process->start([$CAPTURE, 'relay', $ROOT, $way, '127.0.0.1',
			       $port, @words], $TOP, $PROGRAMS->{path});
}

sub by_key
{
	my ($port, $file) = @_;
	return send_to($port, 'psk', "$TOP/$file", 'web1');
}

sub by_certificate
{
	my ($port) = @_;
	return send_to($port, 'cert', "$TOP/web3.pem", "$TOP/web3.key",
		       "$TOP/ca.pem");
}

# Waits until somebody listens there.
sub wait_port
{
	my ($port) = @_;
	my $wanted = sprintf ':%04X 0+:0000 0A', $port;
	my $end = deadline();

	while (time < $end) {
		return if slurp('/proc/net/tcp') =~ /$wanted/ ||
			slurp('/proc/net/tcp6') =~ /$wanted/;
		sleep 0.02;
	}
}

sub s_server
{
	my (@words) = @_;
	my $port = free_port();
	my $peer = Peer->start("$TOP/peer.log", 'openssl', 's_server',
			       '-quiet', '-accept', "127.0.0.1:$port", @words);

	wait_port($port);
	return ($peer, $port);
}

sub openssl_server
{
	my ($name) = @_;
	return s_server('-cert', "$TOP/$name.pem", '-key', "$TOP/$name.key",
			'-CAfile', "$TOP/ca.pem", '-Verify', 1,
			'-verify_return_error');
}

sub gnutls_serv
{
	my (@words) = @_;
	my $port = free_port();
	my $peer = Peer->start("$TOP/peer.log", 'gnutls-serv', '--echo', '-p',
			       $port, @words);

	wait_port($port);
	return ($peer, $port);
}

# what the server has got by now
sub got
{
	my ($peer) = @_;
	return hear($peer->out, 1e6, 0.3);
}

# A server that is who it must be gets an open, and answers none.
sub check_trusted
{
	my ($name, $peer, $run) = @_;
	my $open = hear($peer->out, $HEADER);

	is(substr($open, 0, 7), "\0taesda", "$name: gets an open")
		or diag($run->errors);
	is($run->finish, 1, '... and no more without an answer');
}

sub check_untrusted
{
	my ($name, $peer, $run, $why) = @_;

	is($run->finish, 1, "$name: status 1");
	like($run->errors, qr/\Acapture: cannot connect to 127\.0\.0\.1: $why\n/,
	     '... with the reason');
	is(got($peer) =~ s/[^\0-\x08]*\n//gr, '', '... and not a byte of ours');
}

sub test_client_by_keys
{
	my @psk = ('-nocert', '-psk_identity', 'web1', '-psk');

	my ($peer, $port) = s_server('-tls1_3', @psk, $KEY);
	check_trusted('s_server with our key', $peer, by_key($port, 'web1'));
	($peer, $port) = s_server('-tls1_3', @psk, $OTHER);
	check_untrusted('s_server with another key', $peer,
			by_key($port, 'web1'), 'TLS: it refuses us: .*');
	($peer, $port) = s_server('-tls1_2', @psk, $KEY);
	check_untrusted('s_server with TLS 1.2', $peer, by_key($port, 'web1'),
			'TLS: it refuses us: .*');
	($peer, $port) = s_server('-tls1_3', '-cert', "$TOP/collector.pem",
				  '-key', "$TOP/collector.key");
	check_untrusted('s_server with a certificate instead', $peer,
			by_key($port, 'web1'), 'TLS: .*');
}

sub test_client_by_certificates
{
	my ($peer, $port) = openssl_server('collector');

	check_trusted('s_server of our authority', $peer,
		      by_certificate($port));
	my @bad = (['stranger', 'of another one', '.*NOT trusted.*'],
		   ['elsewhere', 'with another name', '.*does not match.*'],
		   ['late', 'that has expired', '.*expired.*'],
		   ['named', 'with a client\'s certificate', '.*']);
	for my $bad (@bad) {
		($peer, $port) = openssl_server($bad->[0]);
		check_untrusted("s_server $bad->[1]", $peer,
				by_certificate($port), "TLS: $bad->[2]");
	}
}

# Its echo of an open is no answer: so far it has come, and no further.
sub test_client_and_gnutls
{
	my @cert = ('--x509cafile', "$TOP/ca.pem", '--require-client-cert',
		    '--verify-client-cert');
	my ($peer, $port) = gnutls_serv(@cert, '--x509certfile',
		"$TOP/collector.pem", '--x509keyfile', "$TOP/collector.key");
	my $run = by_certificate($port);

	$run->finish;
	like($run->errors, qr/not a blktrace server|does not answer/,
	     'gnutls-serv of our authority: talks');
	for my $bad (['stranger', 'NOT trusted'],
		     ['elsewhere', 'does not match']) {
		($peer, $port) = gnutls_serv(@cert, '--x509certfile',
			"$TOP/$bad->[0].pem", '--x509keyfile',
			"$TOP/$bad->[0].key");
		$run = by_certificate($port);
		is($run->finish, 1, "gnutls-serv, $bad->[0]:"
		   . ' status 1');
		like($run->errors, qr/TLS: .*$bad->[1]/, '... with the reason');
	}
}

# A server without TLS hears a handshake and nothing else.
sub test_no_way_back
{
	my $listener = IO::Socket::IP->new(LocalHost => '127.0.0.1',
					   Listen => 8) or die "listen: $@\n";
	my $run = by_key($listener->sockport, 'web1');
	my $socket = $listener->accept;
	my $heard = hear($socket, 5000, 1);

	is(substr($heard, 0, 1), "\x16", 'a server without TLS: a handshake');
	unlike($heard, qr/sda|\0tae/, '... and nothing of ours');
	say($socket, header(len => $ANSWER));
	close $socket;
	is($run->finish, 1, '... status 1');
	is(IO::Select->new($listener)->can_read(0.2), undef,
	   '... and no second try');
	like($run->errors, qr/cannot connect to 127\.0\.0\.1: TLS: /, '... said');

	my $server = serve_here();
	$run = by_key($server->{port}, 'web1');
	is($run->finish, 1, 'our server without TLS: status 1');
	stop($server);
	like($server->{run}->errors, qr/127\.0\.0\.1: bad magic/, '... dropped');
	is_deeply([made_by($server)], [], '... and nothing is made');
}

# A bad network, and a collector that is killed: each record comes once.
sub test_spool
{
	my $trace = trace(1, 30000);
	my $root = make_root('spool', $trace);
	my $server = serve_here('--psk', "$TOP/keys");
	my $proxy = proxy($server->{port}, 300000);
	my $run = Process->start([$CAPTURE, 'relay', $root, 'spool-psk',
				  '127.0.0.1', $proxy->{port}, $TOP,
				  "$TOP/web1", 'web1'], $TOP,
				 $PROGRAMS->{path});

	$run->errors_until(qr/connection lost/);
	$server->{run}->signal('KILL');
	$server->{run}->finish;
	serve_again($server, '--bind', '127.0.0.1', '--psk', "$TOP/keys");
	is($run->finish(patience(60)), 0, 'a sender with a spool, by TLS');
	cmp_ok(faults($proxy), '>', 0, '... whose connections are cut');
	end_proxy($proxy);
	my ($dir, @more) = grep { -d } glob "$server->{dir}/*";
	like($dir, qr{/web1-}, '... its directory has its name');
	is_deeply(\@more, [], '... and is the only one');
	ok(unsealed(stored($server, 'sda.blktrace.0')) eq $trace,
	   '... each record comes once, in order');
	is(stop($server), 0, '... status 0');
}

# --- many --------------------------------------------------------------------

# how many have got as far as a directory
sub served
{
	my ($server) = @_;
	return scalar(() = glob "$server->{dir}/*/sda.blktrace.0");
}

sub test_100_clients
{
	my $server = serve_here('--psk', "$TOP/keys");
	my @data = map { trace($_, 10 * $_ + 5) } 1 .. 100;
	my @roots = map { make_root("root$_", $data[$_ - 1]) } 1 .. 100;
	my @runs;

	for my $root (@roots) {
		push @runs, Process->start([$CAPTURE, 'relay', $root, 'psk',
				'127.0.0.1', $server->{port}, "$TOP/keys",
				'web2'], $TOP, $PROGRAMS->{path});
		# a slow machine, too, has 10 s for a handshake
		my $end = deadline();
		sleep 0.02 while @runs - served($server) > 10 && time < $end;
	}

	is_deeply([map { $_->errors } grep { $_->finish } @runs],
		  [], '100 clients at once: status 0');
	my @stored = map { unsealed(slurp($_)) } grep { -s }
		glob "$server->{dir}/*/sda.blktrace.*";
	is_deeply([sort map { length } @stored], [sort map { length } @data],
		  '... of the right length');
	ok(join('', sort @stored) eq join('', sort @data), '... and exact');
	is(stop($server), 0, '... status 0');
}

# A conversation that goes wrong somewhere, never the same way.
sub broken
{
	my $bytes = join '', header(run => int rand 3), map {
		header(name => (qw(sda sdb ../x), "\xff", '')[rand 5],
		       cpu => (0, 1, 7, 2 ** 31)[rand 4],
		       max_cpus => (1, 2, 8, 0, 2 ** 32 - 1)[rand 5],
		       len => (0, 1, 2, 48, 1000, 2 ** 32 - 1)[rand 6],
		       run => int rand 3)
		. (rand() < 0.5 ? trace(1, rand 20) : '')
	} 0 .. rand 4;

	substr($bytes, rand length $bytes, 1) = chr rand 256 for 0 .. rand 6;
	return substr $bytes, 0, 1 + rand length $bytes;
}

sub test_1000_broken
{
	my $server = serve_here(certified('collector'), '--psk', "$TOP/keys");
	my $good = s_client($server, openssl_psk('web1', $KEY));
	my @who = (name => 'good', run => 99);
	my ($data, $at) = (trace(1, 2000), 0);

	srand 1;
	mkdir "$TOP/broken" or die "mkdir: $!\n";
	spew(sprintf("$TOP/broken/%04d", $_), broken()) for 1 .. 1000;
	ok(asks($good, @who), '1,000 broken conversations: a good one begins');
	my $others = Peer->start("$TOP/broken.log",
		"$FindBin::Bin/tls/broken", $server->{port}, "$TOP/web3.pem",
		"$TOP/web3.key", "$TOP/ca.pem", "$TOP/broken");
	for (1 .. 100) {
		my $bytes = substr $data, $at, 960;
		$at += length $bytes;
		say($good->in, header(@who, len => length $bytes) . $bytes);
		sleep 0.02;
	}
	is(hear($others->out, 5), "1000\n",
	   '... all of them by TLS') or diag($others->log);
	ok(asks($good, @who, cpu => 0, len => $CLOSE),
	   '... the good one goes on to its end');
	is(stored($server, 'good.blktrace.0'), $data, '... exact');
	is(stop($server), 0, '... status 0');
	unlike($server->{run}->errors, qr/Sanitizer|runtime error|==\d+==/,
	       '... no checker complains');
	is_deeply([grep { !m{^web[13](\.example)?(-\d+)?(/\w+\.blktrace\.\d+)?\z} }
		   made_by($server)], [], '... and no file lies elsewhere');
}

# --- files -------------------------------------------------------------------

sub test_files
{
	my @good = checked('--psk', "$TOP/keys", certified('collector'));

	is_deeply(\@good, ["ok: TLS, by keys of 2 identities in $TOP/keys\n"
		. "ok: TLS, by certificates that $TOP/ca.pem has signed\n"
		. "ok: output directory . is writable\n", 0],
		  '--check of a collector');
	is_deeply([checked()], ['but: no TLS: anybody who can connect may'
		. " send\nok: output directory . is writable\n", 0],
		  '... of one without TLS');
	chmod 0644, "$TOP/web1" or die "chmod: $!\n";
	like((checked('--psk', "$TOP/web1"))[0],
	     qr{^no: $TOP/web1: others can read or change it \(mode 0644\)},
	     'a file of keys that everybody can read');
	is(by_key(1, 'web1')->finish, 1, '... is refused by a client, too');
	chmod 0600, "$TOP/web1" or die "chmod: $!\n";
	is(send_to(1, 'psk', "$TOP/web1", 'web2')->finish, 1,
	   'an identity that is not in it');
	chmod 0644, "$TOP/late.key" or die "chmod: $!\n";
	like((checked(certified('late')))[0],
	     qr{^no: $TOP/late\.key: others can read or change it},
	     'a private key that everybody can read');
	for my $bad (['--cert', "$TOP/ca.pem", '--key', "$TOP/web3.key",
		      '--ca', "$TOP/ca.pem"],
		     ['--cert', "$TOP/none", '--key', "$TOP/web3.key",
		      '--ca', "$TOP/ca.pem"],
		     ['--cert', "$TOP/web3.pem", '--key', "$TOP/web3.key",
		      '--ca', "$TOP/keys"]) {
		my ($text, $status) = checked(@$bad);
		like($text, qr/^no: /, 'files that do not fit');
		is($status, 1, '... status 1');
	}
}

test_files();
test_server_by_keys();
test_server_by_certificates();
test_server_by_both();
test_renewed_keys();
test_revoked();
test_limits();
test_plain();
test_stalled();
test_flood();
test_cards();
test_client_by_keys();
test_client_by_certificates();
test_client_and_gnutls();
test_no_way_back();
test_spool();
test_100_clients();
test_1000_broken();
done_testing();
