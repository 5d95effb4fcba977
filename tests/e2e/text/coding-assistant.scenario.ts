import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ModelEntry } from '@gateway/contracts';
import { callJson, expectedCost, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { hasClientPrograms, runProgram } from '../clients/client-programs.js';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';

/** The program `claude` of the npm package @anthropic-ai/claude-code. */
const SCRIPT = '@anthropic-ai/claude-code/cli-wrapper.cjs';
const scenario = hasClientPrograms ? describe : describe.skip;

scenario('the command-line coding assistant, configured with an address and a key only', () => {
  const openAll = async () => {
    const stack = await startTestStack();
    await stack.system.add('mcp-server');
    const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 0, concurrency: 0 } });
    const home = await mkdtemp(join(tmpdir(), 'coding-assistant-'));
    const { data } = await callJson<{ data: ModelEntry[] }>(`${stack.baseUrl}/v1/models`, { token: customer.apiKey });
    return { stack, customer, home, models: data };
  };
  // Inside the scenario: a skipped one must not start a system.
  let opened: ReturnType<typeof openAll> | undefined;
  const open = () => {
    opened ??= openAll();
    return opened;
  };
  afterAll(async () => {
    const { stack, home } = await open();
    await rm(home, { recursive: true, force: true });
    await stack.stop();
  });

  async function assist(prompt: string, ...args: string[]): Promise<string> {
    const { stack, customer, home } = await open();
    return runProgram({
      script: SCRIPT,
      args: ['-p', prompt, '--allowedTools', 'Read', ...args],
      home,
      env: {
        ANTHROPIC_BASE_URL: stack.baseUrl,
        ANTHROPIC_AUTH_TOKEN: customer.apiKey,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        // By default it offers the model a search for MCP tools instead of the tools.
        ENABLE_TOOL_SEARCH: 'false',
      },
    });
  }

  /** Expects the charges to equal the invoices of all calls. */
  async function expectAllCharged(since: number, act: () => Promise<unknown>): Promise<void> {
    const { stack, customer, models } = await open();
    await waitUntilSettled(stack, [customer]);
    const before = await stack.ledger.settlements(customer.accountId);
    await act();
    await waitUntilSettled(stack, [customer]);
    const settled = (await stack.ledger.settlements(customer.accountId)).slice(before.length);
    const calls = await stack.simulator.closedJournal(since);
    const invoices = calls.flatMap(({ model, billed }) =>
      model !== null && billed !== null ? [{ model, billed }] : [],
    );
    const invoiced = invoices.map(({ model, billed }) => {
      const entry = models.find(({ aliases }) => aliases.includes(model));
      return entry === undefined ? 0n : expectedCost(entry, billed);
    });
    const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
    expect(invoiced.length).toBeGreaterThan(1);
    expect(sum(settled.map(({ chargedNanoUsd }) => chargedNanoUsd))).toBe(sum(invoiced));
  }

  it.each([
    ['by itself', [], 'claude-opus-5-5'],
    ['as sonnet', ['--model', 'sonnet'], 'claude-sonnet-5-5'],
    ['as haiku', ['--model', 'haiku'], 'claude-haiku-5-5'],
    ['as a vendor name', ['--model', 'claude-sonnet-4-6'], 'claude-sonnet-4-6'],
    ['as the default of an older release', ['--model', 'claude-opus-4-8'], 'claude-opus-5-5'],
    ['as a public id', ['--model', 'cl-opus-4-7'], 'claude-opus-4-7'],
    ['of another vendor', ['--model', 'gm-2.5-pro'], 'gemini-2.5-pro'],
    ['of a second other vendor', ['--model', 'qn3.8-omni-flash'], 'qwen3.8-omni-flash'],
    ['of a third other vendor', ['--model', 'gp-5.4-mini'], 'gpt-5.4-mini'],
  ])('calls a tool and reports its result, with the model chosen %s', async (_how, args, upstreamModel) => {
    const { stack } = await open();
    const since = await stack.simulator.lastSeq();
    await expectAllCharged(since, async () => {
      expect(await assist('{{sim tool=Read}} Read it', ...args)).toContain('The tool answered:');
    });
    const calls = await stack.simulator.journal(since);
    expect(calls.filter(({ status }) => status === 200).map(({ model }) => model)).toContain(upstreamModel);
  });

  it.each([
    ['get_balance', '"available_usd"'],
    // The simulated model fills in every argument, and the speech model rejects this one.
    ['speak', "unsupported_parameter: 'instructions'"],
  ])('calls %s of the configured MCP server and reads its result', async (tool, words) => {
    const { stack, customer } = await open();
    const headers = { Authorization: `Bearer ${customer.apiKey}` };
    const mcpServers = { gateway: { type: 'http', url: stack.system.mcpUrl, headers } };
    const name = `mcp__gateway__${tool}`;
    const since = await stack.simulator.lastSeq();
    await expectAllCharged(since, async () => {
      const config = ['--mcp-config', JSON.stringify({ mcpServers }), '--strict-mcp-config'];
      const response = await assist(`{{sim tool=${name}}} Use it`, ...config, '--allowedTools', name);
      expect(response).toContain('The tool answered:');
      const [request] = (await stack.simulator.requests(since)).slice(-1);
      expect(JSON.stringify(JSON.parse(request?.body ?? '{}'))).toContain(JSON.stringify(words).slice(1, -1));
    });
  });

  it('lists the models that it may use', async () => {
    const { stack, customer } = await open();
    const page = await fetch(`${stack.baseUrl}/v1/models?limit=1000`, {
      headers: { authorization: `Bearer ${customer.apiKey}`, 'anthropic-version': '2023-06-01' },
    });
    const { data } = (await page.json()) as { data: { id: string; display_name: string }[] };
    const chosen = data.filter(({ id }) => id.startsWith('claude'));
    expect(chosen).toContainEqual(expect.objectContaining({ id: 'claude-opus-5-5', display_name: 'Claude Opus 5.5' }));
  });

  it('leaves a consistent ledger', async () => {
    const { stack, customer } = await open();
    await expectConsistentLedger(stack, [customer]);
  });
});
