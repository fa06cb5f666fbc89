/// The way in which a CI job comes by Sparring.
enum WorkflowPackage {
    /// A package that `make dist` made, `.deb` or `.tar.gz`: a file of the project, or a URL.
    case file(String)
    /// An image with Sparring's Debian package, such as that of the Containerfile.
    case image(String)
    /// Made from the source by a job of its own.
    case source(url: String, revision: String)

    /// The archive that a job of its own hands on to the one with the tests.
    static let archive = "sparring.tar.gz"
    /// The image in which the build is known to work.
    static let builder = "swift:6.2-bookworm"
    /// The libraries that Sparring's package depends on; what is unpacked from an archive does not bring them along.
    private static let libraries = "libmicrohttpd12 libgnutls30 libsqlite3-0 libcurl4 libxml2 libstdc++6 zlib1g"

    /// A job of its own makes the archive.
    var isMadeApart: Bool { if case .file = self { false } else { true } }

    /// It is unpacked into the project's folder, and not installed into the system.
    var isUnpacked: Bool { if case .file(let file) = self { !file.hasSuffix(".deb") } else { true } }

    /// The URL that it is fetched from, by the job with the tests.
    private var url: String? {
        if case .file(let file) = self, file.hasPrefix("https://") || file.hasPrefix("http://") { file } else { nil }
    }

    /// The path that is kept from one run to the next, and its key; nil: nothing is worth it.
    var cache: (path: String, key: String)? {
        switch self {
        case .file: url.map { (".sparring-package", "sparring-" + Self.name(of: $0)) }
        case .image: nil
        case .source(_, let revision): (Self.archive, "sparring-" + revision)
        }
    }

    private static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    // MARK: Scripts

    /// Makes the archive from the source, unless it is in the cache.
    static func build(_ url: String, _ revision: String) -> [String] {
        [
            "if [ ! -f \(archive) ]; then",
            "  apt-get update -qq && apt-get install -y -qq make git dpkg-dev pkg-config",
            "  git clone --quiet \(ShellText.quoted(url)) /tmp/sparring",
            "  git -C /tmp/sparring checkout --quiet \(ShellText.quoted(revision))",
            "  make -C /tmp/sparring dist",
            "  mv /tmp/sparring/.build/dist/sparring-*.tar.gz \(archive)",
            "fi",
        ]
    }

    /// Makes the archive from the two places of an image where Sparring is, by a command that copies one of them.
    static func extract(_ copy: (_ path: String, _ folder: String) -> String) -> [String] {
        [
            "mkdir -p /tmp/image/sparring/bin /tmp/image/sparring/share",
            copy("/usr/bin/sparring", "/tmp/image/sparring/bin/"),
            copy("/usr/share/sparring", "/tmp/image/sparring/share/"),
            "tar -czf \(archive) -C /tmp/image sparring",
        ]
    }

    /// Puts Sparring where the job with the tests finds it.
    var install: [String] {
        var lines = ["SUDO=$(command -v sudo || true)", "$SUDO apt-get update -qq"]
        var file = Self.archive
        if case .file(let path) = self { file = path }
        if let url {
            file = ".sparring-package/" + Self.name(of: url)
            let fetch =
                "curl --fail --silent --show-error --location --create-dirs --output \(ShellText.quoted(file)) \(ShellText.quoted(url))"
            lines += [
                "command -v curl >/dev/null || $SUDO apt-get install -y -qq curl ca-certificates",
                "[ -f \(ShellText.quoted(file)) ] || \(fetch)",
            ]
        }
        if file.hasSuffix(".deb") {
            let path = file.hasPrefix("/") || file.hasPrefix("./") ? file : "./" + file
            return lines + ["$SUDO apt-get install -y -qq \(ShellText.quoted(path))"]
        }
        return lines + [
            "$SUDO apt-get install -y -qq \(Self.libraries)",
            "mkdir -p .sparring && tar -xzf \(ShellText.quoted(file)) --strip-components=1 -C .sparring",
        ]
    }
}
