"""Requirements for every node of the namespace."""

KNOWN_TAGS = "ifsbhtdScrmTFNI[]"
CLIP_MODES = {"none", "low", "high", "both"}
#: Attributes with one element for each value.
PER_VALUE = ("VALUE", "RANGE", "UNIT", "CLIPMODE", "EXTENDED_TYPE")
ATTRIBUTES = (
    "FULL_PATH", "CONTENTS", "TYPE", "ACCESS", "VALUE", "RANGE", "DESCRIPTION", "TAGS", "EXTENDED_TYPE", "UNIT",
    "CRITICAL", "CLIPMODE", "OVERLOADS")


def walk(node, path="/"):
    """Yields every node below, with the path that follows from its position in the tree."""
    yield path, node
    contents = node.get("CONTENTS") if isinstance(node, dict) else None
    if isinstance(contents, dict):
        for name, child in contents.items():
            yield from walk(child, ("" if path == "/" else path) + "/" + name)


def shape(type_tags):
    """Returns the type tags as nested lists: "f[ii]" is ["f", ["i", "i"]]; None if brackets do not match."""
    stack = [[]]
    for tag in type_tags:
        if tag == "[":
            stack.append([])
        elif tag == "]":
            if len(stack) == 1:
                return None
            inner = stack.pop()
            stack[-1].append(inner)
        else:
            stack[-1].append(tag)
    return stack[0] if len(stack) == 1 else None


def fits(value, tag):
    """Returns whether a JSON value can represent an OSC value of this type."""
    if isinstance(tag, list):
        return isinstance(value, list) and len(value) == len(tag) and all(map(fits, value, tag))
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if tag in "ih":
        return number and float(value).is_integer()
    if tag in "fdt":
        return number or value is None
    if tag in "sSc":
        return isinstance(value, str)
    if tag in "TF":
        return isinstance(value, bool)
    if tag == "r":
        return isinstance(value, str) and len(value) == 9 and value.startswith("#")
    return value is None


def node_problems(path, node):
    """Yields (requirement, location and detail) for every problem of a node."""
    if not isinstance(node, dict):
        yield "a node is a JSON object", path
        return
    if node.get("FULL_PATH") != path:
        yield "FULL_PATH is the path to the node", f"{path}: {node.get('FULL_PATH')!r}"
    for name in ("HOST_INFO", "HTML"):
        if name in node:
            yield "HOST_INFO and HTML are returned only on request", f"{path}: {name}"
    if "CONTENTS" in node and not isinstance(node["CONTENTS"], dict):
        yield "CONTENTS is an object of nodes", path
    if "DESCRIPTION" in node and not isinstance(node["DESCRIPTION"], str):
        yield "DESCRIPTION is a string", path
    if "CRITICAL" in node and not isinstance(node["CRITICAL"], bool):
        yield "CRITICAL is true or false", path
    if "TAGS" in node and not texts(node["TAGS"]):
        yield "TAGS is an array of strings", path
    access = node.get("ACCESS", 0 if "CONTENTS" in node else None)
    if access is not None and access not in (0, 1, 2, 3):
        yield "ACCESS is 0, 1, 2 or 3", f"{path}: {access!r}"
    if "VALUE" in node and isinstance(access, int) and not access & 1:
        yield "a node that cannot be read has no VALUE", path
    overloads = node.get("OVERLOADS", [])
    if not isinstance(overloads, list) or not all(isinstance(o, dict) and "TYPE" in o for o in overloads):
        yield "OVERLOADS is an array of objects with a TYPE", path
    if "TYPE" not in node:
        if "CONTENTS" not in node:
            yield "a node is a container or has a TYPE", path
        return
    yield from typed_problems(path, node)


def typed_problems(path, node):
    tags = node["TYPE"]
    if not isinstance(tags, str) or any(tag not in KNOWN_TAGS for tag in tags) or shape(tags) is None:
        yield "TYPE is a string of OSC type tags", f"{path}: {tags!r}"
        return
    expected = shape(tags)
    for name in PER_VALUE:
        if name not in node:
            continue
        given = node[name]
        # The proposal allows one scalar when all values are equal.
        if not isinstance(given, list):
            if name in ("VALUE", "RANGE") or len(expected) > 1 and isinstance(given, list):
                yield f"{name} is an array", f"{path}: {given!r}"
        elif len(given) != len(expected) and not (expected == ["N"] or expected == ["I"]):
            yield f"{name} has one element for each type tag", f"{path}: {len(given)} for {tags!r}"
    values = node.get("VALUE")
    if isinstance(values, list) and len(values) == len(expected):
        for value, tag in zip(values, expected):
            if not fits(value, tag):
                yield "each VALUE fits its type tag", f"{path}: {value!r} for {tag!r}"
    yield from range_problems(path, node, values)
    modes = node.get("CLIPMODE", [])
    for mode in modes if isinstance(modes, list) else [modes]:
        if mode is not None and mode not in CLIP_MODES:
            yield "CLIPMODE is none, low, high or both", f"{path}: {mode!r}"
    for name in ("UNIT", "EXTENDED_TYPE"):
        if name in node and isinstance(node[name], list) and not all(t is None or isinstance(t, str) for t in node[name]):
            yield f"{name} holds strings", path


def range_problems(path, node, values):
    ranges = node.get("RANGE")
    if not isinstance(ranges, list):
        return
    for index, entry in enumerate(ranges):
        if entry is None or isinstance(entry, list):
            continue
        if not isinstance(entry, dict) or not set(entry) <= {"MIN", "MAX", "VALS"}:
            yield "RANGE holds objects of MIN, MAX and VALS, or null", f"{path}: {entry!r}"
            continue
        low, high, choices = entry.get("MIN"), entry.get("MAX"), entry.get("VALS")
        if low is not None and high is not None and low > high:
            yield "MIN is not above MAX", f"{path}: {entry!r}"
        if choices is not None and not isinstance(choices, list):
            yield "VALS is an array", f"{path}: {choices!r}"
            continue
        value = values[index] if isinstance(values, list) and index < len(values) else None
        if value is None or isinstance(value, (list, str, bool)) and choices is None:
            continue
        if choices is not None and value not in choices:
            yield "VALUE is one of VALS", f"{path}: {value!r}"
        # The same float may be printed with fewer digits in one place.
        slack = 1e-5 * max(1, abs(value)) if choices is None else 0
        if choices is None and (low is not None and value < low - slack or high is not None and value > high + slack):
            yield "VALUE lies in RANGE", f"{path}: {value!r} in {entry!r}"


def texts(value):
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
