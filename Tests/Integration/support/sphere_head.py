"""A rigid sphere: the pressure on its surface in a plane wave, and a SOFA file of a sphere with two ears."""

import netCDF4
import numpy

SPEED = 343.0


def pressure(hertz, radius, degrees):
    """Pressure on the surface relative to the free field at the centre, e^(+iwt); one row per frequency.

    Duda and Martens, JASA 104(5), 1998; hertz above zero, degrees from the direction the wave comes from.
    """
    cosine = numpy.cos(numpy.radians(numpy.asarray(degrees, float)))
    x = 2 * numpy.pi * numpy.asarray(hertz, float) * radius / SPEED
    before = numpy.sin(x) / x + 1j * numpy.cos(x) / x
    here = numpy.sin(x) / x**2 - numpy.cos(x) / x + 1j * (numpy.cos(x) / x**2 + numpy.sin(x) / x)
    total = numpy.outer(1j * (-1 / x**2) / -here, numpy.ones_like(cosine))
    past, legendre = numpy.ones_like(cosine), cosine
    for n in range(1, int(1.2 * x.max()) + 25):
        # At low frequencies the series has converged before the Hankel functions overflow.
        use = n < 1.2 * x + 25
        xs = x[use]
        weight = 1j ** ((n + 1) % 4) * (-(2 * n + 1) / xs**2) / (before[use] - (n + 1) / xs * here[use])
        total[use] += numpy.outer(weight, legendre)
        before[use], here[use] = here[use], (2 * n + 1) / xs * here[use] - before[use]
        past, legendre = legendre, ((2 * n + 1) * cosine * legendre - n * past) / (n + 1)
    return total


def responses(radius, azimuths, elevations, rate=48_000, length=256, delay=70):
    """Returns impulse responses of a left and a right ear: direction, ear, sample."""
    hertz = numpy.arange(1, length // 2 + 1) * rate / length
    roll_off = numpy.cos(numpy.pi / 2 * numpy.clip((2 * hertz / rate - 0.9) / 0.1, 0, 1)) ** 2
    turn = roll_off * numpy.exp(-2j * numpy.pi * hertz * delay / rate)
    across = numpy.cos(numpy.radians(elevations)) * numpy.sin(numpy.radians(azimuths))
    ears = []
    for side in (1, -1):
        spectrum = pressure(hertz, radius, numpy.degrees(numpy.arccos(side * across))) * turn[:, None]
        ears.append(numpy.fft.irfft(numpy.vstack([numpy.ones(len(azimuths)), spectrum]), length, axis=0).T)
    return numpy.stack(ears, 1)


def write(path, azimuths, elevations, sounds, rate=48_000, receivers=((0, 0.09, 0), (0, -0.09, 0)), **attributes):
    """Writes the fields of a SimpleFreeFieldHRIR (AES69) that readers use."""
    count, ears, length = sounds.shape
    with netCDF4.Dataset(path, "w", format="NETCDF4") as file:
        named = {
            "Conventions": "SOFA", "Version": "1.0", "SOFAConventions": "SimpleFreeFieldHRIR",
            "SOFAConventionsVersion": "1.0", "DataType": "FIR", "RoomType": "free field", "Title": "A sphere",
            "DateCreated": "2026-01-01 00:00:00", "DateModified": "2026-01-01 00:00:00", "APIName": "netCDF4",
            "APIVersion": "1", "AuthorContact": "", "License": "", "Organization": "", "DatabaseName": "Spheres",
            "ListenerShortName": "Sphere",
        }
        file.setncatts(named | attributes)
        for name, size in {"M": count, "R": ears, "N": length, "E": 1, "I": 1, "C": 3}.items():
            file.createDimension(name, size)

        def add(name, dimensions, values, **units):
            variable = file.createVariable(name, "f8", dimensions)
            variable[:] = values
            variable.setncatts(units)

        cartesian = {"Type": "cartesian", "Units": "metre"}
        add("ListenerPosition", ("I", "C"), [[0, 0, 0]], **cartesian)
        add("ListenerUp", ("I", "C"), [[0, 0, 1]], **cartesian)
        add("ListenerView", ("I", "C"), [[1, 0, 0]], **cartesian)
        add("ReceiverPosition", ("R", "C", "I"), numpy.array(receivers, float)[:ears, :, None], **cartesian)
        add("EmitterPosition", ("E", "C", "I"), numpy.zeros((1, 3, 1)), **cartesian)
        places = numpy.stack([numpy.mod(azimuths, 360), elevations, numpy.full(count, 1.5)], 1)
        add("SourcePosition", ("M", "C"), places, Type="spherical", Units="degree, degree, metre")
        add("Data.SamplingRate", ("I",), [rate], Units="hertz")
        add("Data.Delay", ("I", "R"), numpy.zeros((1, ears)))
        add("Data.IR", ("M", "R", "N"), sounds)


def directions(step=5):
    """Returns azimuths and elevations: the horizon, with fewer directions above and below."""
    rings = [(0, step), (-30, 3 * step), (30, 3 * step)]
    azimuths = [numpy.arange(0, 360, each) for _, each in rings]
    elevations = [numpy.full(len(ring), elevation) for ring, (elevation, _) in zip(azimuths, rings)]
    return numpy.concatenate(azimuths).astype(float), numpy.concatenate(elevations).astype(float)


def write_sphere(path, radius, rate=48_000, step=5, **options):
    azimuths, elevations = directions(step)
    write(path, azimuths, elevations, responses(radius, azimuths, elevations, rate), rate, **options)
    return path
