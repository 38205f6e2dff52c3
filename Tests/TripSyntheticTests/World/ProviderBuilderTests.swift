import Testing

@testable import TripEngine
@testable import TripSynthetic

@Suite struct ProviderBuilderTests {
    private let providers = SyntheticWorld(seed: SyntheticWorld.defaultSeed).providers

    /// Luhn's rule as written down: doubled from the right, digits of products added.
    private func passesLuhn(_ identifier: String) -> Bool {
        var sum = 0
        for (index, digit) in ("80840" + identifier).reversed().enumerated() {
            let value = (digit.wholeNumberValue ?? 0) * (index % 2 == 1 ? 2 : 1)
            sum += value / 10 + value % 10
        }
        return sum % 10 == 0
    }

    @Test func everyIdentifierHasTenDigitsAndAValidCheckDigit() {
        for provider in providers {
            #expect(provider.identifier.utf8.count == 10)
            #expect(provider.identifier.first == "2")
            #expect(passesLuhn(provider.identifier))
        }
    }

    @Test func identifiersAreDistinct() {
        #expect(Set(providers.map(\.identifier)).count == providers.count)
    }

    @Test func thereAreSixtyNumbersOfVAAmongNineHundred() {
        #expect(providers.count == 900)
        #expect(providers.count { $0.owner == .veteransAffairs } == 60)
    }

    @Test func unlistedIdentifiersAreValidAndOnNoRoster() {
        let world = SyntheticWorld(seed: 7)
        let texts = ExportTexts(world: world)
        let listed = Set(world.providers.map(\.identifier))
        for index in 0..<ExportTexts.unlistedCount {
            let text = String(
                decoding: texts.identifiers[texts.firstUnlistedIdentifier + index],
                as: UTF8.self
            )
            #expect(passesLuhn(text))
            #expect(!listed.contains(text))
        }
    }
}

extension TextBank {
    /// One text.
    fileprivate subscript(index: Int) -> ArraySlice<UInt8> {
        bytes[Int(offsets[index])..<Int(offsets[index + 1])]
    }
}
