import { setTimeout as sleep } from 'node:timers/promises';
import { callJson, expectedCost } from '@gateway/testing';
import { PlainError } from '../../infra/local/print.mjs';
import { MODELS } from './callers/models.mjs';
import { runOnce } from './run-caller.mjs';

const TIMEOUT_MS = 30_000;
/** A task with a lost submission is looked up first, which takes time. */
const TASK_TIMEOUT_MS = 180_000;
const LOOK_AGAIN_MS = 200;

/** Waits until every hold has ended and every settlement is in the ledger, up to a time-out. */
async function waitUntilSettled({ redisMoney }) {
  const untilMs = Date.now() + TIMEOUT_MS;
  const isSettled = async () => (await redisMoney.openHolds()) === 0 && (await redisMoney.unbookedEvents()) === 0;
  while (!(await isSettled()) && Date.now() < untilMs) await sleep(LOOK_AGAIN_MS);
}

/** Waits until every task has ended; returns the number of open ones. */
async function openTasksOf({ ledger }, { accountId }) {
  const untilMs = Date.now() + TASK_TIMEOUT_MS;
  for (;;) {
    const open = await ledger.openTasks(accountId);
    if (open === 0 || Date.now() > untilMs) return open;
    await sleep(LOOK_AGAIN_MS);
  }
}

/** The gateway's model for each upstream name, observed rather than configured. */
export async function upstreamNames({ simulator }, callers, tally) {
  const names = new Map();
  for (const [model, caller] of callers) {
    const since = await simulator.lastSeq();
    if (!(await runOnce(caller, tally))) throw new PlainError(`${model} does not work: ${tally.faults.at(-1)}`);
    for (const call of await simulator.closedJournal(since)) if (call.model !== null) names.set(call.model, model);
  }
  return names;
}

/** The system's own reconciliation, from a round that began after the system had settled. */
async function reconciliationOf(accounts) {
  const untilMs = Date.now() + TIMEOUT_MS;
  for (;;) {
    const { orphan_holds, unsettled_events, drift_nano_usd } = await accounts.reconciliation();
    const figures = { orphan_holds, unsettled_events, drift_nano_usd };
    const isConsistent = Object.values(figures).every((value) => Number(value) === 0);
    if (isConsistent || Date.now() > untilMs) return figures;
    await sleep(LOOK_AGAIN_MS);
  }
}

const sumByModel = (rows) => {
  const sums = new Map();
  for (const { model, nanoUsd } of rows) sums.set(model, (sums.get(model) ?? 0n) + nanoUsd);
  return sums;
};

const distance = (a = 0n, b = 0n) => (a > b ? a - b : b - a);

/** The upstreams' invoices at the published prices beside the ledger's charges, for each model. */
function compare(billed, charged) {
  return Object.values(MODELS).map((model) => ({
    model,
    billedNanoUsd: billed.get(model) ?? 0n,
    chargedNanoUsd: charged.get(model) ?? 0n,
    differenceNanoUsd: distance(billed.get(model), charged.get(model)),
  }));
}

/**
 * The money of the run. The upstreams' invoices must equal the ledger, and each served request has one settlement.
 * Nothing is charged without a response, and the audit finds nothing.
 */
export async function readMoney({ stack, accounts, customer, smallBalance }, { names, tally, baseUrl }) {
  const openTasks = await openTasksOf(stack, customer);
  await waitUntilSettled(stack);
  const { data: models } = await callJson(`${baseUrl}/v1/models`, { token: customer.apiKey });
  const priceOf = (id) => models.find((model) => model.id === id);
  const calls = await stack.simulator.closedJournal(0);
  const billed = calls
    .filter((call) => call.billed !== null)
    .map((call) => {
      const model = names.get(call.model);
      if (model === undefined) throw new Error(`no caller requested ${call.model}`);
      return { model, nanoUsd: expectedCost(priceOf(model), call.billed) };
    });
  const settlements = [];
  for (const { accountId } of [customer, smallBalance])
    settlements.push(...(await stack.ledger.settlements(accountId)));
  const completed = new Set(settlements.filter(({ outcome }) => outcome === 'completed').map((row) => row.requestId));
  const served = [...tally.requests].filter(([, { hasResponse }]) => hasResponse).map(([id]) => id);
  return {
    calls: calls.length,
    settlements: settlements.length,
    models: compare(
      sumByModel(billed),
      sumByModel(settlements.map(({ model, costNanoUsd }) => ({ model, nanoUsd: costNanoUsd }))),
    ),
    /** Requests with a response that the ledger does not have as completed. */
    lost: served.filter((id) => !completed.has(id)),
    /** Charged requests without a response to a client: charged twice, or for nothing. */
    chargedForNothing: settlements
      .filter(({ requestId, costNanoUsd }) => costNanoUsd > 0n && !tally.requests.has(requestId))
      .map(({ requestId, model }) => `${requestId} (${model})`),
    openTasks,
    findings: await stack.audit(),
    reconciliation: await reconciliationOf(accounts),
  };
}
