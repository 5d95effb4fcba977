/** All rounds of the run, by scenario and candidate. */
export class Results {
  #rounds = new Map();
  errors = {};

  add(scenario, candidate, round) {
    const key = `${scenario} / ${candidate}`;
    this.#rounds.set(key, [...(this.#rounds.get(key) ?? []), round]);
    for (const [text, count] of Object.entries(round.errors)) {
      const where = `${key}: ${text}`;
      this.errors[where] = (this.errors[where] ?? 0) + count;
    }
  }

  /** Combines the rounds of one scenario and candidate; undefined without rounds. */
  of(scenario, candidate) {
    const rounds = this.#rounds.get(`${scenario} / ${candidate}`);
    return rounds === undefined ? undefined : summaryOf(rounds);
  }

  get hasErrors() {
    return Object.keys(this.errors).length > 0;
  }
}

const sum = (rounds, pick) => rounds.reduce((total, round) => total + pick(round), 0);

/** Undefined where a round lacks this number. */
const ratioOf = (rounds, above, below) => {
  const value = sum(rounds, above) / sum(rounds, below);
  return Number.isFinite(value) ? value : undefined;
};

function percentiles(rounds, name) {
  const all = Float64Array.from(rounds.flatMap((round) => [...(round[name] ?? [])])).sort();
  const at = (share) => all[Math.min(all.length - 1, Math.floor(all.length * share))];
  return { p50: at(0.5), p99: at(0.99) };
}

/** Milliseconds of each process for each unit of work. Undefined where they cannot be measured. */
function partsOf(rounds, unitsOf) {
  const [{ partsCpuMs }] = rounds;
  if (partsCpuMs === undefined) return undefined;
  const cpuMsOf = (part) => ratioOf(rounds, (round) => round.partsCpuMs[part], unitsOf);
  return Object.fromEntries(Object.keys(partsCpuMs).map((part) => [part, cpuMsOf(part)]));
}

function summaryOf(rounds) {
  const latency = percentiles(rounds, 'latenciesMs');
  const firstChunk = percentiles(rounds, 'firstChunksMs');
  return {
    perSecond: ratioOf(
      rounds,
      (round) => round.answered * 1_000,
      (round) => round.elapsedMs,
    ),
    p50Ms: latency.p50,
    p99Ms: latency.p99,
    chunksPerSecond: ratioOf(
      rounds,
      (round) => round.chunksInWindow * 1_000,
      (round) => round.elapsedMs,
    ),
    firstChunkP50Ms: firstChunk.p50,
    firstChunkP99Ms: firstChunk.p99,
    cpuMsPerRequest: ratioOf(
      rounds,
      (round) => round.cpuMs,
      (round) => round.responseCount,
    ),
    partsCpuMsPerRequest: partsOf(rounds, (round) => round.responseCount),
    partsCpuMsPer1000Chunks: partsOf(rounds, (round) => round.chunksInAll / 1_000),
    cpuMsPer1000Chunks: ratioOf(
      rounds,
      (round) => round.cpuMs * 1_000,
      (round) => round.chunksInAll,
    ),
    peakBytes: rounds.every((round) => round.peakBytes === undefined)
      ? undefined
      : Math.max(...rounds.map((round) => round.peakBytes)),
  };
}
