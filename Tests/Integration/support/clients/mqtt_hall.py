"""An engine at an MQTT broker by the name of hall, and the topics of its values."""

from program import Engine

STATE, SET = "vestibule/hall/state", "vestibule/hall/set"


def engine_at(port, scene, *options, scheme="mqtt", user="", host="127.0.0.1", env=None, **more):
    return Engine(
        "--recording", scene, "--mqtt", f"{scheme}://{user}{host}:{port}", "--mqtt-name", "hall", *options, env=env, **more)
