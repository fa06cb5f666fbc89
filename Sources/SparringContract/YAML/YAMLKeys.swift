internal import CYaml

/// Looks at the keys of a text's mappings before Yams does, which compares whole trees where a key is one: a key that is an alias of aliases of aliases would
/// keep it busy for minutes.
enum YAMLKeys {
    /// - Throws: ``ContractError`` at a key that is a sequence or a mapping, written out or as an alias (YAML 1.2.2 §7.1). Says nothing of a text that is not YAML.
    static func check(_ text: String, file: String) throws(ContractError) {
        var text = text
        let place = text.withUTF8 { firstTree($0) }
        if let place { throw ContractError(file: file, line: place.line, column: place.column, message: "a key must be a plain word") }
    }

    /// The place of the first key that is no scalar; lines and columns count from 1.
    private static func firstTree(_ bytes: UnsafeBufferPointer<UInt8>) -> (line: Int, column: Int)? {
        var parser = yaml_parser_t()
        guard yaml_parser_initialize(&parser) == 1 else { return nil }
        defer { yaml_parser_delete(&parser) }
        yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(&parser, bytes.baseAddress, bytes.count)
        var isTree: [String: Bool] = [:]
        /// An item for each open collection: whether a key comes next, or nil for a sequence.
        var open: [Bool?] = []
        while true {
            var event = yaml_event_t()
            guard yaml_parser_parse(&parser, &event) == 1 else { return nil }
            defer { yaml_event_delete(&event) }
            let tree: Bool
            switch event.type {
            case YAML_STREAM_END_EVENT: return nil
            case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
                open.removeLast()
                continue
            case YAML_ALIAS_EVENT: tree = isTree[name(event.data.alias.anchor)] ?? false
            case YAML_SCALAR_EVENT:
                tree = false
                isTree[name(event.data.scalar.anchor)] = false
            case YAML_SEQUENCE_START_EVENT:
                tree = true
                isTree[name(event.data.sequence_start.anchor)] = true
            case YAML_MAPPING_START_EVENT:
                tree = true
                isTree[name(event.data.mapping_start.anchor)] = true
            default: continue
            }
            if case let isKey?? = open.last {
                if isKey, tree { return (Int(event.start_mark.line) + 1, Int(event.start_mark.column) + 1) }
                open[open.count - 1] = !isKey
            }
            if event.type == YAML_MAPPING_START_EVENT {
                open.append(true)
            } else if event.type == YAML_SEQUENCE_START_EVENT {
                open.append(nil)
            }
        }
    }

    private static func name(_ anchor: UnsafeMutablePointer<yaml_char_t>?) -> String { anchor.map { String(cString: $0) } ?? "" }
}
