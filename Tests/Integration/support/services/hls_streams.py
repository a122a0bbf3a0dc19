"""An engine with HLS streams, and requests to them."""

import urllib.error
import urllib.request

from hls import Playlist
from program import Engine
from waiting import until

FOREVER = "public, max-age=31536000, immutable"


class Streams(Engine):
    """An engine that needs tokens; `key` is the one that its addresses of streams carry."""

    def ask(self, path, token=True, **headers):
        """Status, headers and body of a request."""
        if token:
            headers["Authorization"] = f"Bearer {self.tokens['view']}"
        request = urllib.request.Request(self.url + path, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return response.status, response.headers, response.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()

    def playlist(self, name="opus", listener=1, query=""):
        # A stream that has no sound for some seconds, as on a machine that stalls, has no playlist meanwhile.
        status, headers, body = until(
            lambda: (answer := self.ask(f"/hls/listener/{listener}/{name}.m3u8{query}"))[0] != 503 and answer)
        assert status == 200, body
        assert headers["Content-Type"] == "application/vnd.apple.mpegurl"
        return Playlist(body.decode())

    def after(self, playlist, name="opus"):
        """The playlist when it has another part."""
        segment, part = playlist.next
        return self.playlist(name, query=f"?_HLS_msn={segment}&_HLS_part={part}")

    def metric(self, name):
        return float(next(line.split()[1] for line in self.ask("/metrics")[2].decode().splitlines() if line.startswith(f"{name} ")))

    def file(self, uri, listener=1):
        status, headers, body = self.ask(f"/hls/listener/{listener}/{uri}")
        assert status == 200 and headers["Content-Type"] == "audio/mp4"
        assert headers.get_all("Cache-Control") == [FOREVER]
        return body
