import Foundation
import TestSupport
import Testing
import Trust

/// Certificates are checked by the openssl program, which shares no code with this one.
@Suite struct ServerCertificateTests {
    private let temporary = TemporaryFolder()
    var folder: String { temporary.path("trust") }
    static let names = ["hall", "hall.local", "localhost", "127.0.0.1", "::1", "192.0.2.7"]

    /// The output of openssl; nil when it fails.
    func openssl(_ arguments: String...) throws -> String? {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus == 0 ? text : nil
    }

    func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    func own(_ names: [String] = names) throws -> ServerCertificate { try .own(folder: folder, names: names) }

    func own(failure: TrustError) { #expect(throws: failure) { try own() } }

    @Test func theCertificateIsValidForItsNamesOnly() throws {
        let made = try own()
        let authority = folder + "/authority.crt"
        for name in ["hall", "hall.local", "localhost"] {
            #expect(
                try openssl("verify", "-purpose", "sslserver", "-CAfile", authority, "-verify_hostname", name, made.certificate) != nil,
                "\(name)")
        }
        for address in ["127.0.0.1", "::1", "192.0.2.7"] {
            #expect(try openssl("verify", "-CAfile", authority, "-verify_ip", address, made.certificate) != nil, "\(address)")
        }
        for name in ["evil.example", "hall.example", "xhall.local"] {
            #expect(try openssl("verify", "-CAfile", authority, "-verify_hostname", name, made.certificate) == nil, "\(name)")
        }
        #expect(try openssl("verify", "-CAfile", authority, "-verify_ip", "192.0.2.8", made.certificate) == nil)
        let text = try #require(try openssl("x509", "-noout", "-text", "-in", made.certificate))
        #expect(text.contains("TLS Web Server Authentication") && text.contains("CA:FALSE"))
        let root = try #require(try openssl("x509", "-noout", "-text", "-in", authority))
        #expect(root.contains("CA:TRUE, pathlen:0") && root.contains("Certificate Sign"))
        #expect(root.contains("X509v3 Name Constraints: critical") && root.contains("TLS Web Server Authentication"))
    }

    /// Whether a certificate for a name, which openssl makes with the authority's key, is accepted by who trusts the authority.
    /// - Parameters:
    ///   - usage: what the certificate says that it is for.
    ///   - purpose: what it is checked for.
    func isTrusted(_ name: String, usage: String = "serverAuth", as purpose: String = "sslserver") throws -> Bool {
        let key = folder + "/authority.pem"
        let (request, leaf, names) = (folder + "/any.csr", folder + "/any.crt", folder + "/any.names")
        try Data("subjectAltName=\(name)\nextendedKeyUsage=\(usage)\n".utf8).write(to: URL(filePath: names))
        _ = try openssl("req", "-new", "-key", key, "-subj", "/CN=any", "-out", request)
        _ = try openssl("x509", "-req", "-in", request, "-CA", folder + "/authority.crt", "-CAkey", key, "-out", leaf, "-extfile", names)
        try #require(FileManager.default.fileExists(atPath: leaf))
        defer { try? FileManager.default.removeItem(atPath: leaf) }
        return try openssl("verify", "-purpose", purpose, "-CAfile", folder + "/authority.crt", leaf) != nil
    }

    @Test func theAuthorityVouchesForServersOnly() throws {
        _ = try own()
        let all = "serverAuth,clientAuth,emailProtection"
        #expect(try isTrusted("DNS:hall", usage: all))
        #expect(try !isTrusted("DNS:hall", usage: all, as: "sslclient"))
        #expect(try !isTrusted("DNS:hall", usage: all, as: "smimesign"))
        // An authority of an earlier version, for all purposes, goes on signing.
        let (certificate, key) = (folder + "/authority.crt", folder + "/earlier.key")
        _ = try openssl(
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=Vestibule", "-addext", "keyUsage=critical,keyCertSign",
            "-addext",
            "nameConstraints=critical,permitted;DNS:hall,permitted;DNS:localhost,permitted;IP:127.0.0.0/255.0.0.0", "-days", "900", "-out",
            certificate, "-keyout", key)
        let both = try String(contentsOfFile: key, encoding: .utf8) + String(contentsOfFile: certificate, encoding: .utf8)
        try PrivateFile.write(both, to: folder + "/authority.pem")
        let made = try own(["hall", "localhost", "127.0.0.1"])
        #expect(made.warnings.isEmpty)
        #expect(try openssl("verify", "-purpose", "sslserver", "-CAfile", certificate, made.certificate) != nil)
    }

    @Test func theAuthorityVouchesForThisMachineAndPrivateNetworksOnly() throws {
        #expect(try own(Self.names + ["2001:db8:1:2::7"]).warnings.isEmpty)
        for name in [
            "DNS:hall", "DNS:hall.local", "DNS:localhost", "DNS:a.localhost", "IP:127.0.0.1", "IP:::1", "IP:192.0.2.7", "IP:10.1.2.3",
            "IP:172.31.0.1", "IP:192.168.178.2", "IP:169.254.3.4", "IP:100.100.0.1", "IP:fe80::1", "IP:fd12::1", "IP:2001:db8:1:2::8",
        ] { #expect(try isTrusted(name), "\(name)") }
        for name in [
            "DNS:evil.example", "DNS:xhall.local", "DNS:hall.local.example", "IP:192.0.2.8", "IP:172.32.0.1", "IP:8.8.8.8",
            "IP:2001:db8:1:3::7", "DNS:hall,DNS:bank.example",
        ] { #expect(try !isTrusted(name), "\(name)") }
    }

    @Test func namesThatTheAuthorityMayNotSignForAreLeftOut() throws {
        _ = try own()
        let other = try own(Self.names + ["stage.example", "198.51.100.4"])
        #expect(other.warnings.count == 1)
        #expect(other.warnings.first?.contains("stage.example, 198.51.100.4") == true && other.warnings.first?.contains("delete") == true)
        let authority = folder + "/authority.crt"
        #expect(try openssl("verify", "-CAfile", authority, "-verify_hostname", "hall", other.certificate) != nil)
        // A new authority is made for them.
        try FileManager.default.removeItem(atPath: folder + "/authority.pem")
        let renewed = try own(Self.names + ["stage.example"])
        #expect(renewed.warnings.isEmpty && renewed.authority?.isUnlimited == false)
        #expect(try openssl("verify", "-CAfile", authority, "-verify_hostname", "stage.example", renewed.certificate) != nil)
    }

    @Test func anUnlimitedAuthorityIsKeptWithAWarning() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let (certificate, key) = (folder + "/authority.crt", folder + "/key")
        _ = try openssl(
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=Vestibule", "-addext", "keyUsage=critical,keyCertSign", "-days",
            "900", "-out", certificate, "-keyout", key)
        let both = try String(contentsOfFile: key, encoding: .utf8) + String(contentsOfFile: certificate, encoding: .utf8)
        try PrivateFile.write(both, to: folder + "/authority.pem")
        let made = try own()
        #expect(made.authority?.isUnlimited == true)
        #expect(made.warnings.count == 1 && made.warnings[0].contains("may sign for any host") && made.warnings[0].contains("delete"))
        #expect(try openssl("verify", "-CAfile", certificate, "-verify_hostname", "hall", made.certificate) != nil)
    }

    @Test func theFingerprintMatchesOpenSSL() throws {
        let authority = try #require(try own().authority)
        let said = try #require(try openssl("x509", "-noout", "-fingerprint", "-sha256", "-in", folder + "/authority.crt"))
        #expect(said.contains(authority.fingerprint) && authority.fingerprint.count == 95)
        #expect(authority.pem.hasPrefix("-----BEGIN CERTIFICATE-----") && !authority.pem.contains("PRIVATE"))
        #expect(try Data(contentsOf: URL(filePath: folder + "/authority.crt")) == Data(authority.pem.utf8))
        #expect(authority.der.prefix(2) == [0x30, 0x82] && authority.name.hasPrefix("Vestibule"))
    }

    @Test func theAuthorityIsKeptWhileTheCertificateFollowsTheNames() throws {
        let first = try own()
        let leaf = try String(contentsOfFile: first.certificate, encoding: .utf8)
        _ = try own()
        #expect(try String(contentsOfFile: first.certificate, encoding: .utf8) == leaf)
        let other = try own(Self.names + ["10.1.2.4"])
        #expect(try String(contentsOfFile: first.certificate, encoding: .utf8) != leaf)
        #expect(other.authority?.fingerprint == first.authority?.fingerprint)
        let another = try ServerCertificate.own(folder: folder + "-other", names: Self.names)
        #expect(another.authority?.fingerprint != first.authority?.fingerprint)
    }

    @Test func keysArePrivate() throws {
        _ = try own()
        #expect(try mode(folder) == 0o700)
        for name in ["authority.pem", "server.pem"] { #expect(try mode("\(folder)/\(name)") == 0o600) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { !$0.hasSuffix(".part") })
        chmod(folder + "/authority.pem", 0o644)
        own(failure: .open(folder + "/authority.pem"))
    }

    @Test func damagedFilesAreReportedAndNotReplaced() throws {
        _ = try own()
        let path = folder + "/authority.pem"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try PrivateFile.write(String(text.prefix(100)), to: path)
        own(failure: .damaged(path, "there is no PEM certificate in it"))
        try PrivateFile.write(String(text[text.firstRange(of: "-----BEGIN CERTIFICATE")!.lowerBound...]), to: path)
        own(failure: .damaged(path, "the key is not a PEM private key without passphrase"))
        #expect(TrustError.damaged(path, "x").description.contains("delete it to get a new one"))
        // A damaged server certificate is replaced: clients trust the authority.
        try PrivateFile.write(text, to: path)
        try PrivateFile.write("x", to: folder + "/server.pem")
        #expect(try openssl("verify", "-CAfile", folder + "/authority.crt", try own().certificate) != nil)
    }

    @Test func aProvidedCertificateIsUsedWhenItsKeyFits() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let (certificate, key) = (folder + "/mine.crt", folder + "/mine.key")
        let make = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=hall.example"]
        func selfSigned(_ certificate: String, _ key: String, days: Int = 90) throws {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/openssl")
            process.arguments =
                make + ["-addext", "subjectAltName=DNS:hall.example", "-out", certificate, "-keyout", key, "-days", "\(days)"]
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
        }
        try selfSigned(certificate, key)
        let good = try ServerCertificate.given(certificate: certificate, key: key, names: ["hall.example"])
        #expect(good.authority == nil && good.warnings.isEmpty)
        let foreign = try ServerCertificate.given(certificate: certificate, key: key, names: ["hall.example", "192.0.2.7"])
        #expect(foreign.warnings.count == 1 && foreign.warnings[0].contains("is not valid for 192.0.2.7"))
        try selfSigned(folder + "/other.crt", folder + "/other.key")
        #expect(
            throws: TrustError.wrongPair(
                certificate: certificate, key: folder + "/other.key",
                reason: "the key belongs to another certificate")
        ) { try ServerCertificate.given(certificate: certificate, key: folder + "/other.key", names: []) }
        #expect(throws: TrustError.notReadable(folder + "/none", "No such file or directory")) {
            try ServerCertificate.given(certificate: folder + "/none", key: key, names: [])
        }
        let der = folder + "/given.der", archive = folder + "/given.p12"
        #expect(try openssl("x509", "-in", certificate, "-outform", "DER", "-out", der) != nil)
        #expect(try openssl("pkey", "-in", key, "-outform", "DER", "-out", der + ".key") != nil)
        #expect(try openssl("pkcs12", "-export", "-in", certificate, "-inkey", key, "-passout", "pass:", "-out", archive) != nil)
        for (path, keyPath, error) in [
            (der, key, TrustError.binary(der, isKey: false, isArchive: false)),
            (certificate, der + ".key", .binary(der + ".key", isKey: true, isArchive: false)),
            (archive, archive, .binary(archive, isKey: false, isArchive: true)),
        ] {
            #expect(throws: error) { try ServerCertificate.given(certificate: path, key: keyPath, names: []) }
        }
        try selfSigned(folder + "/short.crt", folder + "/short.key", days: 29)
        let short = try ServerCertificate.given(
            certificate: folder + "/short.crt", key: folder + "/short.key", names: ["hall.example"])
        #expect(short.warnings.count == 1 && short.warnings[0].contains("expires in 2"), "\(short.warnings)")
    }

    @Test func threeProcessesStartedAtOnceShareOneAuthority() async throws {
        let folder = folder
        let found = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<3 {
                group.addTask { try ServerCertificate.own(folder: folder, names: Self.names).authority?.fingerprint ?? "" }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(found.count == 1)
    }

    @Test func digestsMatchTheStandard() {
        // FIPS 180-4, the example of "abc".
        #expect(
            Digest.hexadecimal(Digest.sha256(Array("abc".utf8)))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }
}
