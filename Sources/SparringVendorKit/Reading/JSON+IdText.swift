public import SparringJSON

extension JSON {
    /// A string, or a number as text: ids come as both.
    public var idText: String? { string ?? integer.map(String.init) }
}
