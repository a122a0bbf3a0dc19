internal import Glibc

/// Names in UTF-8 for the calling thread as long as this object exists: libarchive converts names by the locale, in which others than
/// ASCII are missing where the program was started without one.
final class LocaleOfNames {
    private let own: locale_t?
    private let former: locale_t?

    init() {
        own = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)
        former = own.flatMap { uselocale($0) }
    }

    deinit {
        guard let own else { return }
        uselocale(former)
        freelocale(own)
    }
}
