#!/usr/bin/env python3
"""Ten engines and a hundred thousand dashboards, simulated from measured figures; names the part that limits each number of brokers.

Every engine publishes one message for each tenth of a second; every dashboard watches one engine. Dashboards are spread evenly over the
brokers, each of which gets every engine's messages and sends them one after another: a broker's thread takes COST for each, its line the
time of its bytes. The simulation adds up these times for a minute of messages, with engines that begin at random, and gives the delays at
the dashboards. The figures are those that benchmarks/dashboards.py prints; docs/scale.md says on which machine.

    benchmarks/scale.py [--engines N] [--dashboards N] [--cost US] [--bytes N] [--line MBITS] [--delay S] [--seed N]
"""

import argparse
import random

#: Messages a second of one engine; share of a core and of a line that may be used; messages that are simulated for each engine.
PACE, MOST, ROUNDS = 10, 0.8, 600


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engines", type=int, default=10)
    parser.add_argument("--dashboards", type=int, default=100_000)
    parser.add_argument("--cost", type=float, default=20, help="microseconds of a broker's processor for each message that it sends")
    parser.add_argument("--bytes", type=int, default=2000, help="of a message, with its headers")
    parser.add_argument("--line", type=float, default=10_000, help="of each broker, Mbit/s")
    parser.add_argument("--delay", type=float, default=0.2, help="seconds at the 99th percentile")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def simulate(figures, brokers):
    """Shares of a broker's core and of its line, and the delay at the 99th percentile."""
    generator = random.Random(figures.seed)
    watching = figures.dashboards / brokers / figures.engines
    # The slower of the two sets the pace at which the messages leave.
    each = max(figures.cost * 1e-6, 8 * figures.bytes / (figures.line * 1e6))
    phases = [generator.random() / PACE for _ in range(figures.engines)]
    published = sorted(phase + turn / PACE for phase in phases for turn in range(ROUNDS))
    free, delays = 0.0, []
    for time in published:
        begin = max(free, time)
        free = begin + watching * each
        # The hundredths of the dashboards, in the order in which they are served.
        delays += [begin - time + watching * each * (part + 1) / 100 for part in range(100)]
    sent = figures.dashboards / brokers * PACE
    delays.sort()
    return sent * figures.cost * 1e-6, sent * 8 * figures.bytes / (figures.line * 1e6), delays[len(delays) * 99 // 100]


def limit(figures, core, line, delay):
    """The part that is overloaded; None when all is well."""
    if max(core, line) > MOST:
        return "the broker's processor" if core >= line else "the broker's network"
    return "the delay" if delay > figures.delay else None


def main():
    figures = options()
    total = figures.dashboards * PACE
    print(f"{figures.engines} engines, {figures.dashboards} dashboards: {total} messages a second, "
          f"{8 * total * figures.bytes / 1e9:.1f} Gbit/s; {figures.cost:g} us and {figures.bytes} bytes each")
    brokers, last = 0, None
    while True:
        brokers += 1
        core, line, delay = simulate(figures, brokers)
        found = limit(figures, core, line, delay)
        if found is None:
            break
        last = found
        if brokers in (1, 2, 5, 10, 20, 50, 100):
            print(f"  {brokers} brokers: {core:.2f} of a core, {line:.2f} of a line each: limited by {found}")
    print(f"  {brokers} brokers: {core:.2f} of a core, {line:.2f} of a line each, delay {1000 * delay:.0f} ms (99th percentile)")
    print(f"limiting part: {last or 'none'}; one fewer would be too few")


if __name__ == "__main__":
    main()
