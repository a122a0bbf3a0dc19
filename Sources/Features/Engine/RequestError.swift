/// A client's request that cannot be done, with the reason for a person to read.
package struct RequestError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
