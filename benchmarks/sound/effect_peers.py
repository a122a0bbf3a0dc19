#!/usr/bin/env python3
"""Effects compared with those of other programs: seconds of stereo 48 kHz sound per second of processor time.

    make build && python3 benchmarks/sound/effect_peers.py [--seconds 240] [--runs 3]

Every program reads the same file and discards its output. The cost of a run without effects is measured first and
subtracted, so that reading and writing files does not count. The result is the smallest processor time of several runs
(user and system, all threads). Fast effects run several times in a row, so that they stand out from the cost of their
program. Programs that are not installed are skipped and listed: sox, ffmpeg, csound; through ffmpeg the LADSPA suites
swh and tap and the LV2 suites calf and lsp; and Faust with a C compiler, which compiles benchmarks/sound/faust, scalar and
with -vec, of which the faster one counts
(Debian: sox ffmpeg csound swh-plugins tap-plugins calf-plugins lsp-plugins-lv2 faust clang).
"""

import argparse
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
PROGRAM = pathlib.Path(os.environ.get("VESTIBULE", ROOT / ".build/release/vestibule"))
RATE = 48_000
COMPILER = shutil.which("clang") or shutil.which("gcc")

# Differences of peers that are faster, by effect and peer.
REASONS = {
    ("delay", "sox echo"): "no tone filter, no feedback, no gliding time",
    ("delay", "ffmpeg aecho"): "one tap without feedback, no tone filter, no gliding time",
    ("delay", "csound"): "a fixed delay line: no interpolation, no tone filter, no smoothing",
    ("tremolo", "sox tremolo"): "one sine, no shapes, no phase between the sides, no smoothing",
    ("tremolo", "ffmpeg tremolo"): "a sine from a table of one period, no shapes, no phase between the sides",
    ("equaliser, 3 bands", "ffmpeg equalizer"): "three bands by the bilinear transform instead of eight that match the analogue circuit",
    ("equaliser, 3 bands", "sox equalizer"): "three bands by the bilinear transform instead of eight that match the analogue circuit",
    ("equaliser, 3 bands", "csound"): "three bands by the bilinear transform instead of eight that match the analogue circuit",
    ("limiter", "ffmpeg alimiter"): "sample peaks only, no true-peak detection",
    ("limiter", "ladspa swh fastLookahead"): "sample peaks only, no true-peak detection",
    ("gate", "ffmpeg agate"): "no hold, no hysteresis",
    ("overdrive", "sox overdrive"): "not oversampled: audible aliasing",
    ("overdrive", "csound"): "not oversampled: audible aliasing",
    ("overdrive", "ladspa tap tubewarmth"): "not oversampled: audible aliasing",
    ("overdrive", "ladspa swh foverdrive"): "not oversampled: audible aliasing",
    ("phaser", "ffmpeg aphaser"): "one modulated delay of whole samples, instead of swept all-pass sections",
    ("phaser", "sox phaser"): "one modulated delay of whole samples, instead of swept all-pass sections",
    ("limiter", "faust limiter_lad_stereo"): "sample peaks only, and they pass before the gain is reduced",
    ("overdrive", "lv2 calf saturator"): "not oversampled: audible aliasing",
    ("overdrive", "faust cubicnl"): "not oversampled: audible aliasing",
    ("gate", "faust gate_stereo"): "no hysteresis",
    ("delay", "faust delay, bare"): "no tone filter, no gliding time, no smoothing",
    ("pitch shift", "faust transpose"): "a fixed crossfading delay line without a search for the period: audible warbling",
    ("flanger", "faust flanger"): "linear instead of cubic interpolation",
    ("chorus", "faust chorus, 3 voices"): "linear instead of cubic interpolation, three voices only",
    ("reverb", "faust zita_rev1_stereo"): "eight unmodulated lines instead of thirty-two",
    ("reverb", "ladspa swh plate"): "a plate of two tanks, no decay by band, no modulation by line",
    ("pitch shift", "csound"): "a fixed crossfading delay line without a search for the period: audible warbling",
    ("pitch shift", "ladspa tap pitch"): "a fixed crossfading delay line without a search for the period",
}


def spent(command, runs):
    """Returns the smallest processor time of several runs in seconds."""
    best = None
    for _ in range(runs):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        error = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise RuntimeError(error.decode(errors="replace").strip().splitlines()[-1:] or ["failed"])
        time = usage.ru_utime + usage.ru_stime
        best = time if best is None else min(best, time)
    return best


def write_sound(path, seconds):
    """Writes a chord with slow swells, 32-bit float, in pieces."""
    import array
    import math

    frames = RATE * 10
    piece = array.array("f")
    for n in range(frames):
        t = n / RATE
        swell = 0.05 + 0.45 * (0.5 + 0.5 * math.sin(2 * math.pi * 0.3 * t))
        left = swell * sum(math.sin(2 * math.pi * hertz * t) for hertz in (110, 277.2, 1318.5)) / 3
        piece.append(left)
        piece.append(swell * math.sin(2 * math.pi * 164.8 * t))
    data = piece.tobytes()
    count = max(1, round(seconds / 10))
    size = count * len(data)
    with open(path, "wb") as file:
        file.write(b"RIFF" + struct.pack("<I", 36 + size) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 3, 2, RATE, RATE * 8, 8, 32))
        file.write(b"data" + struct.pack("<I", size))
        for _ in range(count):
            file.write(data)
    return count * 10


class Peers:
    """The installed programs, and the command of each to process a file and discard the result."""

    def __init__(self, sound, seconds, runs, folder):
        self.sound, self.seconds, self.runs, self.folder = sound, seconds, runs, pathlib.Path(folder)
        self.plain = {}

    def sox(self, *effect, copies=1):
        return ["sox", self.sound, "-n", *(effect * copies)] if effect else ["sox", self.sound, "-n", "vol", "1"]

    def ffmpeg(self, graph="anull", copies=1):
        graph = ",".join([graph] * copies)
        return ["ffmpeg", "-nostdin", "-v", "error", "-threads", "1", "-i", self.sound, "-af", graph, "-f", "null", "-"]

    def csound(self, code="", copies=1):
        code = "\n".join([code] * copies)
        path = self.folder / f"{abs(hash(code))}.csd"
        path.write_text(
            "<CsoundSynthesizer>\n<CsOptions>\n-n -d -m0\n</CsOptions>\n<CsInstruments>\n"
            f"sr = {RATE}\nksmps = 64\nnchnls = 2\n0dbfs = 1\ninstr 1\n"
            f"aL, aR diskin2 \"{self.sound}\", 1\n{code}\nouts aL, aR\nendin\n</CsInstruments>\n"
            f"<CsScore>\ni1 0 {self.seconds}\n</CsScore>\n</CsoundSynthesizer>\n")
        return ["csound", str(path)]

    def ours(self, slots=None, copies=1):
        path = self.folder / "rack.json"
        path.write_text(json.dumps({"version": 1, "slots": (slots or []) * copies}))
        return [str(PROGRAM), "process", self.sound, "--rack", str(path), "--output", str(self.folder / "out.wav"), "--overwrite", "--cut"]

    def faust(self, name="through", options=(), copies=1):
        """Returns the compiled program; compiles it on first use."""
        program = self.folder / "-".join(["faust", name, *options])
        if not program.exists():
            made = self.folder / f"{program.name}-code"
            made.mkdir()
            subprocess.run(
                ["faust", "-lang", "c", "-cn", "effect", *options, FOLDER / "faust" / f"{name}.dsp", "-o", made / "effect.h"], check=True)
            subprocess.run(
                [COMPILER, "-O3", "-march=native", "-ffast-math", f"-I{made}", FOLDER / "effect.c", "-o", program, "-lm"], check=True)
        return [str(program), self.sound, str(copies)]

    def speed(self, host, command, copies=1):
        """Returns seconds of sound per second of processor time, without the host's own cost; None on failure."""
        try:
            time = spent(command, self.runs)
            # Repeated, because the machine's speed varies.
            self.plain[host] = min(self.plain.get(host, time), spent(getattr(self, host)(), self.runs))
            time -= self.plain[host]
        except (RuntimeError, FileNotFoundError) as error:
            print(f"    {host}: {error}", file=sys.stderr)
            return None
        # Less than a hundredth of the host's own cost cannot be measured.
        return copies * self.seconds / max(time, 0.01 * self.plain[host])


def slot(effect, **parameters):
    return {"effect": effect, "parameters": {name.replace("_", "-"): value for name, value in parameters.items()}}


def rows(peers):
    """Returns effect, copies in a row, our slot, and the peers: (name, host, function that makes a command)."""
    def sox(*effect, name=None):
        return ("sox " + (name or effect[0]), "sox", lambda copies: peers.sox(*effect, copies=copies))

    def ffmpeg(graph, name=None):
        return ("ffmpeg " + (name or graph.split("=")[0]), "ffmpeg", lambda copies: peers.ffmpeg(graph, copies))

    def ladspa(name, file, plugin, controls=""):
        graph = f"ladspa=file={file}:plugin={plugin}" + (f":controls={controls}" if controls else "")
        return ("ladspa " + name, "ffmpeg", lambda copies: peers.ffmpeg(graph, copies))

    def lv2(name, uri, controls=""):
        graph = "lv2=p=" + uri.replace(":", "\\\\:") + (f":c={controls}" if controls else "")
        return ("lv2 " + name, "ffmpeg", lambda copies: peers.ffmpeg(graph, copies))

    def csound(code):
        return ("csound", "csound", lambda copies: peers.csound(code, copies))

    def faust(file, name=None):
        """Returns the faster of Faust's programs with and without vectors."""
        def quicker(copies):
            commands = [peers.faust(file, options, copies) for options in ((), ("-vec", "-lv", "1", "-vs", "32"))]
            return min(commands, key=lambda command: spent(command, 1))
        return ("faust " + (name or file), "faust", quicker)

    calf, lsp = "http://calf.sourceforge.net/plugins/", "http://lsp-plug.in/plugins/lv2/"
    return [
        ("delay", 8, slot("delay", time=350, feedback=0.35), [
            faust("delay2", "delay, tone and glide"), faust("delay", "delay, bare"),
            sox("echo", "0.8", "0.88", "350", "0.4"), ffmpeg("aecho=0.8:0.88:350:0.4"),
            csound("aL2 comb aL, 1.2, 0.35\naR2 comb aR, 1.2, 0.35\naL = aL + 0.3*aL2\naR = aR + 0.3*aR2"),
            ladspa("tap stereo echo", "tap_echo", "tap_stereo_echo"), lv2("calf vintage delay", calf + "VintageDelay")]),
        ("tremolo", 8, slot("tremolo"), [
            faust("tremolo"),
            sox("tremolo", "5", "60"), ffmpeg("tremolo=f=5:d=0.6"),
            csound("aM lfo 0.3, 5\naL = aL * (0.7 + aM)\naR = aR * (0.7 + aM)"), ladspa("tap tremolo", "tap_tremolo", "tap_tremolo")]),
        ("flanger", 4, slot("flanger"), [
            faust("flanger"),
            sox("flanger"), ffmpeg("flanger"),
            csound("aM lfo 0.002, 0.5\naL flanger aL, aM+0.003, 0.5\naR flanger aR, aM+0.003, 0.5"),
            lv2("calf flanger", calf + "Flanger")]),
        ("chorus", 2, slot("chorus"), [
            faust("chorus", "chorus, 3 voices"),
            sox("chorus", "0.6", "0.9", "50", "0.4", "0.25", "2", "-t", "60", "0.32", "0.4", "2.3", "-t", "40", "0.3", "0.3", "1.3", "-s"),
            ffmpeg("chorus=0.5:0.9:50|60|40:0.4|0.32|0.3:0.25|0.4|0.3:2|2.3|1.3"), lv2("calf multi chorus", calf + "MultiChorus"),
            ladspa("tap chorus/flanger", "tap_chorusflanger", "tap_chorusflanger")]),
        ("phaser", 2, slot("phaser"), [
            faust("phaser", "phaser, 6 sections"), faust("phaser2", "phaser2_stereo"),
            sox("phaser", "0.8", "0.74", "3", "0.4", "0.5", "-t"), ffmpeg("aphaser"), lv2("calf phaser", calf + "Phaser"),
            csound("aL phaser1 aL, 800, 6, 0.5\naR phaser1 aR, 800, 6, 0.5")]),
        ("vibrato", 2, slot("vibrato"), [ffmpeg("vibrato=f=5:d=0.5"), ladspa("tap vibrato", "tap_vibrato", "tap_vibrato")]),
        ("equaliser, 3 bands", 2, slot("equaliser", **{"band2-gain": 3, "band4-gain": -4, "band7-gain": 5}), [
            faust("biquads", "3 biquads"), faust("equaliser", "svf"),
            sox("bass", "3", "100", "equalizer", "800", "1q", "-4", "treble", "5", "9000", name="equalizer"),
            ffmpeg("bass=g=3:f=100,equalizer=f=800:t=q:w=1:g=-4,treble=g=5:f=9000", "equalizer"),
            csound("aL pareq aL, 800, 0.63, 0.7\naL pareq aL, 100, 1.4, 0.7, 1\naL pareq aL, 9000, 1.8, 0.7, 2\n"
                   "aR pareq aR, 800, 0.63, 0.7\naR pareq aR, 100, 1.4, 0.7, 1\naR pareq aR, 9000, 1.8, 0.7, 2"),
            lv2("calf equalizer 5", calf + "Equalizer5Band"), lv2("lsp para x16", lsp + "para_equalizer_x16_stereo")]),
        ("compressor", 4, slot("compressor", threshold=-30), [
            faust("compressor", "compressor_stereo"),
            sox("compand", "0.01,0.15", "6:-60,-60,-30,-30,0,-20"), ffmpeg("acompressor=threshold=0.03:ratio=3"),
            csound("aL compress2 aL, aL, -90, -33, -27, 3, 0.01, 0.15, 0.01\naR compress2 aR, aR, -90, -33, -27, 3, 0.01, 0.15, 0.01"),
            lv2("calf compressor", calf + "Compressor"), lv2("lsp compressor", lsp + "compressor_stereo")]),
        ("gate", 4, slot("gate"), [
            faust("gate", "gate_stereo"), ffmpeg("agate"), lv2("calf gate", calf + "Gate"), lv2("lsp gate", lsp + "gate_stereo")]),
        ("limiter", 1, slot("limiter", gain=6), [
            faust("limiter", "limiter_lad_stereo"),
            ffmpeg("alimiter=level_in=2"), ladspa("swh fastLookahead", "fast_lookahead_limiter_1913", "fastLookaheadLimiter"),
            lv2("calf limiter", calf + "Limiter"), lv2("lsp limiter", lsp + "limiter_stereo")]),
        ("overdrive", 1, slot("overdrive"), [
            faust("overdrive", "cubicnl"), faust("overdrive4", "tanh at 4 x rate"),
            sox("overdrive", "20"), csound("aL distort1 aL, 4, 0.5, 0, 0\naR distort1 aR, 4, 0.5, 0, 0"),
            ladspa("swh foverdrive", "foverdrive_1196", "foverdrive"), ladspa("tap tubewarmth", "tap_tubewarmth", "tap_tubewarmth"),
            lv2("calf saturator", calf + "Saturator")]),
        ("reverb", 1, slot("reverb", decay=2), [
            faust("reverb", "zita_rev1_stereo"),
            sox("reverb"), csound("aL, aR reverbsc aL, aR, 0.85, 12000"), lv2("calf reverb", calf + "Reverb"),
            ladspa("swh gverb", "gverb_1216", "gverb"), ladspa("tap reverberator", "tap_reverb", "tap_reverb")]),
        ("pitch shift", 1, slot("pitch-shift", semitones=5), [
            faust("pitch-shift", "transpose"),
            sox("pitch", "500"), ffmpeg("rubberband=pitch=1.3348"), ladspa("tap pitch", "tap_pitch", "tap_pitch", "c0=5"),
            ladspa("swh pitchScale", "pitch_scale_1193", "pitchScale", "c0=1.3348")]),
    ]


def hosts():
    """Prints the installed and the missing programs."""
    there = {name for name in ("sox", "ffmpeg", "csound") if shutil.which(name)}
    if shutil.which("faust") and COMPILER:
        there.add("faust")
    return there, sorted({"sox", "ffmpeg", "csound", "faust"} - there)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=240, help="seconds of sound in each run")
    parser.add_argument("--runs", type=int, default=3, help="runs, of which the fastest counts")
    parser.add_argument("--only", help="only effects whose name starts with this")
    options = parser.parse_args()
    if not PROGRAM.exists():
        sys.exit(f"{PROGRAM} is not there: make build")
    there, missing = hosts()
    print("installed:", ", ".join(sorted(there)) or "no other program")
    if missing:
        print("not installed:", ", ".join(missing))
    with tempfile.TemporaryDirectory() as folder:
        sound = str(pathlib.Path(folder) / "in.wav")
        seconds = write_sound(sound, options.seconds)
        peers = Peers(sound, seconds, options.runs, folder)
        ahead = measured = 0
        print(f"{'effect':22}{'ours':>9}  {'peer':28}{'speed':>9}{'ratio':>8}  why not ahead")
        for name, copies, own_slot, others in rows(peers):
            if options.only and not name.startswith(options.only):
                continue
            own = peers.speed("ours", peers.ours([own_slot], copies), copies)
            found = [(peers.speed(host, command(copies), copies), title) for title, host, command in others if host in there]
            found = sorted((pair for pair in found if pair[0]), reverse=True)
            print(f"{name:22}{own:9.0f}  " + ("" if found else "none is installed"), end="")
            for index, (speed, title) in enumerate(found):
                ratio = own / speed
                measured += 1
                ahead += ratio >= 1
                reason = "" if ratio >= 1 else REASONS.get((name, title), "does less: see its documentation")
                print(f"{'' if index == 0 else ' ' * 33}{title:28}{speed:9.0f}{ratio:8.2f}  {reason}", flush=True)
            if not found:
                print()
        print(f"ahead in {ahead} of {measured}")


if __name__ == "__main__":
    main()
