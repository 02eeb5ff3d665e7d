extension EditCase {
    static let values = Group(
        "Changed values",
        [
            EditCase(
                "a number",
                #"{ "port": 8080 } // here"#,
                [.set("port", "9090")],
                #"{ "port": 9090 } // here"#),
            EditCase(
                "a string next to comments",
                """
                {
                  // who is greeted
                  "greeting" /* key */ : /* value */ "hello", // politely
                  "port": 8080
                }
                """,
                [.set("greeting", #""good day""#)],
                """
                {
                  // who is greeted
                  "greeting" /* key */ : /* value */ "good day", // politely
                  "port": 8080
                }
                """),
            EditCase(
                "the same number with another spelling",
                #"{ "ratio": 1.0, "big": 1e3 }"#,
                [.set("ratio", "1"), .set("big", "1000")],
                #"{ "ratio": 1.0, "big": 1e3 }"#),
            EditCase(
                "the same string with other escapes",
                #"{ "name": "\u0041\/B" }"#,
                [.set("name", #""A/B""#)],
                #"{ "name": "\u0041\/B" }"#),
            EditCase(
                "a scalar becomes an object",
                """
                {
                  "limits": null, // none yet
                  "port": 1
                }
                """,
                [.set("limits", #"{"burst": 10, "rate": [1, 2]}"#)],
                """
                {
                  "limits": {
                    "burst": 10,
                    "rate": [1, 2]
                  }, // none yet
                  "port": 1
                }
                """),
            EditCase(
                "an object becomes a scalar",
                """
                {
                  "limits": {
                    "burst": 10 // many
                  }, // all of them
                  "port": 1
                }
                """,
                [.set("limits", "false")],
                """
                {
                  "limits": false, // all of them
                  "port": 1
                }
                """),
            EditCase(
                "an object, member by member",
                """
                {
                  "http": {
                    "port": 8080, // the usual one
                    "host": "a",
                    // seconds
                    "timeout": 5
                  }
                }
                """,
                [.set("http", #"{"timeout": 5, "port": 9090, "tls": true}"#)],
                """
                {
                  "http": {
                    "port": 9090, // the usual one
                    // seconds
                    "timeout": 5,
                    "tls": true
                  }
                }
                """),
            EditCase(
                "the root, member by member",
                """
                // settings
                { "a": 1, "b": 2 }
                // end
                """,
                [.set("", #"{"b": 3}"#)],
                """
                // settings
                { "b": 3 }
                // end
                """),
            EditCase(
                "the root becomes another kind of value",
                """
                // settings
                { "a": 1 }
                // end
                """,
                [.set("", #"[1, {"x": null}]"#)],
                """
                // settings
                [
                  1,
                  {
                    "x": null
                  }
                ]
                // end
                """),
            EditCase(
                "an object on one line",
                #"{ "a": 1, "b": null }"#,
                [.set("b", #"{"x": 1, "y": {"z": []}}"#)],
                #"{ "a": 1, "b": { "x": 1, "y": { "z": [] } } }"#),
            EditCase(
                "an object on one line without spaces",
                "{\"a\":1,\"b\":null}",
                [.set("b", #"{"x":1,"y":[2,3]}"#)],
                "{\"a\":1,\"b\":{\"x\":1,\"y\":[2,3]}}", isWhole: true),
        ])
}
