extension String {
    /// With placeholders as they stand outside of URLs.
    var unescapedPlaceholders: String { replacing("%C2%AB", with: "«").replacing("%C2%BB", with: "»") }
}
