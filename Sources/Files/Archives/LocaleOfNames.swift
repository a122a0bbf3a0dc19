internal import Glibc

/// Gives the calling thread a UTF-8 locale as long as this object exists: libarchive converts names by the locale, and a program that was
/// started without one has only ASCII.
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
