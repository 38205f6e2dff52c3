/// One VA station.
struct Station: Sendable {
    /// The station number, such as `528A8`; kept as text.
    let number: String
    /// The VISN as two digits.
    let region: String
    /// The IANA time zone of its calendar.
    let zone: ZoneClock
    /// The city and state.
    let name: String

    /// The name without the state, where one is given.
    var city: Substring {
        let state = name.suffix(3)
        let isState = state.first == " " && state.dropFirst().allSatisfy(\.isUppercase)
        return isState ? name.dropLast(3) : name[...]
    }
    /// The parent station: the first three characters.
    var parent: String { String(number.prefix(3)) }
    /// Whether it is a division of another station.
    var isDivision: Bool { number != parent }
}

/// The stations of generated exports; their numbers, cities and VISNs are public facts.
///
/// Numbers and names are as published by VA (VISN pages and facility lists), VISNs as of 2025.
/// Uncertain entries are not marked: a station in a wrong VISN makes no difference to generated
/// data, and `data/reference/README.md` says that real use needs VA's own list.
enum StationTable {
    /// All stations, by VISN, then by number.
    static let stations: [Station] = (eastern + western).split(separator: "\n").map { line in
        let parts = line.split(separator: "|").map(String.init)
        guard parts.count == 4, let zone = ZoneClock(shortName: parts[2]) else {
            preconditionFailure("every line of the station table has four known parts")
        }
        return Station(number: parts[0], region: parts[1], zone: zone, name: parts[3])
    }

    /// The VISNs and their names.
    static let regions: [(region: String, name: String)] = [
        ("01", "VA New England Healthcare System"),
        ("02", "New York/New Jersey VA Health Care Network"),
        ("04", "VA Healthcare"),
        ("05", "VA Capitol Health Care Network"),
        ("06", "VA Mid-Atlantic Health Care Network"),
        ("07", "VA Southeast Network"),
        ("08", "VA Sunshine Healthcare Network"),
        ("09", "VA MidSouth Healthcare Network"),
        ("10", "VA Healthcare System Serving Ohio, Indiana and Michigan"),
        ("12", "VA Great Lakes Health Care System"),
        ("15", "VA Heartland Network"),
        ("16", "South Central VA Health Care Network"),
        ("17", "VA Heart of Texas Health Care Network"),
        ("19", "Rocky Mountain Network"),
        ("20", "Northwest Network"),
        ("21", "Sierra Pacific Network"),
        ("22", "Desert Pacific Healthcare Network"),
        ("23", "VA Midwest Health Care Network"),
    ]

    /// A change of region, by the station's position in the table.
    struct Move: Sendable {
        let stationIndex: Int
        /// The first day in the new region, `YYYY-MM-DD`.
        let firstDay: String
        /// The day before it.
        let lastDay: String
        let newRegion: String
    }

    /// Stations that change their region.
    ///
    /// The dates are invented, since VA's plan of new VISNs had not been published. They test that
    /// every trip keeps the region of its day.
    static let moves: [Move] = [
        move("550", "2026-01-01", "2025-12-31", "10"),
        move("564", "2026-01-01", "2025-12-31", "15"),
        move("756", "2026-01-01", "2025-12-31", "22"),
        move("531", "2026-07-01", "2026-06-30", "19"),
        move("621", "2027-10-01", "2027-09-30", "06"),
        move("460", "2027-10-01", "2027-09-30", "05"),
        move("589A7", "2027-10-01", "2027-09-30", "19"),
    ]

    private static func move(
        _ number: String,
        _ firstDay: String,
        _ lastDay: String,
        _ region: String
    ) -> Move {
        guard let index = stations.firstIndex(where: { $0.number == number }) else {
            preconditionFailure("a move names a station of the table")
        }
        return Move(stationIndex: index, firstDay: firstDay, lastDay: lastDay, newRegion: region)
    }

    private static let eastern = """
        402|01|eastern|Togus ME
        405|01|eastern|White River Junction VT
        518|01|eastern|Bedford MA
        523|01|eastern|Boston MA
        608|01|eastern|Manchester NH
        631|01|eastern|Central Western Massachusetts
        650|01|eastern|Providence RI
        689|01|eastern|West Haven CT
        526|02|eastern|Bronx NY
        528|02|eastern|Buffalo NY
        528A4|02|eastern|Batavia NY
        528A5|02|eastern|Canandaigua NY
        528A6|02|eastern|Bath NY
        528A7|02|eastern|Syracuse NY
        528A8|02|eastern|Albany NY
        561|02|eastern|East Orange NJ
        620|02|eastern|Hudson Valley NY
        630|02|eastern|Manhattan NY
        632|02|eastern|Northport NY
        460|04|eastern|Wilmington DE
        503|04|eastern|Altoona PA
        529|04|eastern|Butler PA
        542|04|eastern|Coatesville PA
        562|04|eastern|Erie PA
        595|04|eastern|Lebanon PA
        642|04|eastern|Philadelphia PA
        646|04|eastern|Pittsburgh PA
        693|04|eastern|Wilkes-Barre PA
        512|05|eastern|Baltimore MD
        517|05|eastern|Beckley WV
        540|05|eastern|Clarksburg WV
        581|05|eastern|Huntington WV
        613|05|eastern|Martinsburg WV
        688|05|eastern|Washington DC
        558|06|eastern|Durham NC
        565|06|eastern|Fayetteville NC
        590|06|eastern|Hampton VA
        637|06|eastern|Asheville NC
        652|06|eastern|Richmond VA
        658|06|eastern|Salem VA
        659|06|eastern|Salisbury NC
        508|07|eastern|Atlanta GA
        509|07|eastern|Augusta GA
        521|07|central|Birmingham AL
        534|07|eastern|Charleston SC
        544|07|eastern|Columbia SC
        557|07|eastern|Dublin GA
        619|07|central|Montgomery AL
        679|07|central|Tuscaloosa AL
        516|08|eastern|Bay Pines FL
        546|08|eastern|Miami FL
        548|08|eastern|West Palm Beach FL
        573|08|eastern|Gainesville FL
        672|08|puerto_rico|San Juan PR
        673|08|eastern|Tampa FL
        675|08|eastern|Orlando FL
        596|09|eastern|Lexington KY
        603|09|louisville|Louisville KY
        614|09|central|Memphis TN
        621|09|eastern|Mountain Home TN
        626|09|central|Tennessee Valley TN
        506|10|detroit|Ann Arbor MI
        515|10|detroit|Battle Creek MI
        538|10|eastern|Chillicothe OH
        539|10|eastern|Cincinnati OH
        541|10|eastern|Cleveland OH
        552|10|eastern|Dayton OH
        553|10|detroit|Detroit MI
        583|10|indianapolis|Indianapolis IN
        610|10|indianapolis|Marion IN
        655|10|detroit|Saginaw MI
        757|10|eastern|Columbus OH

        """

    private static let western = """
        537|12|central|Chicago IL
        550|12|central|Danville IL
        556|12|central|North Chicago IL
        578|12|central|Hines IL
        585|12|menominee|Iron Mountain MI
        607|12|central|Madison WI
        676|12|central|Tomah WI
        695|12|central|Milwaukee WI
        589|15|central|Kansas City MO
        589A4|15|central|Columbia MO
        589A5|15|central|Topeka KS
        589A6|15|central|Leavenworth KS
        589A7|15|central|Wichita KS
        657|15|central|St. Louis MO
        657A0|15|central|St. Louis Jefferson Barracks MO
        657A4|15|central|Poplar Bluff MO
        657A5|15|central|Marion IL
        502|16|central|Alexandria LA
        520|16|central|Biloxi MS
        564|16|central|Fayetteville AR
        580|16|central|Houston TX
        586|16|central|Jackson MS
        598|16|central|Little Rock AR
        629|16|central|New Orleans LA
        667|16|central|Shreveport LA
        504|17|central|Amarillo TX
        519|17|central|Big Spring TX
        549|17|central|Dallas TX
        671|17|central|San Antonio TX
        674|17|central|Temple TX
        740|17|central|Harlingen TX
        756|17|mountain|El Paso TX
        436|19|mountain|Fort Harrison MT
        442|19|mountain|Cheyenne WY
        554|19|mountain|Aurora CO
        575|19|mountain|Grand Junction CO
        623|19|central|Muskogee OK
        635|19|central|Oklahoma City OK
        660|19|mountain|Salt Lake City UT
        666|19|mountain|Sheridan WY
        463|20|alaska|Anchorage AK
        531|20|boise|Boise ID
        648|20|pacific|Portland OR
        653|20|pacific|Roseburg OR
        663|20|pacific|Seattle WA
        668|20|pacific|Spokane WA
        687|20|pacific|Walla Walla WA
        692|20|pacific|White City OR
        358|21|manila|Manila PI
        459|21|hawaii|Honolulu HI
        570|21|pacific|Fresno CA
        593|21|pacific|Las Vegas NV
        612|21|pacific|Northern California
        640|21|pacific|Palo Alto CA
        654|21|pacific|Reno NV
        662|21|pacific|San Francisco CA
        501|22|mountain|Albuquerque NM
        600|22|pacific|Long Beach CA
        605|22|pacific|Loma Linda CA
        644|22|arizona|Phoenix AZ
        649|22|arizona|Prescott AZ
        664|22|pacific|San Diego CA
        678|22|arizona|Tucson AZ
        691|22|pacific|Los Angeles CA
        437|23|central|Fargo ND
        438|23|central|Sioux Falls SD
        568|23|mountain|Black Hills SD
        618|23|central|Minneapolis MN
        636|23|central|Omaha NE
        636A6|23|central|Des Moines IA
        636A8|23|central|Iowa City IA
        656|23|central|St. Cloud MN
        """
}
