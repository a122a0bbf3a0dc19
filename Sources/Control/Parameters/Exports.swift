// Users of parameters need their specifications as well.
@_exported public import Specification
