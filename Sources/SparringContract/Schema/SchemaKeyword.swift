/// The keywords of a schema that mean something here (JSON Schema 2020-12, core §8–§11, validation §6–§9; OpenAPI 3.1 §4.8.24).
enum SchemaKeyword: String, CaseIterable {
    case schema = "$schema"
    case defs = "$defs"
    case ref = "$ref"
    case type, `enum`, const, allOf, anyOf, oneOf, not, `if`, then, `else`, dependentSchemas
    case minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf
    case minLength, maxLength, pattern, format
    /// The text that a `pattern` asks for, in words.
    case expected = "x-expected"
    /// The name or place by which Sparring's own code knows a member of another name.
    case standsFor = "x-stands-for"
    /// A member that is unique among the items of a list.
    case unique = "x-unique"
    /// The client's need for the value (``ValueUse``).
    case use = "x-use"
    case items, prefixItems, contains, minContains, maxContains, unevaluatedItems, minItems, maxItems, uniqueItems
    case properties, patternProperties, additionalProperties, unevaluatedProperties, propertyNames, required, dependentRequired,
        minProperties,
        maxProperties
    case contentSchema

    /// Keywords that assert nothing.
    static let annotations: Set = [
        "$comment", "title", "description", "default", "example", "examples", "deprecated", "readOnly", "writeOnly", "contentEncoding",
        "contentMediaType", "discriminator", "externalDocs", "xml",
    ]

    private static let byPlace = "name a schema by its place, such as $ref: '#/components/schemas/NAME'"

    /// Keywords that would have to be asserted and are not, with what to write in their place.
    static let refused = [
        "$id": byPlace, "$anchor": byPlace, "$dynamicRef": byPlace, "$dynamicAnchor": byPlace, "$recursiveRef": byPlace,
        "$recursiveAnchor": byPlace, "definitions": "write $defs", "$vocabulary": "there is only one dialect",
        "dependencies": "write dependentRequired or dependentSchemas", "additionalItems": "write prefixItems and items",
        "nullable": "it is OpenAPI 3.0's: write 'null' among the types",
    ]

    /// JSON Schema's own, and OpenAPI's, which adds annotations to it.
    static let dialects = ["https://json-schema.org/draft/2020-12/schema", "https://spec.openapis.org/oas/3.1/dialect/base"]

    /// Formats that assert nothing (OpenAPI 3.1 §4.4).
    static let annotationFormats: Set = ["float", "double", "password"]
    static let formats = SchemaFormat.allCases.map(\.rawValue) + NumberFormat.allCases.map(\.rawValue) + annotationFormats.sorted()

    static let known = allCases.map(\.rawValue) + annotations.sorted()
}
