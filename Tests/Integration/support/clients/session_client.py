"""Commands to an engine over OSC, and the values and notices that follow."""

from waiting import until


def tell(engine, address, *arguments):
    engine.osc().send_message(address, list(arguments))


def said(engine, words):
    return until(lambda: words in (text := engine.value("/engine/notice")) and text, describe=lambda: engine.value("/engine/notice"))


def becomes(engine, address, value):
    until(lambda: engine.value(address) == value, lambda: f"{address} is {engine.value(address)}")
