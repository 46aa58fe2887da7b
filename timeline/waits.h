/*
 * How long requests waited from Q to D, in classes: the Q2D histogram.
 */
#ifndef TIMELINE_WAITS_H
#define TIMELINE_WAITS_H

#include <stdint.h>

#include "timeline/disk.h"

/* counts a wait of so many ns */
void waits_add(uint64_t waits[WAITS], uint64_t ns);

#endif
