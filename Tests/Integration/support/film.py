"""Equirectangular films whose frames carry their number, and recordings that click once a second."""

import av
import numpy

import wave_file

RATE = 25
WIDTH, HEIGHT = 720, 360
BITS = 12
# The number stands in the middle of the picture, as bars from this column on; the first one is always white.
BAR, LEFT, TOP, TALL = 10, WIDTH // 2 - 10 * (BITS + 1) // 2, HEIGHT // 2 - 30, 60


def numbered(number, shade=40):
    """One frame, height x width x 3, of 8 bits."""
    frame = numpy.full((HEIGHT, WIDTH, 3), shade, numpy.uint8)
    for place in range(BITS + 1):
        bright = place == 0 or number >> (BITS - place) & 1
        frame[TOP:TOP + TALL, LEFT + place * BAR:LEFT + (place + 1) * BAR] = 235 if bright else 0
    return frame


def write(path, seconds, frame=numbered, stereo=None, width=WIDTH, height=HEIGHT):
    """Writes a film. `stereo` is the layout for its metadata, as Matroska numbers it: 1 side by side, 3 top and bottom."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libvpx", rate=RATE)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.bit_rate = 4_000_000
        stream.options = {"deadline": "realtime", "cpu-used": "8", "g": "25"}
        if stereo is not None:
            stream.metadata["stereo_mode"] = str(stereo)
        for number in range(round(seconds * RATE)):
            for packet in stream.encode(av.VideoFrame.from_ndarray(frame(number), format="rgb24")):
                container.mux(packet)
        for packet in stream.encode():
            container.mux(packet)
    return path


def write_clicks(path, seconds, channels=8, rate=48_000):
    """Writes a recording with a click of one millisecond at each full second, the same at all microphones."""
    samples = numpy.zeros((round(seconds * rate), channels), numpy.float32)
    for second in range(1, int(seconds)):
        samples[second * rate:second * rate + rate // 1000] = 0.5
    wave_file.write(path, samples)
    return path


# Script for the page /view. `film.begin()` notes the number of the frame that is shown in each display frame, and the clicks that are
# heard, both in milliseconds of `performance.now()`. What is drawn in a display frame appears at its end, a sixtieth of a second after
# the time with which the browser calls.
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
  const {{ sound }} = vestibule.player.sound;
  const context = sound.context;
  const analyser = new AnalyserNode(context, {{ fftSize: 8192 }});
  sound.gain.connect(analyser);
  const samples = new Float32Array(8192);
  let last = 0;
  const look = (time) => {{
    film.next = requestAnimationFrame(look);
    const number = film.number();
    if (number !== null) film.frames.push([time + 1000 / 60, number]);
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
