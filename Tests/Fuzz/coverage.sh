#!/usr/bin/env bash
# Prints the coverage of Sources/LosslessJSON by the corpus: the seeds, and the inputs that run.sh has added so far.
set -euo pipefail
cd "$(dirname "$0")"
swift=${SWIFT:-swift}

# Uses the LLVM tools of the toolchain, because other versions cannot read its profiles.
tools=$(dirname "$(readlink -f "$(command -v swift)")")
scratch=.build/coverage
mkdir -p .build/corpus/ParserFuzz

"$swift" build --scratch-path "$scratch" --product CorpusReplay -Xswiftc -enable-testing -Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping
LLVM_PROFILE_FILE=$scratch/replay.profraw "$scratch/debug/CorpusReplay" Corpus .build/corpus/*/
"$tools/llvm-profdata" merge "$scratch/replay.profraw" -o "$scratch/replay.profdata"

echo "Inputs: $(find Corpus .build/corpus -type f | wc -l)"
"$tools/llvm-cov" report "$scratch/debug/CorpusReplay" -instr-profile="$scratch/replay.profdata" \
    -ignore-filename-regex='Tests/'
