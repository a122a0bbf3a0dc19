public import Foundation

/// The two forms in which the program writes JSON. Both have sorted keys, so that equal values are equal bytes.
extension JSONEncoder {
    /// In one line, for clients.
    public static var wire: JSONEncoder { form([]) }

    /// In lines, for files and texts that people read.
    public static var file: JSONEncoder { form(.prettyPrinted) }

    private static func form(_ further: OutputFormatting) -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, further]
        return encoder
    }
}
