import TripSynthetic

/// The files that `generate` writes beside its exports: their mark, their manifest and the
/// reference files that fit them.
enum GeneratedFiles {
    /// Paths without those files.
    ///
    /// A file counts as generated where the mark of generated data lies in its folder, so that no
    /// file of an operator is passed over for its name.
    ///
    /// - Parameter paths: Paths below the input folder.
    /// - Returns: The others, in their order.
    static func removed(from paths: [String]) -> [String] {
        let folders = paths.filter { $0 == mark || $0.hasSuffix("/" + mark) }
            .map { String($0.dropLast(mark.count)) }
        return paths.filter { path in
            !folders.contains { folder in
                path.hasPrefix(folder) && isOwn(String(path.dropFirst(folder.count)))
            }
        }
    }

    private static let mark = SyntheticMark.fileName

    private static func isOwn(_ path: String) -> Bool {
        [mark, SyntheticMark.manifestName].contains(path)
            || path.hasPrefix(SyntheticMark.referenceFolder + "/")
    }
}
