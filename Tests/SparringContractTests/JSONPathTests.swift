import SparringContract
import SparringJSON
import Testing

/// The values that a query selects (RFC 9535).
struct JSONPathTests {
    /// RFC 9535 §1.5.
    static let store: JSON = [
        "store": [
            "book": [
                ["category": "reference", "author": "Nigel Rees", "title": "Sayings of the Century", "price": 8.95],
                ["category": "fiction", "author": "Evelyn Waugh", "title": "Sword of Honour", "price": 12.99],
                ["category": "fiction", "author": "Herman Melville", "title": "Moby Dick", "isbn": "0-553-21311-3", "price": 8.99],
                [
                    "category": "fiction", "author": "J. R. R. Tolkien", "title": "The Lord of the Rings", "isbn": "0-395-19395-8",
                    "price": 22.99,
                ],
            ],
            "bicycle": ["color": "red", "price": 399],
        ]
    ]
    private static let book = "$.store.book"

    @Test(
        arguments: [
            ("$", ["$"]), ("$.store.bicycle.color", ["$.store.bicycle.color"]), ("$['store']['bicycle']", ["$.store.bicycle"]),
            ("$.store.*", ["$.store.book", "$.store.bicycle"]),
            ("$..author", (0...3).map { "\(book)[\($0)].author" }), ("$..book[2]", ["\(book)[2]"]), ("$..book[-1]", ["\(book)[3]"]),
            ("$..book[0,1]", ["\(book)[0]", "\(book)[1]"]), ("$..book[:2]", ["\(book)[0]", "\(book)[1]"]),
            ("$.store.book[1:-1]", ["\(book)[1]", "\(book)[2]"]), ("$.store.book[::-2]", ["\(book)[3]", "\(book)[1]"]),
            ("$.store.book[5:]", []), ("$.store.book[::0]", []), ("$..book[?@.isbn]", ["\(book)[2]", "\(book)[3]"]),
            ("$..book[?@.price < 10]", ["\(book)[0]", "\(book)[2]"]), ("$..book[?@.price<=8.95]", ["\(book)[0]"]),
            ("$..book[?@.category=='fiction' && !@.isbn]", ["\(book)[1]"]),
            ("$..book[?@.title == 'Moby Dick' || @.price > $.store.bicycle.price]", ["\(book)[2]"]),
            ("$..book[?(@.price > 10) && (@.price < 20)]", ["\(book)[1]"]),
            ("$..book[?match(@.author, '[EN].*')]", ["\(book)[0]", "\(book)[1]"]),
            ("$..book[?search(@.title, 'of')]", ["\(book)[0]", "\(book)[1]", "\(book)[3]"]), ("$..book[?match(@.title, 'of')]", []),
            ("$..book[?length(@.title) == 9]", ["\(book)[2]"]), ("$.store[?count(@.*) > 3]", ["$.store.book"]),
            ("$.store[?value(@..color) == 'red']", ["$.store.bicycle"]), ("$..[?@.nothing == @.nowhere]", all),
            ("$.store.book[ 0 , 'x' , ? @.y ]", ["\(book)[0]"]), ("$ .store\n['bicycle']", ["$.store.bicycle"]),
        ] as [(String, [String])])
    func `A query selects these values, in this order`(query: String, paths: [String]) throws {
        #expect(try JSONPath(query).nodes(in: Self.store).map(\.path) == paths)
    }

    /// Every value inside the store.
    private static var all: [String] {
        var paths = ["$.store", "$.store.book", "$.store.bicycle"] + (0...3).map { "\(book)[\($0)]" }
        for index in 0...3 {
            paths +=
                ["category", "author", "title"].map { "\(book)[\(index)].\($0)" } + (index > 1 ? ["\(book)[\(index)].isbn"] : [])
                + ["\(book)[\(index)].price"]
        }
        return paths + ["$.store.bicycle.color", "$.store.bicycle.price"]
    }

    @Test(
        arguments: [
            ("", "character 1: a query begins with $"), (" $", "character 1: a query begins with $"),
            ("$ ", "character 2: expected a segment, such as .name or [0], found ' '"),
            ("$.", "character 3: expected a name or *, found the end"),
            ("$.1", "character 3: expected a name or *, found '1'"), ("$[01]", "character 3: '01' is not an index"),
            ("$[-0]", "character 3: '-0' is not an index"), ("$[9007199254740992]", "character 3: '9007199254740992' is not an index"),
            ("$[a]", "character 3: expected a name in quotes, an index, a slice, * or a filter, found 'a'"),
            ("$['a", "character 3: the string has no end"), ("$['\\x']", "character 4: no such escape"),
            ("$['\\uD800']", "character 4: a surrogate stands alone"), ("$['\\u12']", "character 4: \\u needs four hexadecimal digits"),
            ("$[0", "character 4: expected ',' or ']', found the end"), ("$[?1]", "character 4: a literal must be compared"),
            ("$[?@.*==1]", "character 4: a query that is compared selects one value at most"),
            ("$[?length(@)]", "character 4: the function's value must be compared"),
            ("$[?match(@,'a')==true]", "character 4: the function gives no value that can be compared"),
            ("$[?count(1)>1]", "character 10: count() takes a query"), ("$[?length(@,1)>1]", "character 4: length() takes one argument"),
            ("$[?nope(@)]", "character 4: there is no function 'nope'; there are length, count, match, search and value"),
            ("$[?maybe]", "character 4: 'maybe' is neither a literal nor a function"), ("$[?@.a==01]", "character 9: '01' is not a number"),
            ("$[?(@.a]", "character 8: expected ')', found ']'"),
            ("$" + String(repeating: "[?@", count: 101), "character 153: more than 100 brackets are open"),
        ])
    func `What is no query is refused, with its place`(query: String, description: String) {
        let error = #expect(throws: JSONPathError.self) { try JSONPath(query) }
        #expect(error?.description == description)
    }

    @Test(arguments: [
        ("a", ".a"), ("a b", "['a b']"), ("it's", #"['it\'s']"#), ("200", "['200']"), ("x-y", "['x-y']"), ("", "['']"),
        ("\n", #"['\u000a']"#),
        ("/a/{b}", "['/a/{b}']"),
    ])
    func `A name is spelled so that a query finds it`(name: String, spelling: String) throws {
        #expect(JSONPathText.member(name) == spelling)
        #expect(try JSONPath("$" + spelling).nodes(in: .object([name: 1])).map(\.value) == [1])
    }
}
