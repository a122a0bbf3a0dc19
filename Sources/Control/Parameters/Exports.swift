// Reading parameters needs their specifications.
@_exported public import Specification
