# SPDX-License-Identifier: GPL-2.0-only
"""What simulated traces exercise: how many of each situation a world has."""
from machine import ACTIONS, DISCARD, EAGAIN, FLUSH, FUA, PC, WRITE


def ios(test):
    return lambda w: sum(1 for io in w.machine.ios if test(io))


def requests(test):
    return lambda w: sum(1 for io in w.machine.ios
                         if io.request and io.request.lead is io and
                         test(io.request))


def events(letter, major=None):
    number = ACTIONS[letter][0]
    return lambda w: sum(1 for e in w.machine.events if e[2] == number and
                         major in (None, e[1] >> 20))


def merged(how):
    return ios(lambda io: io.merge == how)


def remapped(major):
    return ios(lambda io: io.link == 'remap' and io.parent.dev >> 20 == major)


def on_disks(test):
    """Requests issued by disks such as these."""
    def count(w):
        devices = {d.dev for d in w.drives if test(d)}
        return sum(1 for io in w.machine.ios if io.dev in devices and
                   io.request and io.request.lead is io and io.request.issued)
    return count


def is_partial(rq):
    """Whether some of its I/Os were done before others."""
    done = [io.at.get('C') for io in rq.ios]
    return any(done) and len(set(done)) > 1 and not rq.sequenced


def is_stuck(io):
    return io.end is None and io.request and io.request.issued


def at_used_sectors(w):
    places = [(io.dev, io.sector) for io in w.machine.ios
              if io.bytes and io.kind == 'io']
    return len(places) - len(set(places))


# name: how many a world has
SITUATIONS = {
    'merged_back': merged('back'),
    'merged_front': merged('front'),
    'merged_request': merged('request'),
    'merged_silent': merged('silent'),
    'parts': ios(lambda io: io.kind == 'part'),
    'dm_cuts': events('X', 253),
    'partitions': ios(lambda io: io.source and io.source[0] >> 20 == 8),
    'dm_remaps': remapped(253),
    'md_remaps': remapped(9),
    'md_retries': ios(lambda io: io.children > 1 and io.dev >> 20 == 9 and
                      not io.cats & WRITE),
    'flushes': ios(lambda io: io.kind == 'flush'),
    'flushes_empty': ios(lambda io: io.cats & FLUSH and not io.bytes and
                         io.kind == 'io'),
    'preflushes': requests(lambda rq: rq.flush and rq.bytes),
    'postflushes': requests(lambda rq: rq.flush2),
    'fua': ios(lambda io: io.cats & FUA),
    'discards': ios(lambda io: io.cats & DISCARD),
    'commands': ios(lambda io: io.cats & PC),
    'plugged': ios(lambda io: io.plug is not None),
    'unplugged_asleep': events('UT'),
    'inserted': requests(lambda rq: rq.inserted),
    'issued_directly': requests(lambda rq: rq.issued and not rq.inserted),
    'scheduler': on_disks(lambda d: d.scheduler),
    'no_scheduler': on_disks(lambda d: not d.scheduler),
    'several_queues': on_disks(lambda d: d.queues > 1),
    'requeued': requests(lambda rq: rq.requeues and rq.issues > 1),
    'refused': requests(lambda rq: rq.requeues and
                        rq.requeues >= rq.issues > 0),
    'completed_elsewhere': requests(lambda rq: rq.cpu_c is not None and
                                    rq.cpu_c != rq.cpu_d),
    'partial': requests(is_partial),
    'turned_away': ios(lambda io: io.error == EAGAIN and not io.request and
                       not io.children and not io.parts),
    'errors': ios(lambda io: io.error),
    'suspended': ios(lambda io: io.held),
    'refused_by_dm': ios(lambda io: io.error and io.dev >> 20 == 253 and
                         not io.children),
    'hung': lambda w: 0 if w.machine.stop else ios(is_stuck)(w),
    'stopped': lambda w: ios(is_stuck)(w) if w.machine.stop else 0,
    'hot': at_used_sectors,
}


def of(w):
    return {name: count(w) for name, count in SITUATIONS.items()}
