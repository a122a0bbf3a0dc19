"""Cameras behind an impaired network; benchmarks/camera_networks.py measures the same for minutes."""

import numpy
import pytest

from camera_network import CameraNetwork, ages, delays
from figures import figure, measured
from network import Network
from waiting import until

pytestmark = pytest.mark.page

LOWEST = {"lowest_bitrate": 100, "lowest_rate": 5, "lowest_height": 120}


@pytest.fixture(scope="module")
def cameras(scene, tmp_path_factory):
    with Network() as network:
        network.limit("100mbit")
        with CameraNetwork(network, scene, tmp_path_factory.mktemp("cameras")) as cameras:
            yield cameras


def keeps_the_bounds(told):
    """Checks that the encoder begins with the best, and is never told of less than the user wants."""
    assert told[0][1:] == [2_000_000, 25, 480]
    assert all(bitrate >= 100_000 and rate >= 5 and height >= 120 for _, bitrate, rate, height in told)


def test_a_rate_that_falls_is_followed_within_the_bounds(cameras):
    sender = cameras.offer(cameras.near, best_bitrate=2000, **LOWEST)
    page, _ = cameras.watch(cameras.far, "Screen")
    cameras.network.limit("500kbit", queue="32kb")
    until(lambda: sender.evaluate("strategies.at(-1)?.[1]") <= 1_000_000, lambda: sender.evaluate("strategies"))
    cameras.network.limit("100mbit")
    keeps_the_bounds(sender.evaluate("strategies"))
    page.wait_for_function("() => codes.seen.length > 0")
    assert (numpy.array(page.evaluate("codes.seen"))[:, 3] >= 120).all()
    for each in (sender, page):
        each.context.close()


@measured
def test_loss_and_a_rate_that_falls_are_followed_in_time(cameras):
    sender = cameras.offer(cameras.near, best_bitrate=2000, **LOWEST)
    cameras.network.limit("4mbit", queue="32kb")
    page, took = cameras.watch(cameras.far, "Screen")
    print(f"the first picture came {took:.0f} ms after the choice")
    before = delays(ages(page, 2))
    cameras.network.limit("500kbit", queue="32kb")
    switched = page.evaluate("Date.now()")
    after = ages(page, 6)
    late = after[after[:, 1] > 500, 0] - switched
    later = delays(after[after[:, 0] > switched + 3000])
    cameras.network.limit("100mbit")
    cameras.network.impair(delay=0.03, jitter=0.02, loss=0.02, burst=1)
    lost = delays(ages(page, 5))
    cameras.network.impair(delay=0, jitter=0, loss=0, burst=1)
    told = sender.evaluate("strategies")
    print(f"4 Mbit/s: median {numpy.median(before):.0f} ms; told {[[round(each[0] - switched), *each[1:]] for each in told]}")
    keeps_the_bounds(told)
    figure("strategies that the encoder was told of", len(told), at_most=5)
    figure("last strategy", told[-1][1], at_most=1_000_000, unit="bit/s")
    figure("with 500 kbit/s, 95 % of the pictures within", numpy.percentile(later, 95), at_most=500, unit="ms")
    figure("with 500 kbit/s, older than 500 ms until", late.max() if len(late) else 0, at_most=4000, unit="ms")
    figure("with losses, 95 % of the pictures within", numpy.percentile(lost, 95), at_most=500, unit="ms")
    figure("with losses, pictures in five seconds", len(lost), at_least=41)
    for each in (sender, page):
        each.context.close()
