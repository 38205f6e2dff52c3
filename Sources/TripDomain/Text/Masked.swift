/// A value that never shows itself: its description, mirror and interpolation are the mask.
///
/// Revealing takes a named call, so that all code that does it can be found by name.
public struct Masked<Value: Sendable>: Sendable, CustomStringConvertible,
    CustomDebugStringConvertible, CustomReflectable
{
    private let value: Value

    /// Hides a value.
    public init(_ value: Value) {
        self.value = value
    }

    /// The mask.
    public var description: String { "••••••••" }
    /// The mask.
    public var debugDescription: String { description }
    /// An empty mirror, so that dumps show nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The value itself.
    ///
    /// Every call uncovers protected data.
    public func revealed() -> Value { value }
}
