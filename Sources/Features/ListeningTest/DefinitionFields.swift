import Session

/// The members of an object in a definition of a listening test.
typealias DefinitionFields = DescriptionFields<TestError>
