/// An option of the start that cannot be used, with the reason for a person to read.
package struct StartError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
