import { setTimeout as sleep } from 'node:timers/promises';
import { line, PlainError, step } from '../infra/local/print.mjs';
import { measureIdle, measureRound } from './measure/measure-round.mjs';
import { Results } from './measure/results.mjs';
import { printErrors, printLedger, printOtherAdapters, printShares, printTable } from './report/print-report.mjs';
import { rowsOf, sharesOf } from './report/rows.mjs';
import { ADAPTER_MODELS, planOf, scenarios } from './rounds.mjs';
import { startCandidates } from './start-candidates.mjs';

/** The candidates in turn, each round with another first one, so that disturbances affect all alike. */
const inTurn = (candidates, round) => candidates.map((_, at) => candidates[(at + round) % candidates.length]);

async function warmUp({ generator, candidates }, plan) {
  // Without a gateway there is only the upstream, which the others have warmed.
  for (const candidate of candidates.filter(({ name }) => name !== 'direct')) {
    for (const part of plan.warmUp) {
      const { errors } = await measureRound({ generator, candidate, ...part });
      if (Object.keys(errors).length > 0) throw new PlainError(`${candidate.name} fails: ${JSON.stringify(errors)}`);
    }
  }
}

async function idleOf({ candidates }, plan) {
  await sleep(plan.settleMs);
  const measured = await Promise.all(
    candidates.map(async (candidate) => [candidate.name, await measureIdle(candidate, plan.atRestMs)]),
  );
  return new Map(measured);
}

async function measureAll({ generator, candidates, signal }, plan) {
  const results = new Results();
  for (const { scenario, rounds, times } of plan.measured) {
    await step(scenario.name, async (note) => {
      for (let round = 0; round < rounds; round += 1) {
        for (const candidate of inTurn(candidates, round)) {
          signal.throwIfAborted();
          note(`round ${round + 1} of ${rounds}, ${candidate.name}`);
          results.add(scenario.name, candidate.name, await measureRound({ generator, candidate, scenario, times }));
        }
      }
      note(`${rounds} ${rounds === 1 ? 'round' : 'rounds'}`);
    });
  }
  return results;
}

async function measureOtherAdapters({ generator, gateway }, plan, results) {
  const times = { durationMs: plan.adapterMs };
  const adapters = [];
  for (const [adapter, model] of Object.entries(ADAPTER_MODELS)) {
    const round = await measureRound({ generator, candidate: gateway, scenario: scenarios.some, times, model });
    results.add(adapter, gateway.name, round);
    adapters.push({ adapter, model, summary: results.of(adapter, gateway.name) });
  }
  return adapters;
}

/**
 * Measures a bare pass-through, Portkey and the gateway with the same upstream in one run and prints the table. Returns
 * whether every response was correct and the ledger has each of the gateway's requests once.
 */
export async function runBench(setup) {
  const plan = planOf(setup.isQuick);
  const bench = await startCandidates(setup);
  const names = bench.candidates.map(({ name }) => name);
  await step('Warm-up', () => warmUp(bench, plan));
  const idle = await step('Idle', () => idleOf(bench, plan));
  const results = await measureAll(bench, plan);
  const adapters = await step('Other adapters', () => measureOtherAdapters(bench, plan, results));
  printTable(rowsOf({ plan, results, idle, names }), names);
  printShares(sharesOf({ plan, results, idle, name: bench.gateway.name }));
  printOtherAdapters(adapters);
  const isLedgerExact = printLedger(await bench.settlements.read(), bench.gateway.requests);
  if (results.hasErrors) printErrors(results.errors);
  else line('Errors: none.');
  return isLedgerExact && !results.hasErrors;
}
