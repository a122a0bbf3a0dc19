internal import CSofa
internal import Glibc

/// Attributes and variables of a SOFA file as they are in it.
struct SofaTables: Sendable {
    /// A table of numbers.
    struct Variable: Sendable {
        /// Size of each dimension; `values` are in row-major order.
        var sizes: [Int] = []
        /// Kind of coordinates, and units, in lower case; empty if the file does not say.
        var type = ""
        var units = ""
        var values: [Float] = []
        /// The reason why `values` could not be read.
        var refusal: SofaRefusal?

        /// The sizes without trailing ones beyond a number of dimensions.
        func sizes(atLeast rank: Int) -> [Int] {
            var sizes = sizes
            while sizes.count > rank, sizes.last == 1 { sizes.removeLast() }
            return sizes
        }

        /// The sizes as text.
        var extent: String { sizes.isEmpty ? "one value" : sizes.map(String.init).joined(separator: " x ") }
    }

    /// The attributes Conventions, SOFAConventions, DataType and RoomType; empty if missing.
    var conventions = ""
    var convention = ""
    var dataType = ""
    var roomType = ""
    var variables: [String: Variable] = [:]

    /// A variable, nil if there is none.
    /// - Throws: ``SofaRefusal`` if its values could not be read.
    func variable(_ name: String) throws(SofaRefusal) -> Variable? {
        guard let variable = variables[name] else { return nil }
        if let refusal = variable.refusal { throw refusal }
        return variable
    }

    /// A variable that must exist.
    func required(_ name: String) throws(SofaRefusal) -> Variable {
        if let variable = try variable(name) { return variable }
        throw .unusable("its variable \(name) is missing (DataType is \"\(dataType)\")")
    }
}

extension SofaTables {
    /// Reads the bytes of a file with libhdf5, in a process of its own.
    /// - Parameter seconds: longest time that this may take.
    init(_ bytes: [UInt8], seconds: Int32) throws(SofaRefusal) {
        let contents = UnsafeMutablePointer<sofa_contents>.allocate(capacity: 1)
        let code = bytes.withUnsafeBytes { sofa_read($0.baseAddress, $0.count, seconds, contents) }
        defer {
            sofa_free(contents)
            contents.deallocate()
        }
        guard code == 0 else { throw Self.refusal(code, contents.pointee, seconds: seconds) }
        conventions = Self.text(contents.pointee.conventions)
        convention = Self.text(contents.pointee.sofa_conventions)
        dataType = Self.text(contents.pointee.data_type)
        roomType = Self.text(contents.pointee.room_type)
        for number in 0..<Int(SOFA_VARIABLES) {
            guard let name = sofa_variable_name(number), let variable = sofa_variable_at(contents, number)?.pointee else { continue }
            if variable.exists { variables[String(cString: name)] = Variable(variable, String(cString: name)) }
        }
    }

    /// The text in a C array.
    fileprivate static func text(_ array: some Any) -> String {
        withUnsafeBytes(of: array) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    fileprivate static var library: String { "libhdf5 \(String(cString: sofa_library()))" }

    private static func refusal(_ code: Int32, _ contents: sofa_contents, seconds: Int32) -> SofaRefusal {
        let detail = text(contents.detail)
        switch sofa_codes(rawValue: code) {
        case SOFA_DIED: return .damaged("the process reading it crashed")
        case SOFA_STUCK: return .damaged("reading it did not finish within \(seconds) seconds")
        case SOFA_NO_MEMORY: return .unusable("there is not enough memory for it", "Close other programs, or use a smaller file.")
        case SOFA_TRUNCATED:
            return .damaged("it is truncated: \(contents.size) of its \(contents.whole) bytes are there", "Copy it again.")
        case SOFA_UNREADABLE:
            return .unusable(
                "its structure is damaged, or of a version of HDF5 newer than \(library), which reports: \(detail)",
                "Copy it again, or save it for HDF5 1.10.")
        case _ where code <= SOFA_NO_PROCESS.rawValue:
            let reason = String(cString: strerror(SOFA_NO_PROCESS.rawValue - code))
            return .unusable("the process that reads it cannot be started (\(reason))", "Try again.")
        default: return .damaged("reading it ended with code \(code)")
        }
    }
}

extension SofaTables.Variable {
    fileprivate init(_ variable: sofa_variable, _ name: String) {
        let sizes = withUnsafeBytes(of: variable.sizes) { Array($0.bindMemory(to: Int.self).prefix(Int(variable.rank))) }
        self.sizes = sizes
        type = SofaTables.text(variable.type).lowercased()
        units = SofaTables.text(variable.units).lowercased()
        if let values = variable.values { self.values = Array(UnsafeBufferPointer(start: values, count: variable.count)) }
        let detail = SofaTables.text(variable.detail)
        refusal =
            switch sofa_codes(rawValue: variable.code) {
            case sofa_codes(rawValue: 0): nil
            case SOFA_TOO_LARGE:
                .unusable("its variable \(name) (\(extent)) is too large: all may hold \(SOFA_MOST_VALUES) values", SofaRefusal.another)
            case SOFA_NO_MEMORY:
                .unusable("there is not enough memory for its variable \(name) (\(extent))", "Close other programs, or use a smaller file.")
            case SOFA_ELSEWHERE:
                .unusable("the values of its variable \(name) are in another place (\(detail))", "Use a file that has all its values.")
            case SOFA_PACKED:
                .unusable(
                    "its variable \(name) is compressed by a filter of HDF5 that this program does not have (\(detail))",
                    "Compress it with gzip where that filter is installed: h5repack -f GZIP=4 old.sofa new.sofa")
            case SOFA_NOT_NUMBERS: .unusable("its variable \(name) does not hold real numbers")
            default:
                .damaged("its variable \(name) cannot be read; \(SofaTables.library) reports: \(detail)")
            }
    }
}
