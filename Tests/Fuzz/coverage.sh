#!/usr/bin/env bash
# Prints how much of Sources/LosslessJSON the corpus reaches: the seeds, and what run.sh has found so far.
set -euo pipefail
cd "$(dirname "$0")"

# The toolchain's own tools: those of another LLVM do not read its profiles.
tools=$(dirname "$(readlink -f "$(command -v swift)")")
scratch=.build/coverage
mkdir -p .build/corpus

swift build --scratch-path "$scratch" --product CorpusReplay -Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping
LLVM_PROFILE_FILE=$scratch/replay.profraw "$scratch/debug/CorpusReplay" Corpus .build/corpus
"$tools/llvm-profdata" merge "$scratch/replay.profraw" -o "$scratch/replay.profdata"

echo "Inputs: $(find Corpus .build/corpus -type f | wc -l)"
"$tools/llvm-cov" report "$scratch/debug/CorpusReplay" -instr-profile="$scratch/replay.profdata" \
    -ignore-filename-regex='Tests/'
