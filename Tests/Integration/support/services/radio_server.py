"""A radio station and other addresses that a music player may be given."""

import base64
import ctypes
import ctypes.util
import http.server
import pathlib
import ssl
import subprocess
import threading

import numpy

# Container and coding of libsndfile.
FORMATS = {
    "wav": 0x010000 | 0x0002, "flac": 0x170000 | 0x0002, "ogg": 0x200000 | 0x0060, "opus": 0x200000 | 0x0064, "mp3": 0x230000 | 0x0082}
KINDS = {"wav": "audio/x-wav", "flac": "audio/flac", "ogg": "application/ogg", "opus": "audio/ogg", "mp3": "audio/mpeg", "aac": "audio/aac"}


class Info(ctypes.Structure):
    _fields_ = [("frames", ctypes.c_int64)] + [
        (name, ctypes.c_int) for name in ("samplerate", "channels", "format", "sections", "seekable")]


def write(path, samples, rate, title=None, artist=None):
    """Writes frames by channels in the format of the file's ending, with tags."""
    library = ctypes.CDLL(ctypes.util.find_library("sndfile") or "libsndfile.so.1")
    library.sf_open.restype = ctypes.c_void_p
    library.sf_open.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.POINTER(Info)]
    library.sf_writef_float.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]
    library.sf_close.argtypes = [ctypes.c_void_p]
    samples = numpy.ascontiguousarray(samples, dtype="<f4")
    info = Info(0, rate, samples.shape[1], FORMATS[path.suffix[1:]], 0, 0)
    file = library.sf_open(str(path).encode(), 0x20, ctypes.byref(info))
    assert file, path
    library.sf_set_string.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p]
    for number, text in ((1, title), (4, artist)):
        assert text is None or library.sf_set_string(file, number, text.encode()) == 0
    assert library.sf_writef_float(file, samples.ctypes.data, len(samples)) == len(samples)
    library.sf_close(file)


def write_aac(path, samples, rate):
    """Writes frames of two channels as ADTS, encoded by libavcodec."""
    program = path.with_name("aac")
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "libavcodec", "libavutil"], check=True, capture_output=True, text=True)
    subprocess.run(["cc", pathlib.Path(__file__).parent / "aac.c", "-o", program, *flags.stdout.split()], check=True)
    with open(path, "wb") as file:
        subprocess.run([program, str(rate)], input=numpy.ascontiguousarray(samples, dtype="<f4").tobytes(), stdout=file, check=True)
    program.unlink()


def certificate(folder, name, *more):
    """Makes an authority, and a certificate for a name (`DNS:localhost`) by it; returns the authority's file and the server's."""
    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)

    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "authority.key", "-out", "authority.pem", "-days", "2",
            "-subj", "/CN=Authority", "-addext", "basicConstraints=critical,CA:TRUE")
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", "station.key", "-out", "station.csr", "-subj", "/CN=station")
    (folder / "names").write_text(f"subjectAltName={name}\n")
    openssl("x509", "-req", "-in", "station.csr", "-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial",
            "-out", "station.crt", "-days", "2", "-extfile", "names", *more)
    (folder / "station.pem").write_text((folder / "station.crt").read_text() + (folder / "station.key").read_text())
    return folder / "authority.pem", folder / "station.pem"


class RadioServer:
    """Serves the files of a folder, and addresses that go wrong; `connections` counts the requests.

    `/live/NAME` sends a file without its length and ends the connection with it; `/stall/NAME` sends two fifths of the file, and
    the rest when `released` is set; `/titled/NAME` announces `title`, in bytes. `/closed/NAME` wants the login `user:p@ss`, and
    `/elsewhere/PORT/NAME` refers to another station. `logins` has what came in place of one.
    """

    def __init__(self, folder, port=0, certificate=None):
        self.folder = folder
        self.released = threading.Event()
        self.connections = 0
        self.title = b"StreamTitle='Rain - Slow Song';"
        self.logins = []
        station = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                station.connections += 1
                station.logins.append(self.headers["Authorization"])
                try:
                    station.answer(self)
                except (BrokenPipeError, ConnectionResetError):
                    pass

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            allow_reuse_address = True

            def handle_error(self, *_):
                """A client that refuses the certificate hangs up, which is what is tested."""

        self.server = Server(("127.0.0.1", port), Handler)
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
            self.url = f"https://localhost:{self.port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, request):
        parts = request.path.strip("/").split("/")
        if parts[0] in ("page", "lie"):
            kind = "text/html; charset=utf-8" if parts[0] == "page" else "audio/mpeg"
            return self.send(request, kind, b"<!DOCTYPE html><html><body>Not a station at all.</body></html>" * 40, True)
        if parts[0] == "playlist":
            return self.send(request, "audio/x-scpls", b"[playlist]\nFile1=http://127.0.0.1/\n", True)
        if parts[0] in ("moved", "round", "away"):
            target = {"moved": f"/{parts[-1]}", "round": "/round", "away": "file:///etc/hostname"}[parts[0]]
            request.send_response(302)
            request.send_header("Location", target)
            request.end_headers()
            return None
        if parts[0] == "elsewhere":
            request.send_response(302)
            request.send_header("Location", f"http://127.0.0.1:{parts[1]}/{'/'.join(parts[2:])}")
            request.end_headers()
            return None
        if parts[0] == "closed" and request.headers["Authorization"] != "Basic " + base64.b64encode(b"user:p@ss").decode():
            request.send_response(401)
            request.send_header("WWW-Authenticate", 'Basic realm="station"')
            request.end_headers()
            return None
        if parts[0] == "titled":
            return self.send_titled(request, (self.folder / parts[-1]).read_bytes())
        path = self.folder / parts[-1]
        if not path.is_file():
            return request.send_error(404)
        return self.send(request, KINDS[path.suffix[1:]], path.read_bytes(), parts[0] not in ("live", "stall"), parts[0] == "stall")

    def send(self, request, kind, data, has_length, stalls=False):
        request.send_response(200)
        request.send_header("Content-Type", kind)
        if has_length:
            request.send_header("Content-Length", str(len(data)))
        request.end_headers()
        first = 2 * len(data) // 5 if stalls else len(data)
        request.wfile.write(data[:first])
        request.wfile.flush()
        if stalls and self.released.wait(60):
            request.wfile.write(data[first:])

    def send_titled(self, request, data, interval=8192):
        """Sends titles in between, as SHOUTcast and Icecast do when they are asked to."""
        assert request.headers["Icy-MetaData"] == "1"
        request.send_response(200)
        for name, value in (("Content-Type", "audio/mpeg"), ("icy-name", "Night FM"), ("icy-metaint", str(interval))):
            request.send_header(name, value)
        request.end_headers()
        title = bytes([(len(self.title) + 15) // 16]) + self.title.ljust((len(self.title) + 15) // 16 * 16, b"\0")
        for at in range(0, len(data), interval):
            request.wfile.write(data[at:at + interval] + (title if at == 0 else b"\0"))

    def stop(self):
        """Refuses further connections, as a station that is down."""
        self.server.shutdown()
        self.server.server_close()
