/// An error in a hand-written description, with the reason in words.
public protocol DescriptionError: Error {
    init(_ description: String)
}
