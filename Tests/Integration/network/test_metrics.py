"""/metrics in the format of Prometheus."""

import os
import re
import shutil
import subprocess
import urllib.request

import pytest

from figures import figure, measured
from program import ROOT, Engine
from waiting import until

PROMTOOL = os.environ.get("PROMTOOL") or shutil.which("promtool")
LINE = re.compile(r'([a-z_]+)(?:\{([a-z]+="[^"]*"(?:,[a-z]+="[^"]*")*)\})? (\S+)')


def metrics(engine):
    with urllib.request.urlopen(engine.url + "/metrics", timeout=60) as response:
        assert response.headers["Content-Type"].startswith("text/plain; version=0.0.4")
        return response.read().decode()


def parse(text):
    """Returns values by name and labels. Checks that every line is one of the three kinds."""
    values = {}
    for line in text.splitlines():
        if line.startswith("#"):
            assert re.fullmatch(r"# (HELP [a-z_]+ .+|TYPE [a-z_]+ (counter|gauge|histogram|summary))", line), line
            continue
        name, labels, value = LINE.fullmatch(line).groups()
        values[name, labels and " ".join(re.findall('"([^"]*)"', labels))] = float(value)
    return values


def move(engine):
    """Sends poses one after another, until enough of them have turned the sound. Returns their number."""
    client, sent = engine.osc(), 0
    while parse(metrics(engine))["vestibule_motion_to_sound_seconds_count", None] < 20 or sent < 40:
        sent += 1
        client.send_message("/listener/1/ypr", [float(sent % 180), 0.0, 0.0])
        until(lambda: parse(metrics(engine))["vestibule_osc_messages_total", "pose"] == sent)
    return sent


def histograms(values):
    """Buckets, count and sum of each."""
    for name in ("vestibule_callback_duration_seconds", "vestibule_motion_to_sound_seconds"):
        buckets = [value for (key, _), value in values.items() if key == f"{name}_bucket"]
        yield buckets, values[f"{name}_count", None], values[f"{name}_sum", None]


def summary(engine, sent):
    """The metrics, once all poses are summarised, which is done twice a second; their stages are those of the last five seconds."""
    until(lambda: parse(metrics(engine)).get(("vestibule_poses_total", "1")) == sent)

    def look():
        turn(engine)
        values = parse(metrics(engine))
        return values.get(("vestibule_pose_stage_seconds", "1 waiting 95"), 0) > 0 and values

    return until(look)


def turn(engine):
    engine.osc().send_message("/listener/1/ypr", [10.0, 0.0, 0.0])


def test_measurements_are_exported(engine):
    client, sent = engine.osc(), move(engine)
    client.send_message("/listener/1/gian", 0.0)
    values = until(lambda: (v := parse(metrics(engine)))["vestibule_osc_messages_total", "unknown"] == 1
                   and v["vestibule_playing", None] == 1 and v)
    assert values["vestibule_osc_messages_total", "pose"] == sent
    assert values["vestibule_osc_datagrams_total", None] == sent + 1
    # Without a sound card.
    assert [values["vestibule_output_times", source] for source in ("exact", "reported", "calibrated")] == [1, 0, 0]
    assert values["vestibule_pose_age_seconds", "1"] > 0
    summary(engine, sent)
    # No digits that only the conversion from single to double precision has brought.
    assert not re.findall(r"\S+ \S*\.\d{12}\d*", metrics(engine))
    for buckets, count, total in histograms(values):
        assert buckets == sorted(buckets) and buckets[-1] == count > 0 and total > 0
    blocks = values["vestibule_blocks_total", None]
    # The two numbers are read one after the other, and sound goes on meanwhile.
    until(lambda: abs((v := parse(metrics(engine)))["vestibule_callback_duration_seconds_count", None]
                      - v["vestibule_blocks_total", None]) <= 1)
    until(lambda: parse(metrics(engine))["vestibule_blocks_total", None] > blocks)


@measured
def test_stages_of_poses_are_short(engine):
    sent = move(engine)
    values = summary(engine, sent)
    figure("age of the newest pose", values["vestibule_pose_age_seconds", "1"], at_most=30, unit="s")
    figure("poses wait, 95 %", values["vestibule_pose_stage_seconds", "1 waiting 95"], at_most=1, unit="s")


def test_every_metric_of_the_dashboard_and_of_the_alerts_exists(scene):
    """The engine has all that is measured on request: HLS, network listeners, and a broker, a followed engine and an
    Icecast server, none of which answers."""
    wanted = set()
    for path in ("deploy/prometheus/alerts.yml", "protocol/grafana.json"):
        found = set(re.findall(r"vestibule_[a-z_]+", (ROOT / path).read_text()))
        assert len(found) > 6, path
        wanted |= found
    options = ["--mqtt", "mqtt://127.0.0.1:1", "--mqtt-name", "foyer", "--follow", "hall", "--icecast", "icecast://127.0.0.1:1/hall.opus",
               "--hls", "1", "--network-listeners", "2"]
    with Engine("--recording", scene, *options, env=dict(os.environ, VESTIBULE_ICECAST_PASSWORD="secret")) as engine:
        def are_there():
            # Stages of poses are those of the last five seconds.
            turn(engine)
            return wanted <= {name for name, _ in parse(metrics(engine))}

        until(are_there, lambda: wanted - {name for name, _ in parse(metrics(engine))})


@pytest.mark.skipif(not PROMTOOL, reason="promtool (Debian: prometheus) is not installed")
def test_promtool_accepts_the_metrics(engine):
    result = subprocess.run(
        [PROMTOOL, "check", "metrics"], input=metrics(engine), capture_output=True, text=True, check=False)
    assert result.returncode == 0 and not result.stderr, result.stderr
