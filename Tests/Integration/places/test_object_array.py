"""Objects in the virtual array: rendered to a file and compared with the exact series of the sphere, and switched by clients."""

import numpy

import wave_file
from program import Engine, run
from seeds import generator
from waiting import until

RATE = 48_000
RADIUS, SPEED = 0.0875, 343.0


def sphere(frequencies, cosine):
    """Pressure on a rigid sphere at an angle to a plane wave (Duda and Martens, 1998), with falling phases for delays."""
    pressures = []
    for frequency in frequencies:
        x = 2 * numpy.pi * frequency * RADIUS / SPEED
        # Spherical Hankel functions of the second kind, and the Legendre polynomials, by their recurrences.
        before = (numpy.sin(x) + 1j * numpy.cos(x)) / x
        here = numpy.sin(x) / x**2 - numpy.cos(x) / x + 1j * (numpy.cos(x) / x**2 + numpy.sin(x) / x)
        pressure = 1 / -here
        legendre = [1.0, cosine]
        for n in range(1, int(1.2 * x) + 40):
            slope = before - (n + 1) / x * here
            pressure += 1j**n * (2 * n + 1) * legendre[n] / slope
            legendre.append(((2 * n + 1) * cosine * legendre[n] - n * legendre[n - 1]) / (n + 1))
            before, here = here, (2 * n + 1) / x * here - before
        pressures.append(-1j / x**2 * pressure)
    return numpy.array(pressures)


def test_a_microphone_hears_the_exact_sphere(tmp_path):
    click = numpy.zeros(RATE // 2)
    click[0] = 0.5
    wave_file.write(tmp_path / "click.wav", click)
    frequencies = numpy.arange(200, 4000, 100)
    errors = []
    for azimuth in (-170, -120, -75, -30, 0, 40, 77, 90, 140):
        # The left ear is at a microphone, which is what the method hears.
        run("render", "--object", f"{tmp_path / 'click.wav'}@{azimuth},renderer=array", "--method", "nearest", "--no-limiter",
            "--output", tmp_path / "ears.wav", "--overwrite")
        left = wave_file.read(tmp_path / "ears.wav")[0][:4800, 0] / 0.5
        heard = numpy.abs(numpy.fft.rfft(left, RATE))[frequencies]
        exact = numpy.abs(sphere(frequencies, numpy.cos(numpy.radians(azimuth - 90))))
        errors.append(numpy.abs(20 * numpy.log10(heard / exact)))
    assert numpy.mean(errors) < 0.5 and numpy.max(errors) < 3, [error.mean().round(2) for error in errors]


def test_clients_choose_the_renderer(tmp_path):
    noise = generator(5).standard_normal(RATE) * 0.1
    wave_file.write(tmp_path / "noise.wav", noise)
    with Engine("--object", f"{tmp_path / 'noise.wav'}@80,renderer=array", "--objects", 2) as engine:
        assert engine.value("/object/1/renderer") == "array" and engine.value("/object/2/renderer") == "direct"

        def sides():
            return engine.value("/meter/listener/1/peak")

        until(lambda: sides()[0] > 1.3 * sides()[1] > 0, describe=sides)
        osc = engine.osc()
        osc.send_message("/listener/1/ypr", [170.0, 0.0, 0.0])
        until(lambda: sides()[1] > 1.3 * sides()[0] > 0, describe=sides)
        osc.send_message("/object/1/renderer", "direct")
        until(lambda: engine.value("/object/1/renderer") == "direct")
        until(lambda: sides()[1] > 1.3 * sides()[0] > 0, describe=sides)
        osc.send_message("/object/1/renderer", "array")
        until(lambda: engine.value("/object/1/renderer") == "array")
        osc.send_message("/object/1/mute", 1)
        until(lambda: sides() == [0, 0], describe=sides)


def test_a_renderer_that_is_not_there_is_refused(tmp_path):
    wave_file.write(tmp_path / "noise.wav", numpy.zeros(100))
    result = run("render", "--object", f"{tmp_path / 'noise.wav'}@0,renderer=both", "--output", tmp_path / "ears.wav", check=False)
    assert result.returncode != 0 and "renderer is direct or array, not both" in result.stderr
