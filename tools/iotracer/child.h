/*
 * The command that is traced: started, but held until tracing has begun.
 */
#ifndef TOOLS_IOTRACER_CHILD_H
#define TOOLS_IOTRACER_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

struct child {
	pid_t pid;		/* 0: none */
	int go;			/* writing here lets it go; -1: it is gone */
	bool ended;
	int status;		/* as an exit status, once it has ended */
};

/* 0, or -errno, said on stderr */
int child_new(struct child *c, char *const *command);

/* runs the command; what cannot be run ends with 127, said on stderr */
void child_start(struct child *c);

/* whether it has ended by now; does not wait */
bool child_ended(struct child *c);

/* passes a signal on, unless the terminal has sent it to both of us */
void child_signal(struct child *c, int sig);

/* ends one that has not been let go */
void child_free(struct child *c);

#endif
