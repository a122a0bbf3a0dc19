"""An engine with data of its own that asks for tokens, and requests to its media library."""

import base64
import http.client
import json
import os
import urllib.error
import urllib.request

from program import Engine
from waiting import until

UPLOADS = "/library/uploads"


class Running(Engine):
    """An engine with its own data that asks for tokens."""

    def __init__(self, data, tmp_path, *options, **more):
        environment = dict(os.environ, XDG_DATA_HOME=str(data.parent), XDG_CACHE_HOME=str(tmp_path / "cache"))
        super().__init__("--token-file", tmp_path / "tokens", *options, env=environment, **more)
        self.tokens = dict(line.split() for line in (tmp_path / "tokens").read_text().splitlines())

    def get(self, path, role="control", **headers):
        """Status, headers and body. The list of files is waited for while the folders are being read."""
        headers = {**headers, "Authorization": f"Bearer {self.tokens[role]}"} if role else headers

        def answered():
            try:
                with urllib.request.urlopen(urllib.request.Request(self.url + path, headers=headers), timeout=60) as answer:
                    return answer.status, answer.headers, answer.read()
            except urllib.error.HTTPError as error:
                if path != "/library" or error.code != 503:
                    raise
                return None

        return until(answered)

    def now(self, address):
        return json.loads(self.get(f"{address}?VALUE")[2])["VALUE"][0]

    def files(self):
        """The list by place and name."""
        listed = json.loads(self.get("/library", Accept="application/json")[2])
        return {f"{each['place']}/{each['name']}": each for each in listed["files"]}

    def measured(self):
        """The list, once every sound in it is measured or refused."""
        def look():
            files = self.files()
            sounds = [each for name, each in files.items() if name.endswith(".wav")]
            return files if all("sound" in each or "problem" in each for each in sounds) else None
        return until(look)

    def ask(self, method, path, body=None, role="control", **headers):
        """Status, headers and text of one request of the tus protocol."""
        connection = http.client.HTTPConnection("127.0.0.1", self.ready["http_port"], timeout=60)
        if role:
            headers["Authorization"] = f"Bearer {self.tokens[role]}"
        names = {name.replace("_", "-"): value for name, value in {"Tus_Resumable": "1.0.0", **headers}.items() if value is not None}
        connection.request(method, path, body, names)
        answer = connection.getresponse()
        with answer:
            return answer.status, answer.headers, answer.read().decode()

    def begin(self, name, length, kind="sounds", **more):
        metadata = {"kind": kind, "filename": name, **more}
        text = ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in metadata.items())
        return self.ask("POST", UPLOADS, Upload_Length=str(length), Upload_Metadata=text)

    def part(self, address, offset, body, **more):
        return self.ask("PATCH", address, body, Content_Type="application/offset+octet-stream", Upload_Offset=str(offset), **more)
