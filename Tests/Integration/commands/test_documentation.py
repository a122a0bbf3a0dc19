"""README.md and docs/: commands, options, links and addresses exist, and the examples run."""

import re
import shlex
import shutil
import subprocess
import sys

import pytest

import wave_file
from health import becomes_well
from program import ROOT, Engine, run
from seeds import generator
from waiting import until

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
LINKED = [*PAGES, *sorted((ROOT / "protocol").rglob("*.md"))]
FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`\n]+)`")
# HTTP paths and OSC services, which are not parameters.
OTHER_PATHS = re.compile(
    r"/(phone|telemetry|metrics|health|trust|listen|view|video|camera|listening-test|listeners|takes|audio/.*|hls.*|subscribe|adm/.*"
    r"|dev/.*)$")
# Examples that need a device or a file of the reader.
NOT_HERE = re.compile(r"mqtts:|icecast:|alsa:|jack|/dev/|takes/|ears\.sofa|chain\.pem|0\.0\.0\.0|^vestibule (bench|measure|evaluate)")


def text(page):
    return page.read_text()


def blocks(page, language):
    return [body for name, body in FENCE.findall(text(page)) if name == language]


def words(page):
    """Returns the text between single backquotes, with line ends replaced by spaces."""
    return INLINE.findall(re.sub(r"\n *", " ", FENCE.sub("", text(page))).replace("\n", " "))


def examples(page):
    """Returns the `vestibule` lines of the shell blocks, without comments."""
    lines = [line.split(" #")[0].strip() for body in blocks(page, "sh") for line in body.splitlines()]
    return [line for line in lines if line.startswith("vestibule ")]


@pytest.fixture(scope="module")
def options():
    """Returns the options of every subcommand by its name: "serve", "session diff"."""

    def names(help):
        return re.findall(r"^  ([a-z][a-z-]*) ", help.split("SUBCOMMANDS:")[1], re.MULTILINE) if "SUBCOMMANDS:" in help else []

    found = {}

    def read(command):
        help = run(*command, "--help").stdout
        found[" ".join(command)] = set(re.findall(r"--[a-z][a-z-]*", help))
        for name in names(help):
            read([*command, name])

    for name in names(run("--help").stdout):
        read([name])
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_and_options_exist(page, options):
    everything = set().union(*options.values())
    for command in [*examples(page), *(word for word in words(page) if word.startswith("vestibule "))]:
        parts = command.split()[1:]
        # "session diff" is checked before "session"; a former name remains an alias that the list does not show.
        name = next((name for name in (" ".join(parts[:2]), parts[0]) if name in options), None)
        assert name, f"{page.name}: `{command}`: there is no such command"
        for option in re.findall(r"(?<!\S)--[a-z][a-z-]*", command):
            assert option in options[name], f"{page.name}: `{command}`: there is no {option}"
    for word in words(page):
        if option := re.match(r"--[a-z][a-z-]*", word):
            assert option[0] in everything, f"{page.name}: there is no {option[0]}"


def anchors(page):
    """Returns the headings of a page as fragments of links."""
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", text(page)), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", LINKED, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_have_targets(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", text(page))):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, fragment = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), f"{page.name}: {target} does not exist"
        assert not fragment or fragment in anchors(there), f"{page.name}: {target}: {there.name} has no such heading"


@pytest.fixture(scope="module")
def addresses():
    """Returns every address with its numbers replaced, and every container."""
    found = re.findall(r"^\| `([^`]+)`", text(ROOT / "protocol/parameters.md"), re.MULTILINE)
    assert len(found) > 200
    known = set()
    for address in found:
        parts = re.sub(r"\{\w+\}", "1", address).split("/")
        known |= {general("/".join(parts[:length])) for length in range(2, len(parts) + 1)}
    return known


def general(address):
    """The address with every number replaced by N."""
    return re.sub(r"/(\d+|N)(?=/|$)", "/N", address)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_addresses_exist(page, addresses):
    named = {word for entry in words(page) for word in entry.split() if re.fullmatch(r"(/[a-z0-9N*-]+)+", word)}
    named |= {word for body in blocks(page, "python") for word in re.findall(r'"((?:/[a-z0-9*-]+)+)"', body)}
    unknown = {
        word for word in named
        if general(word) not in addresses and not OTHER_PATHS.match(word) and not re.match(r"/rack/(recording|input|listener/\d)/", word)}
    assert not unknown, f"{page.name}: not in protocol/parameters.md: {sorted(unknown)}"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A folder with the files that the examples name."""
    folder = tmp_path_factory.mktemp("examples")
    random = generator(11)
    for name in ("voice.wav", "guitar.wav", "bell.wav", "loop.wav", *(f"mic{number}.wav" for number in range(1, 5))):
        wave_file.write(folder / name, 0.1 * random.standard_normal((9600, 1)))
    wave_file.write(folder / "piano.wav", 0.1 * random.standard_normal((9600, 2)))
    for name in ("scene.wav", "morning.wav", "evening.wav"):
        wave_file.write(folder / name, 0.1 * random.standard_normal((9600, 16)))
    (folder / "motion.csv").write_text("time,yaw,pitch,roll\n" + "".join(f"{n / 100},{n},0,0\n" for n in range(20)))
    (folder / "mine.json").write_text(run("trackers", "iem").stdout)
    for name in ("evening", "morning", "old"):
        (folder / f"{name}.json").write_text('{"version": 2, "parameters": {"/listener/1/gain": -6}}')
    (folder / "room.json").write_text('{"size": [8, 6, 3.2], "walls": "wood"}')
    (folder / "circle.json").write_text('{"circle": {"radius": 2, "seconds": 8}}')
    shutil.copytree(ROOT / "presets", folder / "presets")
    for name in ("archive", "packed"):
        (folder / name).mkdir()
    return folder


EXAMPLES = [
    pytest.param(line, id=f"{page.stem}-{number}") for page in PAGES if page.name != "CONTRIBUTING.md"
    for number, line in enumerate(examples(page)) if not NOT_HERE.search(line)]


@pytest.mark.parametrize("line", EXAMPLES)
def test_examples_run(line, files, monkeypatch):
    # The user's own pairings must not be changed.
    monkeypatch.setenv("XDG_STATE_HOME", str(files))
    arguments = shlex.split(line)[1:]
    if arguments[0] == "archive":
        monkeypatch.setenv("XDG_DATA_HOME", str(files / "data"))
    if arguments[0] == "session" or arguments[:2] == ["serve", "evening"]:
        arguments += ["--sessions", str(files)]
    arguments = [re.sub(r"^~/sounds$", str(files), argument) for argument in arguments]
    if arguments[0] == "serve":
        # Free ports, including the engine's, so that other programs on this host are not disturbed.
        arguments = [re.sub(r"^(iem|sparta|mine\.json|opentrack|mach1)(:\d+)?(?=@|$)", r"\1:0", argument) for argument in arguments]
        arguments = [re.sub(r"^file:", f"file:{files}/", argument).replace("@path=", f"@path={files}/") for argument in arguments]
        arguments = [str(files / a) if (files / a.split("@")[0].split(":")[0]).exists() else a for a in arguments]
        with Engine(*arguments[1:]) as engine:
            becomes_well(engine)
        return
    if ">" in arguments:
        arguments = arguments[:arguments.index(">")]
    if "--output" in arguments:
        output = arguments.index("--output") + 1
        # Pages use the same names, and no example replaces a file.
        arguments[output] = f"{len(list(files.iterdir()))}-{arguments[0]}-{arguments[output].split('/')[-1]}"
    run(*arguments, cwd=files)


@pytest.mark.parametrize(
    "page", [page for page in PAGES if "client.send_message" in "".join(blocks(page, "python"))], ids=lambda page: page.name)
def test_messages_are_understood(page, files):
    with Engine("--recording", files / "scene.wav", "--sounds", files, "--sessions", files, "--no-recover", "--objects", 2) as engine:
        client = engine.osc()
        lines = [line.strip() for body in blocks(page, "python") for line in body.splitlines()]
        messages = [line.split(" #")[0] for line in lines if line.startswith("client.send_message")]
        assert messages
        for number, line in enumerate(messages):
            eval(line, {"client": client})
            # The reply shows that the message has been applied; the next one may depend on it.
            client.send_message("/listener/1/gain", -1.0 - number)
            until(lambda: engine.value("/listener/1/gain") == -1 - number)
        assert engine.value("/engine/unknown") == 0, engine.log


def test_a_program_joins_and_turns_its_head(scene):
    """The example of docs/listeners.md, at the ports of this test."""
    program = next(body for body in blocks(ROOT / "docs/listeners.md", "python") if "websockets" in body)
    with Engine("--recording", scene, "--method", "nearest") as engine:
        program = program.replace("9000", str(engine.ready["osc_port"])).replace("8080", str(engine.ready["http_port"]))
        result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
        assert result.returncode == 0, result.stderr
        assert re.match(r"listener 2 token [0-9a-f]{32}$", result.stdout.splitlines()[0])
        found = re.findall(r"^yaw +(-?\d+): left (\d\.\d+), right (\d\.\d+)$", result.stdout, re.MULTILINE)
        assert len(found) == 6 and float(found[0][0]) > 70 and float(found[-1][0]) < -80
        assert all(float(left) > 0.001 and float(right) > 0.001 for _, left, right in found)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_source_files_exist(page):
    """Finds files that a page names by path or by name alone."""
    folders = [ROOT / name for name in ("Sources", "Tests", "benchmarks", "web")]
    files = [path.relative_to(ROOT).as_posix() for folder in folders for path in folder.rglob("*.*")]
    for word in words(page):
        if re.fullmatch(r"[\w/+-]+\.(swift|js|py|c)", word) and not (page.parent / word).exists():
            assert any(f"/{file}".endswith(f"/{word}") for file in files), f"{page.name}: there is no {word}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_code_that_names_its_file_is_from_there(page):
    """Code after "From `X.swift`:"; "…" stands for anything."""
    plain = lambda words: re.sub(r"\s+", " ", words).strip()
    for name, body in re.findall(r"From `([\w+.]+)`:\n\n```\w+\n(.*?)```", text(page), re.DOTALL):
        sources = [plain(path.read_text()) for folder in ("Sources", "web") for path in (ROOT / folder).rglob(name)]
        assert sources, f"{page.name}: there is no {name}"
        for part in filter(None, map(plain, re.split(r"\s*…\s*", body))):
            assert any(part in source for source in sources), f"{page.name}: not in {name}: {part}"


def test_every_module_is_described():
    modules = re.findall(r"^ +stage\(\s*\"(\w+)/(\w+)\"", text(ROOT / "Package.swift"), re.MULTILINE)
    assert len(modules) > 15
    picture = text(ROOT / "docs/pictures/modules.svg")
    wings, wing = {}, None
    for name, module in re.findall(r"^\| (\w*)/? *\| (\w+) \| [^|]+ \|$", text(ROOT / "CONTRIBUTING.md"), re.MULTILINE):
        wing = name or wing
        wings[module] = wing
    for wing, module in modules:
        assert f">{module}<" in picture, f"docs/pictures/modules.svg has no {module}"
        assert wings.get(module) == wing, f"CONTRIBUTING.md does not have {module} in {wing}/"
