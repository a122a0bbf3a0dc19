"""Checks of HOST_INFO, the root, single attributes and the status codes."""

import tree

TRANSPORTS = {"UDP", "TCP"}


def host_info(server, report):
    """Checks HOST_INFO and returns it; an empty dictionary if there is none."""
    report.section("HOST_INFO")
    answer = server.get("/", "HOST_INFO")
    info = answer.json
    if not report.check("GET /?HOST_INFO is answered with a JSON object", answer.status == 200 and isinstance(info, dict)):
        return {}
    report.check("its Content-Type is application/json", answer.content_type == "application/json")
    report.check("NAME is a string", isinstance(info.get("NAME"), str))
    extensions = info.get("EXTENSIONS")
    report.check(
        "EXTENSIONS is an object of booleans",
        isinstance(extensions, dict) and all(isinstance(value, bool) for value in extensions.values()))
    report.check("OSC_TRANSPORT is UDP or TCP", info.get("OSC_TRANSPORT", "UDP") in TRANSPORTS)
    for name in ("OSC_PORT", "WS_PORT"):
        if name in info:
            report.check(f"{name} is a port", isinstance(info[name], int) and 0 < info[name] < 65536)
    for name in ("OSC_IP", "WS_IP"):
        if name in info:
            report.check(f"{name} is a reachable address", info[name] not in ("0.0.0.0", "::", ""))
    return info


def root(server, report):
    """Checks the root node and returns the whole tree; None if there is none."""
    report.section("The root")
    answer = server.get("/")
    node = answer.json
    if not report.check("GET / is answered with a JSON object", answer.status == 200 and isinstance(node, dict)):
        return None
    report.check("its Content-Type is application/json", answer.content_type == "application/json")
    report.check("FULL_PATH is /", node.get("FULL_PATH") == "/")
    report.check("it has CONTENTS", isinstance(node.get("CONTENTS"), dict))
    return node


def attributes(server, report, root_node, info, most):
    report.section("Queries")
    nodes = list(tree.walk(root_node))[:most]
    extensions = info.get("EXTENSIONS", {})
    optional = {name for name in tree.ATTRIBUTES if extensions.get(name)}
    asked = [name for name in tree.ATTRIBUTES if name in optional | {"FULL_PATH", "CONTENTS", "TYPE"}]
    whole, single, missing, kinds = [], [], [], []
    for path, node in nodes:
        answer = server.get(path)
        if answer.status != 200 or (answer.json or {}).get("FULL_PATH") != path:
            whole.append(f"{path}: {answer.status}")
        for name in asked:
            answer = server.get(path, name)
            if name in node:
                body = answer.json
                if answer.status != 200 or not isinstance(body, dict) or list(body) != [name]:
                    single.append(f"{path}?{name}: {answer.status} {answer.body[:60]!r}")
                elif name not in ("VALUE", "CONTENTS") and body[name] != node[name]:
                    single.append(f"{path}?{name}: differs from the tree")
                elif answer.content_type != "application/json":
                    kinds.append(f"{path}?{name}: {answer.content_type}")
            elif answer.status != 204 or answer.body:
                missing.append(f"{path}?{name}: {answer.status}")
    report.check(f"every node can be queried by its path ({len(nodes)} queried)", whole)
    report.check("a query for an attribute returns it alone, as {\"NAME\": …}, with the value in the tree", single)
    report.check("its Content-Type is application/json", kinds)
    report.check("204 without a body if a node does not have the attribute", missing)
    statuses(server, report, nodes, extensions)


def statuses(server, report, nodes, extensions):
    paths = [path for path, _ in nodes]
    report.check(
        "400 for an attribute that does not exist",
        [f"{path}: {status}" for path in paths[:5] if (status := server.get(path, "NO_SUCH_ATTRIBUTE").status) != 400])
    report.check("404 for a path that does not exist", server.get("/no/such/node/anywhere").status == 404)
    report.check("404 for an attribute of a path that does not exist", server.get("/no/such/node", "TYPE").status == 404)
    unreadable = [path for path, node in nodes if node.get("ACCESS", 0) & 1 == 0]
    report.check(
        "204 for the VALUE of containers and of write-only nodes",
        [f"{path}: {status}" for path in unreadable[:20] if (status := server.get(path, "VALUE").status) != 204])
    leaf = next((path for path in paths if path != "/"), None)
    if leaf:
        encoded = "/" + "".join(f"%{byte:02x}" if byte != 47 else "/" for byte in leaf[1:].encode())
        report.check("percent-encoded paths are decoded", server.get_target(encoded).status == 200)
    for name in ("HTML", "OVERLOADS", "CRITICAL"):
        if not extensions.get(name):
            report.skip(f"?{name}", "EXTENSIONS does not offer it")
    if extensions.get("HTML"):
        answers = [(path, server.get(path, "HTML")) for path in paths[:5]]
        report.check(
            "?HTML is a page",
            [path for path, answer in answers if answer.status == 200 and answer.content_type != "text/html"
             or answer.status not in (200, 204)])
