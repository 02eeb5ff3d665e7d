// Times node's JSON.parse on a folder of documents, and writes the results in the form of Google Benchmark:
//
//     node node.mjs DOCUMENTS REPETITIONS MINIMUM_SECONDS > node.json
//
// "JSON.parse" begins with a string, "JSON.parse of bytes" with the bytes of the file, as the others do.

import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";

const [folder, repetitions, minimumSeconds] = process.argv.slice(2);

let kept; // so that the work cannot be left out

function secondsFor(iterations, work) {
  const start = { wall: process.hrtime.bigint(), cpu: process.cpuUsage() };
  for (let i = 0; i < iterations; i++) kept = work();
  const wall = Number(process.hrtime.bigint() - start.wall) / 1e9;
  const { user, system } = process.cpuUsage(start.cpu);
  return { wall, cpu: (user + system) / 1e6 };
}

/// How many iterations fill the minimum time, found out by doing them: that also warms the compiler up.
function sufficientIterations(work) {
  let iterations = 1;
  for (;;) {
    const { wall: seconds } = secondsFor(iterations, work);
    if (seconds >= minimumSeconds) return iterations;
    const aim = Math.ceil((1.2 * iterations * minimumSeconds) / Math.max(seconds, 1e-9));
    iterations = Math.min(aim, 10 * iterations);
  }
}

const cases = readdirSync(folder).flatMap((file) => {
  const [shape, size] = basename(file, ".json").split("-");
  const bytes = readFileSync(join(folder, file));
  const text = bytes.toString("utf8");
  return [
    { name: `parse/${shape}/${size}/JSON.parse`, work: () => JSON.parse(text) },
    { name: `parse/${shape}/${size}/JSON.parse of bytes`, work: () => JSON.parse(bytes.toString("utf8")) },
  ];
});

for (const one of cases) one.iterations = sufficientIterations(one.work);

const benchmarks = [];
for (let repetition = 0; repetition < Number(repetitions); repetition++) {
  for (const { name, work, iterations } of cases) {
    const { wall, cpu } = secondsFor(iterations, work);
    const [real_time, cpu_time] = [wall, cpu].map((seconds) => (seconds * 1e9) / iterations);
    benchmarks.push({ name, run_type: "iteration", iterations, real_time, cpu_time, time_unit: "ns" });
  }
}
console.log(JSON.stringify({ context: { node: process.version }, benchmarks }, null, 2));
