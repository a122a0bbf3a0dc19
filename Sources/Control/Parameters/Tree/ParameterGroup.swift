/// A family of parameters: one enum, one case per parameter.
///
/// The case name, in lower case with hyphens, is the OSC leaf, the JSON key and the session key.
/// The raw value is the offset from the index of the group's first parameter. The compiler refuses a case
/// that `spec` does not describe, so a parameter costs two lines: its case and its declaration.
public protocol ParameterGroup: RawRepresentable<Int>, CaseIterable, Sendable {
    /// Address of the container; `{n}` stands for the instance number, counted from 1.
    static var container: String { get }
    /// Description of the container, for OSCQuery.
    static var summary: String { get }
    /// Page of a panel that shows the group; nil for a group that is shown as part of another.
    static var topic: Topic? { get }
    /// The parameters that displays show first, in this order: those that people use most. The others follow by their kinds.
    static var order: [Self] { get }
    /// Former names of parameters, which messages and session files may still use.
    static var aliases: [(name: String, parameter: Self)] { get }
    var spec: ParameterSpec { get }
    /// Address of the container of one instance, counted from 0.
    static func container(_ instance: Int) -> String
}

extension ParameterGroup {
    public static var topic: Topic? { nil }
    public static var order: [Self] { [] }
    public static var aliases: [(name: String, parameter: Self)] { [] }

    public var leaf: String {
        "\(self)".reduce(into: "") { leaf, letter in
            leaf += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
        }
    }

    public static func container(_ instance: Int) -> String {
        guard let place = container.range(of: "{n}") else { return container }
        return container.replacingCharacters(in: place, with: "\(instance + 1)")
    }

    public func address(_ instance: Int = 0) -> String { Self.container(instance) + "/" + leaf }
}

extension String {
    fileprivate func range(of part: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(part) { return start..<index(start, offsetBy: part.count) }
            start = index(after: start)
        }
        return nil
    }

    fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
        String(self[..<range.lowerBound]) + text + self[range.upperBound...]
    }
}

/// Subject of a group of parameters: groups of one topic belong together, on one page of a panel.
public enum Topic: String, Sendable, CaseIterable {
    case head, effects, trackers, array, session, engine, objects, library

    /// The tag in OSCQuery's TAGS.
    public var tag: String { "topic.\(rawValue)" }
}

/// The specification of a parameter, shared by all instances of its group: a tree may have a thousand listeners.
final class SharedSpec: Sendable {
    let spec: ParameterSpec

    init(_ spec: ParameterSpec) { self.spec = spec }
}
