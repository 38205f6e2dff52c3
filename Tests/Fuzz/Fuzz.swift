// Bytes from outside against everything of the server that reads them: libFuzzer calls what is
// below as often as it can, and notes what ends the program. `.ci/fuzz-bytes` builds and starts it.
import FoundationEssentials
import Glibc

/// What a run is thrown at: the environment names one.
let reader: Reader = {
    let name = getenv("READER").map { String(cString: $0) } ?? ""
    guard let found = Reader(rawValue: name) else {
        print(Reader.allCases.map(\.rawValue).joined(separator: "\n"))
        // Ending any other way is a find of the fuzzer's.
        fflush(nil)
        _exit(2)
    }
    return found
}()

/// What libFuzzer calls with the bytes it has thought up.
@_cdecl("LLVMFuzzerTestOneInput")
public func readOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    reader.read(bytes)
    return 0
}
