import Foundation

extension String {
    /// The text as a lane's name: in Unicode's normalization form C. A lane is the key of dictionaries, for which canonically equivalent texts
    /// are one, and of rows and draws, for which they are two: `é` must not count as one lane here and as another there.
    package var laneName: String { utf8.allSatisfy { $0 < 0x80 } ? self : precomposedStringWithCanonicalMapping }
}
