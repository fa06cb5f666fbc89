/// Words as a POSIX shell reads them back.
enum ShellText {
    static func line(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

    static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_=./:,@%+".unicodeScalars.contains($0))
            }
        return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
