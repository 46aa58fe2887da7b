# SPDX-License-Identifier: GPL-2.0-only
# A browser that tests look at pages with: Chromium by its driver, spoken to in
# WebDriver's own words (JSON over HTTP on this machine), by perl's own modules.
# No name of a host resolves in it, so that a page which asks for one fails.
package Suite::Browser;

use strict;
use warnings;
use Exporter 'import';
use HTTP::Tiny;
use JSON::PP;
use MIME::Base64 'decode_base64';
use POSIX ();
use Time::HiRes qw(sleep time);

our @EXPORT_OK = qw(browser_found browser_start browser_stop);

# how long a page, or what it should come to, is waited for
my $SECONDS = 600;
my $JSON = JSON::PP->new->utf8->allow_nonref->canonical;
my @ARGUMENTS = ('--headless=new', '--no-sandbox', '--disable-gpu',
		 '--hide-scrollbars', '--force-color-profile=srgb',
		 '--disable-dev-shm-usage', '--window-size=1440,900',
		 '--host-resolver-rules=MAP * ~NOTFOUND');

sub on_path
{
	my ($name) = @_;
	return grep { -x "$_/$name" } split /:/, $ENV{PATH};
}

# is there one to be had
sub browser_found
{
	return on_path('chromedriver') &&
		(on_path('chromium') || on_path('google-chrome'));
}

# The driver in a process of its own: its pid and the port it has chosen.
sub start_driver
{
	pipe my $out, my $in or die "pipe: $!\n";
	my $pid = fork // die "fork: $!\n";

	if (!$pid) {
		open STDOUT, '>&', $in;
		open STDERR, '>', '/dev/null';
		{ exec 'chromedriver', '--port=0' };
		POSIX::_exit(127);
	}
	close $in;
	while (my $line = <$out>) {
		return ($pid, $1, $out)
			if $line =~ /successfully on port (\d+)/;
	}
	die "chromedriver does not start\n";
}

# Starts a browser: an object, by which it is asked until it is stopped.
sub browser_start
{
	my ($pid, $port, $out) = start_driver();
	my $self = bless { pid => $pid, out => $out,
			   base => "http://127.0.0.1:$port",
			   http => HTTP::Tiny->new(timeout => 2 * $SECONDS),
			 }, __PACKAGE__;
	my $wanted = { timeouts => { script => 1000 * $SECONDS },
		       'goog:chromeOptions' => { args => \@ARGUMENTS },
		       'goog:loggingPrefs' => { browser => 'ALL',
						performance => 'ALL' } };
	my $session = $self->request(POST => '/session', {
		capabilities => { alwaysMatch => $wanted } });

	$self->{session} = "/session/$session->{sessionId}";
	return $self;
}

sub browser_stop
{
	my ($self) = @_;
	my $pid = delete $self->{pid} or return;

	local $?;
	eval { $self->request(DELETE => $self->{session}) }
		if $self->{session};
	kill 'TERM', $pid;
	waitpid $pid, 0;
}

sub DESTROY
{
	browser_stop($_[0]);
}

# One request to the driver; what it answers, or dies with what it complains of.
sub request
{
	my ($self, $method, $path, $body) = @_;
	my %options;

	%options = (content => $JSON->encode($body // {}),
		    headers => { 'Content-Type' => 'application/json' })
		if $method eq 'POST';
	my $answer = $self->{http}->request($method, "$self->{base}$path",
					    \%options);
	my $said = eval { $JSON->decode($answer->{content}) };

	die "$method $path: $answer->{status} $answer->{content}\n"
		unless $answer->{success} && $said;
	return $said->{value};
}

sub post
{
	my ($self, $path, $body) = @_;
	return $self->request(POST => "$self->{session}/$path", $body);
}

# the value of a function's body, with arguments
sub js
{
	my ($self, $script, @args) = @_;
	return $self->post('execute/sync', { script => $script,
					     args => \@args });
}

# what an expression promises, with arguments
sub async
{
	my ($self, $expression, @args) = @_;
	my $answer = $self->post('execute/async', { script => <<"END",
const done = arguments[arguments.length - 1];
($expression).then((value) => done({ value }),
	(error) => done({ error: String(error) }));
END
						    args => \@args });
	die "$expression: $answer->{error}\n" if defined $answer->{error};
	return $answer->{value};
}

# a command of the browser's own protocol
sub cdp
{
	my ($self, $command, $parameters) = @_;
	return $self->post('goog/cdp/execute', { cmd => $command,
		params => $parameters // {} });
}

# waits until an expression is true: its value, or nothing when it is too late
sub wait_for
{
	my ($self, $expression, $seconds) = @_;
	my $end = time + ($seconds // $SECONDS);

	while (time < $end) {
		my $value = $self->js("return ($expression)");
		return $value if $value;
		sleep 0.05;
	}
	return;
}

# Opens a page of ours and waits until it has been drawn.
sub open_page
{
	my ($self, $path, $address) = @_;

	$self->post('url', { url => 'about:blank' });
	$self->post('url', { url => "file://$path" . ($address // '') });
	return $self->wait_for(
		'document.documentElement.dataset.ready === "1"');
}

# what the console says in warnings and errors since it was last asked
sub complaints
{
	my ($self) = @_;
	my $log = $self->post('se/log', { type => 'browser' });
	return map { $_->{message} }
		grep { $_->{level} =~ /SEVERE|WARNING/ } @$log;
}

# what was asked for since, other than files
sub requests
{
	my ($self) = @_;
	my $log = $self->post('se/log', { type => 'performance' });
	my @urls;

	for my $entry (@$log) {
		my $message = $JSON->decode($entry->{message})->{message};
		next if $message->{method} ne 'Network.requestWillBeSent';
		push @urls, $message->{params}{request}{url};
	}
	return grep { !/^(?:file|data|blob|about|chrome)/ } @urls;
}

# what the browser measures of the page, by name
sub metric
{
	my ($self, $name) = @_;
	my $metrics = $self->cdp('Performance.getMetrics')->{metrics};
	my ($found) = grep { $_->{name} eq $name } @$metrics;

	return $found->{value};
}

# bytes that the script's objects take, with the numbers of its arrays, which lie
# beside the heap
sub heap
{
	my ($self) = @_;
	my $usage = $self->cdp('Runtime.getHeapUsage');

	return $usage->{usedSize} + $usage->{backingStorageSize};
}

# the script's thread time so far, s
sub script_time
{
	my ($self) = @_;
	return $self->metric('ScriptDuration');
}

# ms of thread time that the script takes for each of COUNT frames, in each of
# which FUNCTION(number, count) is called
sub measure
{
	my ($self, $function, $count) = @_;
	my $frames = <<'END';
const [name, count, done] = arguments;
const act = name.split(".").reduce((of, part) => of[part], window);
let i = 0;
const next = () => {
	if (i >= count)
		return done(count);
	act(i++, count);
	requestAnimationFrame(next);
};
requestAnimationFrame(next);
END
	$self->cdp('Performance.enable', { timeDomain => 'threadTicks' });
	my $before = $self->script_time();

	$self->post('execute/async', { script => $frames,
				       args => [$function, $count] });
	return sprintf '%.2f', 1000 * ($self->script_time() - $before) /
		$count;
}

# the window's size, as a screen of that size would have it
sub resize
{
	my ($self, $width, $height) = @_;

	$self->cdp('Emulation.setDeviceMetricsOverride', {
		width => $width + 0, height => $height + 0,
		deviceScaleFactor => 1, mobile => JSON::PP::false });
}

# a picture of what is in the window, or of all of the page
sub picture
{
	my ($self, $all) = @_;
	my $shot = $self->cdp('Page.captureScreenshot', {
		captureBeyondViewport => $all ? JSON::PP::true :
			JSON::PP::false });
	return decode_base64($shot->{data});
}

# the page on paper, as PDF
sub printed
{
	my ($self) = @_;
	my $paper = $self->cdp('Page.printToPDF', {
		preferCSSPageSize => JSON::PP::true,
		printBackground => JSON::PP::true });
	return decode_base64($paper->{data});
}

# presses keys, one after the other, with Shift or not
sub keys
{
	my ($self, @keys) = @_;
	my @actions = map { ({ type => 'keyDown', value => $_ },
			     { type => 'keyUp', value => $_ }) } @keys;

	$self->post('actions', { actions => [{ type => 'key', id => 'keys',
					       actions => \@actions }] });
}

# moves the mouse over places [x, y], the button down between first and last
# if it is a drag
sub mouse
{
	my ($self, $drag, @places) = @_;
	my @actions;

	for my $at (0 .. $#places) {
		my ($x, $y) = map { int($_ + 0.5) } @{ $places[$at] };
		push @actions, { type => 'pointerMove', x => $x, y => $y,
				 duration => $at ? 50 : 0 };
		push @actions, { type => 'pointerDown', button => 0 }
			if $drag && $at == 0;
	}
	push @actions, { type => 'pointerUp', button => 0 } if $drag;
	$self->post('actions', { actions => [{ type => 'pointer', id => 'mouse',
		parameters => { pointerType => 'mouse' },
		actions => \@actions }] });
}

# fingers on the screen, at [x, y] each: where they come down, and where they go
# to, one step after the other
sub touch
{
	my ($self, $first, @steps) = @_;
	my $points = sub {
		my ($places) = @_;
		[map { { x => int $places->[$_][0], y => int $places->[$_][1],
			 id => $_ } } 0 .. $#$places];
	};
	my $tell = sub {
		my ($type, $places) = @_;
		$self->cdp('Input.dispatchTouchEvent', { type => $type,
			touchPoints => $points->($places) });
	};

	$self->cdp('Emulation.setTouchEmulationEnabled',
		   { enabled => JSON::PP::true, maxTouchPoints => 2 });
	$tell->('touchStart', $first);
	$tell->('touchMove', $_) for @steps;
	$tell->('touchEnd', []);
	$self->cdp('Emulation.setTouchEmulationEnabled',
		   { enabled => JSON::PP::false });
}

1;
