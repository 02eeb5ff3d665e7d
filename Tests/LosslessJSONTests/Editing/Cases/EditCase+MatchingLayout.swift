extension EditCase {
    static let matchingLayout = Group(
        "Matching the existing layout",
        [
            EditCase(
                "objects on one line",
                """
                {
                  "a": { "x": 1 },
                  "b": { "x": 2 }
                }
                """,
                [.add("c", #"{"x": 3}"#)],
                """
                {
                  "a": { "x": 1 },
                  "b": { "x": 2 },
                  "c": { "x": 3 }
                }
                """),
            EditCase(
                "the records of a table",
                """
                [
                  {"id":1, "name":"a"},
                  {"id":2, "name":"b"}
                ]
                """,
                [.add("2", #"{"id": 3, "name": "c"}"#), .add("0", #"{"id":0}"#)],
                """
                [
                  {"id":0},
                  {"id":1, "name":"a"},
                  {"id":2, "name":"b"},
                  {"id":3,"name":"c"}
                ]
                """),
            EditCase(
                "an object too long for one line",
                """
                {
                  "a": { "x": 1 }
                }
                """,
                [
                    .add(
                        "c",
                        #"{"a": "twenty characters or so", "b": "twenty characters or so", "c": "twenty characters or so"}"#
                    )
                ],
                """
                {
                  "a": { "x": 1 },
                  "c": {
                    "a": "twenty characters or so",
                    "b": "twenty characters or so",
                    "c": "twenty characters or so"
                  }
                }
                """),
            EditCase(
                "no spaces around colons",
                """
                {
                  "a":1,
                  "b":2
                }
                """,
                [.add("c", #"{"d": 1, "e": {"f": [1, 2]}}"#)],
                """
                {
                  "a":1,
                  "b":2,
                  "c":{
                    "d":1,
                    "e":{
                      "f":[1,2]
                    }
                  }
                }
                """),
            EditCase(
                "spaces on both sides of colons",
                """
                {
                  "a" : 1
                }
                """,
                [.add("c", #"{"d": 1}"#)],
                """
                {
                  "a" : 1,
                  "c" : {
                    "d" : 1
                  }
                }
                """),
            EditCase(
                "members after their comments",
                """
                {
                  /* one */ "a": 1,
                  /* two */ "b": 2
                }
                """,
                [.add("c", #"{"x": 1}"#), .set("a", #"{"y": [1]}"#)],
                """
                {
                  /* one */ "a": {
                    "y": [1]
                  },
                  /* two */ "b": 2,
                  "c": {
                    "x": 1
                  }
                }
                """),
            EditCase(
                "a value after a comma that starts the line",
                """
                { "a": 1
                , "b": 2
                }
                """,
                [.set("b", #"{"x": 1, "y": {"z": 1}}"#)],
                """
                { "a": 1
                , "b": {
                    "x": 1,
                    "y": {
                      "z": 1
                    }
                  }
                }
                """),
            EditCase(
                "an element before the first one, commas starting the lines",
                """
                [
                    1
                  , 2
                  , 3
                ]
                """,
                [.add("0", "0")],
                """
                [
                    0
                  , 1
                  , 2
                  , 3
                ]
                """),
            EditCase(
                "an element before the first one, on the bracket's line",
                """
                [ 1
                , 2
                , 3
                ]
                """,
                [.add("0", "0")],
                """
                [ 0
                , 1
                , 2
                , 3
                ]
                """),
            EditCase(
                "a comment in an empty object on one line",
                #"{"a":{ /* none */ },"b":1}"#,
                [.add("a.x", "1")],
                #"{"a":{ /* none */ "x":1 },"b":1}"#),
            EditCase(
                "a comment in an empty array on one line",
                #"{ "a": [/* none */], "b": 1 }"#,
                [.add("a.0", "1")],
                #"{ "a": [/* none */1], "b": 1 }"#),
        ])
}
