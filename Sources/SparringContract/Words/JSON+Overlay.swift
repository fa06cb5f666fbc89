package import SparringJSON

/// Actions of an overlay.
extension JSON {
    package static func update(_ target: String, _ value: JSON) -> JSON { ["target": .string(target), "update": value] }
    /// Overlay 1.1.
    package static func copy(_ target: String, of source: String) -> JSON { ["target": .string(target), "copy": .string(source)] }
    package static func remove(_ target: String) -> JSON { ["target": .string(target), "remove": true] }
}
