internal import SparringJSON

/// Actions of an overlay.
extension JSON {
    static func update(_ target: String, _ value: JSON) -> JSON { ["target": .string(target), "update": value] }
    /// Overlay 1.1.
    static func copy(_ target: String, of source: String) -> JSON { ["target": .string(target), "copy": .string(source)] }
    static func remove(_ target: String) -> JSON { ["target": .string(target), "remove": true] }
}
