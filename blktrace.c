/*
 * blktrace: records what the block layer does with devices.
 *
 * Takes the command line apart and hands it to session/.  Manual:
 * doc/blktrace.8.
 */
#include <locale.h>

#include "base/msg.h"
#include "capture/doctor.h"
#include "session/options.h"
#include "session/session.h"

int main(int argc, char **argv)
{
	struct options o;
	int status;

	msg_guard_fds();
	options_parse(&o, argc, argv);
	setlocale(LC_NUMERIC, "en_US");
	if (o.check)
		status = doctor_check(o.debugfs, o.devices, o.device_count,
				      o.directory);
	else if (o.kill)
		status = session_kill(&o);
	else
		status = session_run(&o);
	options_free(&o);
	return status;
}
