internal import Foundation
internal import Parameters

/// OSCQuery's `?HTML`: one node of the namespace as a page that needs no script.
enum NodePage {
    static func response(_ node: OSCQueryNode) -> Response {
        Response(
            status: 200, headers: [("content-type:", "text/html; charset=utf-8")], body: .bytes(Array(page(node).utf8)))
    }

    private static func page(_ node: OSCQueryNode) -> String {
        let path = escape(node.FULL_PATH)
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>\(path)</title>
            <style>body{font:1rem/1.5 system-ui,sans-serif;margin:2rem;max-width:60rem}
            td,th{text-align:left;vertical-align:top;padding:.1rem 1rem .1rem 0}</style></head>
            <body><h1>\(path)</h1><p>\(escape(node.DESCRIPTION))</p>
            <p>\(up(node.FULL_PATH))<a href="/">Panel</a></p>
            <table>\(attributes(node))</table>\(contents(node))</body></html>

            """
    }

    private static func up(_ path: String) -> String {
        guard path != "/", let slash = path.lastIndex(of: "/") else { return "" }
        let parent = slash == path.startIndex ? "/" : String(path[..<slash])
        return "<a href=\"\(escape(parent))?HTML\">Up</a> "
    }

    /// What a client gets as JSON, one line for each attribute.
    private static func attributes(_ node: OSCQueryNode) -> String {
        var bare = node
        bare.CONTENTS = nil
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        guard let data = try? encoder.encode(bare),
            let all = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        else { return "" }
        return all.sorted { $0.key < $1.key }.map { name, value in
            let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes]
            let text = (try? JSONSerialization.data(withJSONObject: value, options: options)) ?? Data()
            return "<tr><th>\(escape(name))</th><td><code>\(escape(String(decoding: text, as: UTF8.self)))</code></td></tr>"
        }.joined(separator: "\n")
    }

    private static func contents(_ node: OSCQueryNode) -> String {
        guard let contents = node.CONTENTS else { return "" }
        let lines = contents.sorted { $0.key < $1.key }.map { name, child in
            "<li><a href=\"\(escape(child.FULL_PATH))?HTML\">\(escape(name))</a> \(escape(child.DESCRIPTION))</li>"
        }
        return "<ul>\(lines.joined(separator: "\n"))</ul>"
    }

    private static func escape(_ text: String) -> String {
        text.reduce(into: "") { escaped, letter in
            switch letter {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.append(letter)
            }
        }
    }
}
