-- For wrk: counts answers of / that mix versions of the settings.
-- The editor of load.py writes the same number into the greeting and into the name of a feature.
local threads = {}

function setup(thread)
    table.insert(threads, thread)
end

function init()
    wrong = 0
end

function response(status, headers, body)
    local greeting, feature = body:match('"greeting":"number (%d+)","features":%["number (%d+)"%]')
    if status ~= 200 or not greeting or greeting ~= feature then wrong = wrong + 1 end
end

function done(summary)
    local wrong = 0
    for _, thread in ipairs(threads) do wrong = wrong + thread:get("wrong") end
    local errors = summary.errors
    io.write(string.format("requests=%d microseconds=%d wrong=%d failed=%d\n", summary.requests, summary.duration, wrong,
        errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
