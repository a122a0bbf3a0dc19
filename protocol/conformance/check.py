#!/usr/bin/env python3
"""Checks an OSCQuery server against the proposal (Vidvox, third revision).

    python3 check.py HOST:PORT [--write] [--edit ADDRESS[=VALUE] …] [--token TOKEN]

Prints a line for each requirement. Exit status: 0 all passed, 1 something failed, 2 the server does not answer.
Changes nothing on the server unless --write or --edit is given; --write changes one value and restores it.
Standard library only.
"""

import argparse
import sys

import edit_checks
import http_checks
import tree
import web_socket_checks
from report import Report
from server import Server


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Checks an OSCQuery server.")
    parser.add_argument("address", help="HOST:PORT of the server's HTTP port")
    parser.add_argument("--write", action="store_true", help="change one value over WebSocket and UDP, and restore it")
    parser.add_argument(
        "--edit", action="append", default=[], metavar="ADDRESS[=VALUE]",
        help="send this message, and check that changes of the tree are announced; repeatable")
    parser.add_argument("--token", help="token, sent as Authorization: Bearer")
    parser.add_argument("--nodes", type=int, default=200, help="largest number of nodes to query one by one (default 200)")
    options = parser.parse_args(arguments)
    host, _, port = options.address.rpartition(":")
    if not host or not port.isdigit():
        parser.error(f"{options.address} is not HOST:PORT")
    server = Server(host.strip("[]"), int(port), options.token)
    report = Report()
    print(f"OSCQuery at {options.address}")
    try:
        info = http_checks.host_info(server, report)
        root = http_checks.root(server, report)
        if root is not None:
            check_tree(root, report)
            http_checks.attributes(server, report, root, info, options.nodes)
            web_socket_checks.run(server, report, root, info, options.token, options.write)
            edit_checks.run(server, report, info, options.token, options.edit)
    except OSError as error:
        print(f"\nno answer from {options.address}: {error}")
        return 2
    return report.summary()


def check_tree(root, report):
    report.section("The tree")
    found = {}
    nodes = list(tree.walk(root))
    for path, node in nodes:
        for requirement, where in tree.node_problems(path, node):
            found.setdefault(requirement, []).append(where)
    for requirement, problems in sorted(found.items()):
        report.check(requirement, problems)
    if not found:
        report.check(f"all {len(nodes)} nodes are described as the proposal requires", True)
    methods = [(path, node) for path, node in nodes if "TYPE" in node]
    report.advise("a method has an ACCESS", [path for path, node in methods if "ACCESS" not in node])
    report.advise("a node has a DESCRIPTION", [path for path, node in nodes if not node.get("DESCRIPTION")])


if __name__ == "__main__":
    sys.exit(main())
