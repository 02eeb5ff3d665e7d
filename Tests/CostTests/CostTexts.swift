import TestSupport

/// Texts of known shape for measurements; the same in every run.
enum CostTexts {
    /// A typical web service response: records with some twenty members, some of them nested records.
    static func records(_ count: Int) -> String {
        let records = (0..<count).map { number in
            """
              {
                "id": \(505_874_924_095_815_681 + number), "created_at": "Sun Aug 31 00:29:\(10 + number % 50) +0000 2014",
                "text": "A message of some length, as people write them, with a \\"quotation\\" and a number \(number)",
                "truncated": false, "in_reply_to": null, "language": "ja", "retweets": \(number % 7), "score": 0.\(number)1,
                "user": {
                  "id": \(1_186_275_104 + number), "name": "Person \(number)", "screen_name": "person_\(number)",
                  "location": "", "description": "A description that somebody wrote about themselves \(number)",
                  "url": null, "followers": \(number * 3), "friends": 252, "verified": false, "time_zone": "Irkutsk",
                  "image": "http://images.example.org/profile/\(number)/normal.jpeg", "entities": {"urls": []}
                },
                "entities": {"hashtags": [], "symbols": [], "urls": [
                  {"url": "http://example.org/\(number)", "indices": [23, 45]}], "mentions": [{"id": 866260188, "indices": [3, 13]}]},
                "favourited": false, "metadata": {"result_type": "recent", "iso_language_code": "ja"}
              }
            """
        }
        return "{\n  \"statuses\": [\n" + records.joined(separator: ",\n") + "\n  ]\n}\n"
    }

    /// The outline of a country: only pairs of long numbers.
    static func outline(_ points: Int) -> String {
        var random = SeededGenerator(7)
        let pairs = (0..<points).map { _ in
            "[-\(Int.random(in: 50...140, using: &random)).\(Int.random(in: 100_000_000_000_000...999_999_999_999_999, using: &random)),"
                + "\(Int.random(in: 41...83, using: &random)).\(Int.random(in: 100_000_000_000_000...999_999_999_999_999, using: &random))]"
        }
        return #"{"type":"Feature","coordinates":[["# + pairs.joined(separator: ",") + "]]}"
    }

    /// A single object.
    static func members(_ count: Int, key: (Int) -> String = { "k\($0)" }) -> String {
        "{" + (0..<count).map { "\"\(key($0))\":\($0)" }.joined(separator: ",") + "}"
    }

    static func longKey(_ number: Int) -> String { "configuration-key-\(1_000_000 + number)" }

    /// An object of sections, each an object of settings: a typical settings file.
    static func settings(_ sections: Int, value: (Int, Int) -> String) -> String {
        let all = (0..<sections).map { section in
            let members = (0..<16).map { "    \"setting \($0)\": \(value(section, $0))" }
            return "  \"section \(section)\": {\n" + members.joined(separator: ",\n") + "\n  }"
        }
        return "{\n" + all.joined(separator: ",\n") + "\n}\n"
    }
}
