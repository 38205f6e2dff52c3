/// What the name of a file says beside its content: that it is still being written, or that it is a
/// copy that was set aside.
///
/// Programs that upload, edit or move files leave such names. Read as an export of its own, half of
/// a file or a bad one would count, and by its name, which is the longer one, even outrank the good
/// one. `docs/PIPELINE.md` lists the marks.
enum NameMarks {
    /// What a mark says.
    enum Mark: Sendable {
        /// The file is being written, or its upload broke off.
        case unfinished
        /// The file is a copy that was set aside.
        case setAside
        /// The file was processed, and then renamed by a script.
        case processed
        /// The name is that of a copy, and may be that of an export as well.
        case copy
    }

    /// The name a marked file has without its mark.
    struct Reading: Sendable {
        let mark: Mark
        /// The path without the mark.
        let base: [UInt8]
    }

    /// Endings, after a dot, of files that are still being written.
    static let unfinishedEndings: Set = [
        "part", "partial", "filepart", "crdownload", "opdownload", "download", "tmp", "temp",
        "upload", "uploading", "incomplete", "inprogress", "unfinished", "writing", "swp", "swo",
        "swx", "!ut", "!qb", "aria2",
    ]
    /// Endings, after a dot, of copies that were set aside.
    static let setAsideEndings: Set = [
        "bad", "bak", "backup", "old", "orig", "original", "save", "saved", "sav", "rej",
        "reject", "rejected", "prev", "previous", "copy", "aside", "hold", "wrong", "broken",
        "corrupt", "corrupted", "damaged", "error", "err", "failed", "invalid", "ignore",
        "ignored", "skip", "skipped", "disabled", "off", "unused", "deleted", "removed",
        "obsolete", "superseded", "stale",
    ]
    /// Endings, after a dot, that scripts give to files which they have processed.
    static let processedEndings: Set = ["done", "processed", "loaded", "imported", "archived"]

    /// All ways to read a path as that of a marked file, the most certain first.
    ///
    /// - Parameter path: The path's bytes.
    /// - Returns: The readings; none for most paths.
    static func readings(of path: [UInt8]) -> [Reading] {
        let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let folders = parts.dropLast().flatMap { $0 + [UInt8(ascii: "/")] }
        // The last part is the name; a path has at least one part.
        let name = String(decoding: parts.last ?? [], as: UTF8.self)
        var readings = strippings(of: name).map {
            Reading(mark: $0.mark, base: folders + $0.base.utf8)
        }
        if let folder = unmarkedFolders(parts.dropLast()) {
            readings.append(Reading(mark: folder.mark, base: folder.path + name.utf8))
        }
        readings += copies(name).map { Reading(mark: .copy, base: folders + $0.utf8) }
        return readings
    }

    /// The names that are left when one mark after the other is taken away.
    ///
    /// The outermost mark counts: `claims.csv.bad.part` is an upload that is not finished.
    private static func strippings(of name: String) -> [(mark: Mark, base: String)] {
        var found: [(mark: Mark, base: String)] = []
        var rest = name
        while let (mark, base) = strip(rest), !base.isEmpty {
            let outermost = found.first?.mark ?? mark
            found.append((outermost, base))
            // rsync, rclone and others put random letters before their mark, or after a dot.
            if mark == .unfinished, let (plain, ending) = lastEnding(base),
                (6...8).contains(ending.utf8.count), ending.allSatisfy({ $0.isASCII })
            {
                found.append((outermost, plain))
            }
            rest = base
        }
        return found
    }

    /// A name without one mark; nil where it has none.
    private static func strip(_ name: String) -> (mark: Mark, base: String)? {
        if name.hasPrefix(".") { return (.unfinished, String(name.drop { $0 == "." })) }
        if name.hasPrefix("~$") { return (.setAside, String(name.dropFirst(2))) }
        if name.hasPrefix("~") { return (.setAside, String(name.dropFirst())) }
        if name.hasPrefix("#"), name.hasSuffix("#"), name.utf8.count > 1 {
            return (.setAside, String(name.dropFirst().dropLast()))
        }
        if name.hasSuffix("~") {
            let base = String(name.dropLast())
            // `claims.csv.~1~` is a numbered copy.
            if let (plain, ending) = lastEnding(base), ending.hasPrefix("~") {
                return (.setAside, plain)
            }
            return (.setAside, base)
        }
        guard let (base, ending) = lastEnding(name) else { return nil }
        // A marked file may be compressed afterwards.
        if ending == "gz" { return strip(base) }
        if isRotated(base, ending) { return (.setAside, base) }
        return mark(ofEnding: ending, isFolder: false).map { ($0, base) }
    }

    /// What the ending of a name says; nil where it says nothing.
    private static func mark(ofEnding ending: String, isFolder: Bool) -> Mark? {
        if unfinishedEndings.contains(ending) { return .unfinished }
        if setAsideEndings.contains(ending) { return .setAside }
        if processedEndings.contains(ending), !isFolder { return .processed }
        return nil
    }

    /// Whether an ending is the number that programs give to files they rotate: `claims.csv.1`.
    ///
    /// A number after a name without an ending of its own may be all that the name has.
    private static func isRotated(_ base: String, _ ending: String) -> Bool {
        ending.utf8.count < 4 && ending.utf8.allSatisfy { (0x30...0x39).contains($0) }
            && lastEnding(base) != nil
    }

    /// A name before its last dot, and its ending in small letters; nil where it has none.
    private static func lastEnding(_ name: String) -> (base: String, ending: String)? {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        let ending = name[name.index(after: dot)...].lowercased()
        return ending.isEmpty ? nil : (String(name[..<dot]), ending)
    }

    /// The folders of a path without their marks; nil where they have none.
    private static func unmarkedFolders(
        _ folders: some Sequence<ArraySlice<UInt8>>
    ) -> (mark: Mark, path: [UInt8])? {
        var mark: Mark?
        var path: [UInt8] = []
        for folder in folders {
            let name = String(decoding: folder, as: UTF8.self)
            if name.hasSuffix("~") {
                mark = mark ?? .setAside
                path += name.dropLast().utf8
            } else if let (base, ending) = lastEnding(name),
                let found = self.mark(ofEnding: ending, isFolder: true)
            {
                mark = mark ?? found
                path += base.utf8
            } else {
                path += folder
            }
            path.append(UInt8(ascii: "/"))
        }
        return mark.map { ($0, path) }
    }

    /// Words that file managers put before an ending when they copy a file, or people when they set
    /// one aside: `claims - Copy.csv`, `Copy of claims.csv`, `claims.bad.csv`.
    private static func copies(_ name: String) -> [String] {
        var found: [String] = []
        let prefix = "copy of "
        if name.lowercased().hasPrefix(prefix) {
            found.append(String(name.dropFirst(prefix.count)))
        }
        for dot in name.indices where name[dot] == "." {
            var stem = name[..<dot]
            // Further copies are numbered: `claims - Copy (2).csv`, `claims copy 2.csv`.
            let number = stem.reversed().prefix { $0.isNumber || " ()".contains($0) }
            let plain = stem.dropLast(number.count)
            if plain.lowercased().hasSuffix("copy") { stem = plain }
            let word = [" - copy", " copy"].first { stem.lowercased().hasSuffix($0) }
            if let word { found.append(String(stem.dropLast(word.count)) + name[dot...]) }
        }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        for index in parts.indices.dropFirst().dropLast()
        where setAsideEndings.contains(parts[index].lowercased()) {
            found.append((parts[..<index] + parts[(index + 1)...]).joined(separator: "."))
        }
        return found.filter { !$0.isEmpty }
    }
}

/// Entries that systems leave in every folder, and what belongs to no delivery: a run does not name
/// them where no source claims them.
///
/// What `triptych generate` writes is the other thing that is passed over: ``GeneratedFiles``.
/// `docs/PIPELINE.md` lists all.
enum QuietNames {
    /// Folders of the system, in small letters.
    private static let folders: Set = [
        "lost+found", "__macosx", "@eadir", "#recycle", "$recycle.bin",
        "system volume information",
    ]
    /// Files of the system.
    private static let files: Set = ["thumbs.db", "desktop.ini"]

    /// Whether a folder is not searched: it is hidden, or one of the system.
    static func isFolder(_ name: [UInt8]) -> Bool {
        name.first == UInt8(ascii: ".")
            || folders.contains(String(decoding: name, as: UTF8.self).lowercased())
    }

    /// Whether a file that no source claims is not named.
    static func isFile(_ path: String) -> Bool {
        let name = (path.split(separator: "/").last ?? "").lowercased()
        return name.hasPrefix(".") || files.contains(name)
            || name == "readme" || name.hasPrefix("readme.")
    }

    /// Whether a file is what macOS and Windows keep beside another one on foreign disks, whatever
    /// a pattern says.
    static func isShadow(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        return name.hasPrefix("._") || name.hasSuffix(":Zone.Identifier")
    }
}
