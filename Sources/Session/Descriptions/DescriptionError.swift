/// An error about a description that people write, with the reason for them to read.
public protocol DescriptionError: Error {
    init(_ description: String)
}
