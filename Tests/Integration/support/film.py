"""Equirectangular films whose frames carry their number, and recordings that click once a second."""

import time

import av
import numpy

import wave_file

RATE = 25
WIDTH, HEIGHT = 720, 360
BITS = 12
# Frames after which numbers restart: whole seconds.
PERIOD = 160 * RATE
# The number stands in the middle of the picture, as bars from this column on; the first one is always white.
BAR, LEFT, TOP, TALL = 10, WIDTH // 2 - 10 * (BITS + 1) // 2, HEIGHT // 2 - 30, 60


def numbered(number, shade=40):
    """One frame, height x width x 3, of 8 bits. Longer films than 160 s begin to count again."""
    number %= PERIOD
    frame = numpy.full((HEIGHT, WIDTH, 3), shade, numpy.uint8)
    for place in range(BITS + 1):
        bright = place == 0 or number >> (BITS - place) & 1
        frame[TOP:TOP + TALL, LEFT + place * BAR:LEFT + (place + 1) * BAR] = 235 if bright else 0
    return frame


def write(path, seconds, frame=numbered, stereo=None, width=WIDTH, height=HEIGHT, rate=RATE):
    """Writes a film. `stereo` is the layout for its metadata, as Matroska numbers it: 1 side by side, 3 top and bottom."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libvpx", rate=rate)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.bit_rate = 4_000_000
        stream.options = {"deadline": "realtime", "cpu-used": "8", "g": "25"}
        if stereo is not None:
            stream.metadata["stereo_mode"] = str(stereo)
        for number in range(round(seconds * rate)):
            for packet in stream.encode(av.VideoFrame.from_ndarray(frame(number), format="rgb24")):
                container.mux(packet)
        for packet in stream.encode():
            container.mux(packet)
    return path


def write_hls(folder, seconds):
    """Writes a film as HLS: `index.m3u8`, and pieces of two seconds in fragmented MP4."""
    options = {"hls_time": "2", "hls_playlist_type": "vod", "hls_segment_type": "fmp4"}
    with av.open(str(folder / "index.m3u8"), "w", format="hls", options=options) as container:
        stream = container.add_stream("libx264", rate=RATE)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        stream.options = {"preset": "ultrafast", "g": str(RATE), "bf": "0"}
        for number in range(round(seconds * RATE)):
            for packet in stream.encode(av.VideoFrame.from_ndarray(numbered(number), format="rgb24")):
                container.mux(packet)
        for packet in stream.encode():
            container.mux(packet)
    return folder / "index.m3u8"


def write_clicks(path, seconds, channels=8, rate=48_000):
    """Writes a recording with a click of one millisecond at each full second, the same at all microphones."""
    samples = numpy.zeros((round(seconds * rate), channels), numpy.float32)
    for second in range(1, int(seconds)):
        samples[second * rate:second * rate + rate // 1000] = 0.5
    wave_file.write(path, samples)
    return path


# Script for the page /view. `film.begin()` notes the number of the frame that is shown in each display frame, and the clicks that are
# heard, both in milliseconds of `performance.now()`. What is drawn in a display frame appears at its end, which is when the next one
# begins: a sixtieth of a second later, or more where the machine draws late.
SCRIPT = f"""
window.film = {{ frames: [], clicks: [], heads: [] }};
film.number = () => {{
  const canvas = document.querySelector('.view-picture');
  const gl = canvas.getContext('webgl2');
  const field = vestibule.pane.look.field;
  const reach = Math.tan(field * Math.PI / 360) / Math.max(canvas.width, canvas.height);
  // One row at once: each reading waits for all that is drawn.
  const row = new Uint8Array(4 * canvas.width);
  gl.readPixels(0, Math.round(canvas.height / 2), canvas.width, 1, gl.RGBA, gl.UNSIGNED_BYTE, row);
  const bit = (place) => {{
    const azimuth = ({LEFT} + (place + 0.5) * {BAR} - {WIDTH} / 2) / {WIDTH} * 2 * Math.PI;
    const x = Math.round(canvas.width / 2 + Math.tan(azimuth) / reach / 2);
    return row[4 * x + 1] > 128 ? 1 : 0;
  }};
  if (!bit(0)) return null;
  let number = 0;
  for (let place = 1; place <= {BITS}; place += 1) number = 2 * number + bit(place);
  return number;
}};
film.begin = () => {{
  const {{ context }} = vestibule.player.sound;
  const analyser = new AnalyserNode(context, {{ fftSize: 16384 }});
  const samples = new Float32Array(16384);
  let [last, drawn, attached] = [0, null, null];
  const look = (time) => {{
    film.next = requestAnimationFrame(look);
    // On a busy machine the page may change to sound that the engine renders, and back.
    const gain = vestibule.player.sound.sound?.gain;
    if (gain && gain !== attached) gain.connect(analyser);
    attached = gain;
    if (drawn !== null) film.frames.push([time, drawn]);
    drawn = film.number();
    analyser.getFloatTimeDomainData(samples);
    const now = context.currentTime;
    const found = samples.findIndex((value) => Math.abs(value) > 0.02);
    if (found < 0) return;
    const at = now - (samples.length - found) / context.sampleRate;
    if (at < last + 0.5) return;
    last = at;
    const {{ contextTime, performanceTime }} = context.getOutputTimestamp();
    film.clicks.push(performanceTime + 1000 * (at - contextTime));
  }};
  look(performance.now());
}};
"""
# Milliseconds from the arrival of the position `wish`, in seconds, until picture and sound are in step again, as `sought`: the middle of
# the shown frame is within one frame of the sound's place, in three display frames after one another, of which the first counts. `since`
# is the same from the time `sent`, milliseconds since 1970.
AFTER_SEEK = f"""() => new Promise((done) => {{
    let [began, first, steps] = [null, null, 0];
    const look = () => {{
        const {{ wanted, now }} = vestibule.pane.shown;
        if (began === null && Math.abs(wanted - wish) < 1) began = now;
        const number = film.number();
        const apart = number === null ? 1 : Math.abs((number + 0.5) / {RATE} - wanted);
        steps = began !== null && apart <= 1 / {RATE} ? steps + 1 : 0;
        if (steps === 1) first = now;
        if (steps < 3) {{
            requestAnimationFrame(look);
            return;
        }}
        window.sought = 1000 * (first - began);
        window.since = performance.timeOrigin + 1000 * first - sent;
        done();
    }};
    look();
}})"""


def seek(page, engine, seconds):
    """Seeks, and returns the milliseconds until picture and sound are in step again: since the new position is heard, and since now."""
    page.evaluate("([wish, sent]) => Object.assign(window, { wish, sent, sought: null })", [seconds, 1000 * time.time()])
    engine.osc().send_message("/transport/seek", seconds)
    page.evaluate(AFTER_SEEK)
    return page.evaluate("[sought, since]")


def distances(page, rate=RATE):
    """Distances in milliseconds, positive when the picture is late, at each click: of the mean course of the frames around it."""
    noted = page.evaluate("() => ({ frames: film.frames, clicks: film.clicks })")
    frames = numpy.array(noted["frames"])
    # Longer films begin to count again.
    numbers = numpy.unwrap(frames[:, 1], period=PERIOD)
    # Time at which each frame was first shown, and its delay after its time in the film.
    first = numpy.flatnonzero(numpy.diff(numbers, prepend=-1) != 0)
    shown, late = frames[first, 0], frames[first, 0] - 1000 / rate * numbers[first]
    results, each = [], []
    for click in noted["clicks"]:
        around = numpy.abs(shown - click) < 500
        if around.sum() < 10:
            continue
        second = round((click - numpy.median(late[around])) / 1000)
        results.append(numpy.median(late[around]) - (click - 1000 * second))
        each.extend(late[around] - (click - 1000 * second))
    return numpy.array(results), numpy.array(each)
