@testable import TripRules

/// The combinations that the comparison with SQLite must have covered at its end.
extension SQLiteOracleTests {
    /// One operator with the types of its operands and the positions of NULL.
    struct Cell {
        let row: String
        let nulls: String
        let make: (inout ExpressionGenerator, Int) -> ExpressionGenerator.Piece
    }

    private static let binaryNulls = ["··", "N·", "·N", "NN"]
    private static let unaryNulls = ["·", "N"]

    /// Every operator × operand types × NULL positions.
    static var cells: [Cell] {
        var cells: [Cell] = []
        for nulls in binaryNulls {
            for types in ExpressionGenerator.pairs {
                for sign in ExpressionGenerator.comparisons {
                    cells.append(
                        Cell(row: "\(sign) \(types)", nulls: nulls) {
                            $0.compared(sign, types, $1, nulls: nulls)
                        }
                    )
                }
                for isNegated in [false, true] {
                    let word = isNegated ? "NOT BETWEEN" : "BETWEEN"
                    cells.append(
                        Cell(row: "\(word) \(types)", nulls: nulls) {
                            $0.between(isNegated: isNegated, types, $1, nulls: nulls)
                        }
                    )
                }
            }
            for types in ["II", "IR", "RI", "RR"] {
                for sign in ["+", "-", "*", "/", "%"] {
                    cells.append(
                        Cell(row: "\(sign) \(types)", nulls: nulls) {
                            $0.arithmetic(sign, types, $1, nulls: nulls)
                        }
                    )
                }
            }
            cells += textCells(nulls) + typedCells(nulls)
        }
        return cells + unaryNulls.flatMap(unaryCells)
    }

    private static func textCells(_ nulls: String) -> [Cell] {
        var cells = ["TT", "TI", "IT"].map { types in
            Cell(row: "|| \(types)", nulls: nulls) { $0.joined(types, $1, nulls: nulls) }
        }
        for word in ExpressionGenerator.patternWords {
            cells.append(
                Cell(row: "\(word) TT", nulls: nulls) { $0.matched(word, $1, nulls: nulls) }
            )
        }
        for (name, types, result) in [
            ("instr", "TT", "I"), ("trim", "TT", "T"), ("substr", "TI", "T"),
            ("substr", "TII", "T"),
        ] {
            cells.append(
                Cell(row: "\(name)/\(types.count) \(types.prefix(2))", nulls: nulls) {
                    $0.call(name, types, Character(result), $1, nulls: nulls)
                }
            )
        }
        return cells
    }

    private static func typedCells(_ nulls: String) -> [Cell] {
        var cells: [Cell] = []
        for type in ["T", "I", "R"] as [Character] {
            let pair = "\(type)\(type)"
            for name in ["coalesce", "nullif"] {
                cells.append(
                    Cell(row: "\(name)/2 \(pair)", nulls: nulls) {
                        $0.call(name, pair, type, $1, nulls: nulls)
                    }
                )
            }
            for isNegated in [false, true] {
                cells.append(
                    Cell(row: "\(isNegated ? "NOT IN" : "IN") \(pair)", nulls: nulls) {
                        $0.listed(isNegated: isNegated, type, $1, nulls: nulls)
                    }
                )
            }
            for name in ["CASE", "CASE of"] {
                cells.append(
                    Cell(row: "\(name) \(pair)", nulls: nulls) {
                        $0.choice(type, $1, nulls: nulls)
                    }
                )
            }
        }
        for word in ["AND", "OR"] {
            cells.append(
                Cell(row: "\(word) CC", nulls: nulls) { $0.connected(word, $1, nulls: nulls) }
            )
        }
        return cells
    }

    private static func unaryCells(_ nulls: String) -> [Cell] {
        var cells = [
            Cell(row: "NOT C", nulls: nulls) { $0.inverted($1, nulls: nulls) },
            Cell(row: "date T", nulls: nulls) { $0.date($1, nulls: nulls) },
            Cell(row: "strftime T", nulls: nulls) { $0.date($1, nulls: nulls) },
            Cell(row: "length/1 T", nulls: nulls) { $0.call("length", "T", "I", $1, nulls: nulls) },
        ]
        for name in ["upper", "lower", "trim"] {
            cells.append(
                Cell(row: "\(name)/1 T", nulls: nulls) {
                    $0.call(name, "T", "T", $1, nulls: nulls)
                }
            )
        }
        for type in ["T", "I", "R"] as [Character] {
            for test in ["IS NULL", "IS NOT NULL"] {
                cells.append(
                    Cell(row: "\(test) \(type)", nulls: nulls) {
                        $0.tested(test, type, $1, nulls: nulls)
                    }
                )
            }
            for target in ["T", "I", "R"] as [Character] where !(type == "R" && target == "T") {
                cells.append(
                    Cell(row: "CAST \(target) \(type)", nulls: nulls) {
                        $0.cast(type, target, $1, nulls: nulls)
                    }
                )
            }
            guard type != "T" else { continue }
            cells += [
                Cell(row: "minus \(type)", nulls: nulls) { $0.negative(type, $1, nulls: nulls) },
                Cell(row: "abs \(type)", nulls: nulls) { $0.magnitude(type, $1, nulls: nulls) },
                Cell(row: "as condition \(type)", nulls: nulls) {
                    $0.numeric(type, $1, nulls: nulls)
                },
            ]
            for hasDigits in [false, true] {
                cells.append(
                    Cell(row: "round/\(hasDigits ? 2 : 1) \(type)", nulls: nulls) {
                        $0.rounded(type, hasDigits: hasDigits, $1, nulls: nulls)
                    }
                )
            }
        }
        return cells
    }
}
