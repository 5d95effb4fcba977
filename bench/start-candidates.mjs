import { step } from '../infra/local/print.mjs';
import { openDirect } from './candidates/direct.mjs';
import { startGateway } from './candidates/gateway.mjs';
import { startPassThrough } from './candidates/pass-through.mjs';
import { startPortkey } from './candidates/portkey.mjs';
import { startLoadGenerator } from './load/start-load-generator.mjs';
import { Settlements } from './measure/settlements.mjs';
import { startOwnPostgres } from './start-own-postgres.mjs';

/** Ends a round only when the ledger has every request of the gateway, and counts them. */
function countedByLedger(gateway, settlements) {
  return {
    ...gateway,
    requests: 0,
    async untilDone(requestCount, sinceMs) {
      this.requests += requestCount;
      await settlements.waitFor(requestCount, sinceMs);
    },
  };
}

/** Starts the stores, the candidates and the load generator; each adds its clean-up to `onStop`. */
export async function startCandidates(setup) {
  const { folder, node, record, secrets, onUnexpectedExit, onStop } = setup;
  const postgres = await startOwnPostgres(setup);
  const started = await step('Gateway', () =>
    startGateway({ node, record, secrets, onUnexpectedExit, postgres, env: setup.env ?? {} }),
  );
  onStop(() => started.stop());
  const settlements = await Settlements.open(started.stack.databaseUrl, started.accountId);
  onStop(() => settlements.close());
  const gateway = countedByLedger(started, settlements);
  const others = { simulatorUrl: started.stack.simulatorUrl, node, folder, record, onUnexpectedExit };
  const passThrough = await step('Pass-through', () => startPassThrough(others));
  onStop(() => passThrough.stop());
  const portkey = await step('Portkey', () => startPortkey(others));
  onStop(() => portkey.stop());
  const generator = startLoadGenerator(node);
  onStop(() => generator.stop());
  const candidates = [openDirect(others), passThrough, portkey, gateway];
  return { candidates, gateway, generator, settlements, signal: setup.signal };
}
