"""Levels by their definitions: true peak by the Fourier series, loudness by ITU-R BS.1770-5 with the gates of EBU R 128."""

import numpy

# Pre-filter and RLB filter of BS.1770 for 48 kHz: b, then a.
SHELF = ((1.53512485958697, -2.69169618940638, 1.19839281085285), (1.0, -1.69065929318241, 0.73248077421585))
HIGH_PASS = ((1.0, -2.0, 1.0), (1.0, -1.99004745483398, 0.99007225036621))


def weighted(samples):
    """Applies both filters to one channel at 48 kHz, by their frequency response over twice the length."""
    count = 2 * len(samples)
    turns = numpy.exp(-2j * numpy.pi * numpy.arange(count // 2 + 1) / count)
    spectrum = numpy.fft.rfft(samples, count)
    for b, a in (SHELF, HIGH_PASS):
        spectrum *= sum(c * turns ** n for n, c in enumerate(b)) / sum(c * turns ** n for n, c in enumerate(a))
    return numpy.fft.irfft(spectrum, count)[:len(samples)]


def integrated(samples):
    """Returns LUFS of frames by channels at 48 kHz: blocks of 400 ms every 100 ms, gated at -70 LUFS and at -10 LU."""
    channels = [weighted(samples[:, channel].astype(float)) for channel in range(samples.shape[1])]
    powers = numpy.array([
        sum(numpy.mean(channel[begin:begin + 19_200] ** 2) for channel in channels)
        for begin in range(0, len(samples) - 19_200 + 1, 4800)])
    loud = powers[powers > 10 ** ((-70 + 0.691) / 10)]
    loud = loud[loud > 0.1 * loud.mean()]
    return -0.691 + 10 * numpy.log10(loud.mean())


def true_peak(samples):
    """Returns dBTP of frames by channels, at sixteen times the rate."""
    largest = 0
    for channel in range(samples.shape[1]):
        padded = numpy.pad(samples[:, channel].astype(float), 4096)
        spectrum = numpy.fft.rfft(padded)
        largest = max(largest, 16 * numpy.abs(numpy.fft.irfft(spectrum, 16 * len(padded))).max())
    return 20 * numpy.log10(largest)
