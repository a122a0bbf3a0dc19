"""The server under test, over plain HTTP."""

import http.client
import json
import urllib.parse
from dataclasses import dataclass


@dataclass
class Answer:
    status: int
    content_type: str
    body: bytes

    @property
    def json(self):
        """The decoded body; None if it is not JSON."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None


class Server:
    def __init__(self, host, port, token=None, timeout=60.0):
        self.host = host
        self.port = port
        self.timeout = timeout
        self.headers = {"Accept": "application/json"}
        if token:
            self.headers["Authorization"] = f"Bearer {token}"

    def get(self, path, query=None, accept=None):
        """Sends GET for an OSC path. Raises OSError if the server does not answer."""
        target = urllib.parse.quote(path) + (f"?{query}" if query is not None else "")
        return self.get_target(target, accept)

    def get_target(self, target, accept=None):
        connection = http.client.HTTPConnection(self.host, self.port, timeout=self.timeout)
        headers = dict(self.headers, **({"Accept": accept} if accept else {}))
        try:
            connection.request("GET", target, headers=headers)
            response = connection.getresponse()
            body = response.read()
            kind = response.getheader("Content-Type", "").split(";")[0].strip().lower()
            return Answer(response.status, kind, body)
        except http.client.HTTPException as error:
            raise OSError(f"not HTTP: {error}") from error
        finally:
            connection.close()
