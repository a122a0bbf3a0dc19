"""Sound objects through measured filters, compared with the SOFA file that they are from."""

import netCDF4
import numpy
import pytest

import sphere_head
import wave_file
from program import run
from seeds import generator

RATE = 48_000
# Seconds that may pass until filters have been computed: some tens on two cores that nothing else uses.
FILTERS = 600
FILE = "/usr/share/libmysofa/default.sofa"
# Frames from one direction to the next, and from there to the impulse.
TURN, WAIT = 3072, 2048
LENGTH = 1024
HERTZ = numpy.arange(LENGTH // 2 + 1) * RATE / LENGTH


@pytest.fixture(scope="module")
def measured():
    """Azimuths, elevations and responses (direction, ear, sample) of the default HRTF, and their rate."""
    with netCDF4.Dataset(FILE) as file:
        places = numpy.array(file["SourcePosition"][:])
        return places[:, 0], places[:, 1], numpy.array(file["Data.IR"][:]), float(file["Data.SamplingRate"][0])


def spectra(responses, rate):
    """Transfer functions at HERTZ of responses at another rate."""
    samples = numpy.arange(responses.shape[-1])
    return responses @ numpy.exp(-2j * numpy.pi * numpy.outer(samples, HERTZ) / rate)


def bands(transfers):
    """Level in each ERB band from 500 Hz to 16 kHz, dB."""
    def number(hertz):
        return 21.4 * numpy.log10(1 + 0.00437 * hertz)

    edges = (10 ** (numpy.arange(number(500), number(16_000)) / 21.4) - 1) / 0.00437
    power = numpy.abs(transfers) ** 2
    return 10 * numpy.log10(numpy.stack(
        [power[..., (HERTZ >= low) & (HERTZ < high)].mean(-1) for low, high in zip(edges, edges[1:])], -1))


def times(transfers):
    """Delay of the left ear against the right one with the largest cross-correlation up to 1.5 kHz, microseconds."""
    use = (HERTZ > 100) & (HERTZ < 1500)
    cross = (transfers[:, 0] * transfers[:, 1].conj())[:, use]
    delays = numpy.arange(-1000.0, 1000, 2)
    likeness = (cross @ numpy.exp(2e-6j * numpy.pi * numpy.outer(HERTZ[use], delays))).real
    best = likeness.argmax(1).clip(1, len(delays) - 2)
    rows = numpy.arange(len(best))
    before, here, after = (likeness[rows, best + step] for step in (-1, 0, 1))
    return delays[best] + (before - after) / (before - 2 * here + after)


def heard(folder, hrtf, azimuths, elevations):
    """Transfer functions of both ears for an object in each direction: it stays ahead while the head turns from one to the next."""
    count = len(azimuths)
    sound = numpy.zeros(count * TURN)
    sound[WAIT::TURN] = 0.25
    wave_file.write(folder / "impulses.wav", sound)
    turns, tilts = numpy.radians(azimuths) / 2, numpy.radians(elevations) / 2
    # Turned by minus the azimuth, then tilted by the elevation.
    heads = numpy.stack([
        numpy.cos(tilts) * numpy.cos(turns), -numpy.sin(tilts) * numpy.sin(turns), numpy.sin(tilts) * numpy.cos(turns),
        -numpy.cos(tilts) * numpy.sin(turns)], 1)
    lines = ["time,w,x,y,z"]
    for i, head in enumerate(heads):
        for frame in (i * TURN + 64, (i + 1) * TURN - 64):
            lines.append(",".join(f"{value:.9f}" for value in (frame / RATE, *head)))
    (folder / "motion.csv").write_text("\n".join(lines) + "\n")
    run("render", "--object", f"{folder / 'impulses.wav'}@0", "--motion", folder / "motion.csv", "--output", folder / "ears.wav",
        "--overwrite", "--no-limiter", "--hrtf", hrtf, "--hrtf-equalisation", "none", "--rate", RATE, timeout=FILTERS)
    ears, _ = wave_file.read(folder / "ears.wav")
    ears = numpy.concatenate([ears, numpy.zeros((LENGTH, 2))])
    # The interpolation begins up to 16 samples before an impulse, and the nearer ear hears it before the centre of the head.
    blocks = numpy.stack([ears[i * TURN + WAIT - 32:][:LENGTH] for i in range(count)])
    return numpy.fft.rfft(blocks, axis=1).transpose(0, 2, 1)


def level_errors(transfers, expected):
    difference = bands(transfers) - bands(expected)
    return difference - numpy.median(difference)


def test_measured_directions(measured, tmp_path):
    """Bands far below the loudest one have notches that are narrower than filters of 256 samples."""
    azimuths, elevations, responses, rate = measured
    transfers, expected = heard(tmp_path, FILE, azimuths, elevations), spectra(responses, rate)
    late = numpy.abs(times(transfers) - times(expected))
    errors = numpy.abs(level_errors(transfers, expected))
    levels = bands(expected)
    loud = errors[levels > levels.max() - 30]
    print(f"times: mean {late.mean():.1f}, 99 % within {numpy.percentile(late, 99):.1f}, most {late.max():.1f} us; "
          f"levels: mean {errors.mean():.2f}, 98 % of those within 30 dB within {numpy.percentile(loud, 98):.2f} dB")
    assert late.mean() < 4
    assert numpy.percentile(late, 99) < 10
    assert errors.mean() < 0.15
    assert numpy.percentile(loud, 98) < 0.5
    # The sphere would not do.
    assert levels.std() > 3


def test_directions_left_out(measured, tmp_path):
    """A tenth of the directions is interpolated from the others."""
    azimuths, elevations, responses, rate = measured
    left_out = numpy.zeros(len(azimuths), bool)
    left_out[generator(5).choice(len(azimuths), len(azimuths) // 10, replace=False)] = True
    kept = ~left_out
    sphere_head.write(tmp_path / "kept.sofa", azimuths[kept], elevations[kept], responses[kept], rate)
    transfers = heard(tmp_path, tmp_path / "kept.sofa", azimuths[left_out], elevations[left_out])
    errors = numpy.abs(level_errors(transfers, spectra(responses[left_out], rate)))
    print(f"levels of directions left out: mean {errors.mean():.2f} dB")
    assert errors.mean() < 0.4


@pytest.mark.parametrize("speed, most", [(360, -70), (573, -67)])
def test_a_tone_while_the_head_turns(tmp_path, speed, most):
    """573 degrees a second is a source at 1 m that passes at 10 m/s. Within 200 Hz at 360 degrees a second, the level itself changes."""
    seconds = 2
    tone = 0.1 * numpy.sin(2 * numpy.pi * 4000 * numpy.arange(seconds * RATE) / RATE)
    wave_file.write(tmp_path / "tone.wav", tone)
    turn = "\n".join(f"{step / 100},{speed * step / 100},0,0" for step in range(100 * seconds + 1))
    (tmp_path / "motion.csv").write_text(f"time,yaw,pitch,roll\n{turn}\n")
    run("render", "--object", f"{tmp_path / 'tone.wav'}@30", "--motion", tmp_path / "motion.csv", "--output", tmp_path / "ears.wav",
        "--hrtf", FILE, "--no-limiter", "--rate", RATE, timeout=FILTERS)
    ears, _ = wave_file.read(tmp_path / "ears.wav")
    window = numpy.blackman(RATE)[:, None]
    power = numpy.abs(numpy.fft.rfft(ears[RATE // 2:][:RATE] * window, axis=0)) ** 2
    hertz = numpy.arange(len(power))
    outside = 10 * numpy.log10(power[numpy.abs(hertz - 4000) > 200 * speed / 360].sum(0) / power.sum(0))
    print(f"{speed} degrees/s: {outside} dB beside the tone")
    assert outside.max() < most


def test_without_a_file_the_sphere_is_heard(tmp_path):
    sound = generator(3).standard_normal(RATE // 2) * 0.1
    wave_file.write(tmp_path / "noise.wav", sound)
    ears = {}
    for name, options in {"sphere": (), "hrtf": ("--hrtf", FILE), "hrtf": ("--method", "hrtf")}.items():
        run("render", "--object", f"{tmp_path / 'noise.wav'}@60", "--output", tmp_path / f"{name}.wav", *options,
            timeout=FILTERS)
        ears[name], _ = wave_file.read(tmp_path / f"{name}.wav")
    assert numpy.abs(ears["hrtf"] - ears["hrtf"]).max() == 0
    assert numpy.abs(ears["hrtf"] - ears["sphere"]).max() > 0.01


def test_a_bad_file_is_refused(tmp_path):
    wave_file.write(tmp_path / "noise.wav", numpy.zeros(100))
    result = run("render", "--object", f"{tmp_path / 'noise.wav'}@60", "--output", tmp_path / "ears.wav", "--hrtf", tmp_path / "noise.wav",
                 check=False)
    assert result.returncode != 0
    assert "is not a SOFA file" in result.stderr
    assert not (tmp_path / "ears.wav").exists()
