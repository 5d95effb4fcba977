import { line, step } from '../infra/local/print.mjs';
import { startGateway } from './candidates/gateway.mjs';
import { startLoadGenerator } from './load/start-load-generator.mjs';
import { measureRound } from './measure/measure-round.mjs';
import { Results } from './measure/results.mjs';
import { Settlements } from './measure/settlements.mjs';
import { printErrors } from './report/print-report.mjs';
import { scenarios } from './rounds.mjs';
import { startOwnPostgres } from './start-own-postgres.mjs';

const NAMES = ['sent', 'kept', 'kept, not read'];
const MEASURED = [scenarios.some, scenarios.large];
const TIMES = { durationMs: 4_000 };
const WARM_UP = { durationMs: 8_000 };

async function startSystem(setup) {
  const { node, record, secrets, onUnexpectedExit, onStop } = setup;
  const postgres = await startOwnPostgres(setup);
  const gateway = await step('Gateway', () =>
    startGateway({ node, record, secrets, onUnexpectedExit, postgres, env: {} }),
  );
  onStop(() => gateway.stop());
  const settlements = await Settlements.open(gateway.stack.databaseUrl, gateway.accountId);
  onStop(() => settlements.close());
  const generator = startLoadGenerator(node);
  onStop(() => generator.stop());
  return { gateway, settlements, generator };
}

/**
 * One gateway and the same requests, whose responses are only sent, or kept for a day. Who waits for a kept response also has it
 * read and sent; who takes it later has not, so that is what keeping alone costs.
 */
function candidatesOf({ gateway, settlements }) {
  const untilDone = (requestCount, sinceMs) => settlements.waitFor(requestCount, sinceMs);
  const { headers, ...target } = gateway.target;
  const preferring = (prefer) => ({ target: { ...target, headers: { ...headers, prefer } } });
  return [
    { ...gateway, name: NAMES[0], untilDone },
    { ...gateway, name: NAMES[1], untilDone, ...preferring('wait=60') },
    { ...gateway, name: NAMES[2], untilDone, ...preferring('respond-async'), expected: { isLater: true } },
  ];
}

function printCosts(results, scenario) {
  const [sent, ...kept] = NAMES.map((name) => ({ name, result: results.of(scenario, name) }));
  line();
  for (const { name, result } of [sent, ...kept]) {
    const { cpuMsPerRequest: all, partsCpuMsPerRequest: parts = {}, perSecond } = result;
    const shares = Object.entries(parts).map(([part, ms]) => `${part} ${ms.toFixed(2)}`);
    line(`${scenario}, ${name}: ${all?.toFixed(2)} ms of processor time a request (${shares.join(', ')})`);
    line(`${scenario}, ${name}: ${perSecond.toFixed(0)} requests a second`);
  }
  for (const { name, result } of kept) {
    const ratio = result.cpuMsPerRequest / sent.result.cpuMsPerRequest;
    line(`${scenario}, ${name}: ratio ${ratio.toFixed(2)}`);
  }
}

async function measureInTurn({ generator }, candidates, { rounds, scenario, times, signal }) {
  const measured = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const candidate of round % 2 === 0 ? candidates : candidates.toReversed()) {
      signal.throwIfAborted();
      const result = await measureRound({ generator, candidate, scenario, times });
      measured.push({ name: candidate.name, result });
    }
  }
  return measured;
}

/** Measures what it costs to keep a response, in turn with responses that are not kept. Returns whether all were correct. */
export async function runKeptBench({ isQuick, signal, ...setup }) {
  const system = await startSystem(setup);
  const candidates = candidatesOf(system);
  const results = new Results();
  const warmUp = { rounds: 1, scenario: scenarios.some, times: WARM_UP, signal };
  await step('Warm-up', () => measureInTurn(system, candidates, warmUp));
  for (const scenario of MEASURED) {
    const plan = { rounds: isQuick ? 1 : 4, scenario, times: TIMES, signal };
    for (const { name, result } of await step(scenario.name, () => measureInTurn(system, candidates, plan)))
      results.add(scenario.name, name, result);
  }
  for (const { name } of MEASURED) printCosts(results, name);
  if (results.hasErrors) printErrors(results.errors);
  return !results.hasErrors;
}
