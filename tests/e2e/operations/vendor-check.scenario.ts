import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestStack } from '@gateway/testing';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';

const DAY = '2026-11-22';
const stack = await startTestStack({ services: ['upstream-simulator'], commonEnv: { CATALOGUE_AT: DAY } });
afterAll(() => stack.stop());

const PROGRAM = new URL('../../../apps/vendor-check/dist/bundle/main.js', import.meta.url).pathname;
const SIMULATOR = { SIMULATOR_URL: stack.simulator.url };

/** Runs the command with only these variables; no credential of the machine reaches it. */
const run = (args: readonly string[], env: Readonly<Record<string, string>> = SIMULATOR) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    execFile(process.execPath, [PROGRAM, ...args], { env: { CATALOGUE_AT: DAY, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });

let proxy: Server | undefined;
afterEach(async () => {
  const closing = proxy;
  proxy = undefined;
  closing?.closeAllConnections();
  await new Promise<void>((resolve) => (closing === undefined ? resolve() : closing.close(() => resolve())));
});

/** The simulator's OpenAI, whose answers a person has changed. */
async function changedOpenAi(change: (body: string) => string): Promise<Readonly<Record<string, string>>> {
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const response = await fetch(`${stack.simulator.url}/openai${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers: { authorization: String(incoming.headers.authorization), 'content-type': 'application/json' },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    outgoing.writeHead(response.status, { 'content-type': response.headers.get('content-type') ?? 'application/json' });
    outgoing.end(change(await response.text()));
  });
  proxy = server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { OPENAI_API_KEY: 'sk-vendor-secret', OPENAI_BASE_URL: `http://127.0.0.1:${port}` };
}

describe('compare', () => {
  it('names what a vendor has ended, and costs nothing', async () => {
    const since = await stack.simulator.lastSeq();
    const { code, output } = await run(['compare', 'ark', 'gemini', 'anthropic', 'voyage']);
    expect(code).toBe(1);
    expect(output).toMatch(/gone +ark +seedance-1-5-pro-251215 +seedance-1.5-pro +listed as shut down/);
    expect(output).not.toMatch(/gone +(gemini|anthropic)/);
    expect((await stack.simulator.journal(since)).every(({ billed }) => billed === null)).toBe(true);
  });

  it('finds a model that is gone, another day, and a model that is closed to one of two credentials', async () => {
    const changed = await changedOpenAi((body) =>
      body.replaceAll('gpt-5.4-pro', 'gpt-5.9-pro').replaceAll('2026-12-11', '2027-01-11'),
    );
    const gone = await run(['compare', 'openai'], changed);
    expect(gone.code).toBe(1);
    expect(gone.output).toMatch(/gone +openai +gpt-5\.4-pro +gp-5\.4-pro +no credential gets it/);
    expect(gone.output).toMatch(/date +openai +gpt-5-pro +gp-5-pro +vendor: 2027-01-11, catalogue: 2026-12-11/);
    expect(gone.output).toMatch(/new: openai: .*gpt-5\.9-pro/);
    const channels = [
      { id: 'one', apiKey: 'k', baseUrl: `${stack.simulator.url}/openai` },
      { id: 'two', apiKey: 'k', baseUrl: String(changed.OPENAI_BASE_URL) },
    ];
    const closed = await run(['compare', 'openai'], { OPENAI_CHANNELS: JSON.stringify(channels) });
    expect(closed.output).toMatch(/closed +openai +gpt-5\.4-pro +gp-5\.4-pro +not for two/);
  });

  it('says which vendors it could not ask', async () => {
    const { code, output } = await run(['compare', 'gemini'], {});
    expect([code, output]).toEqual([2, expect.stringContaining('not asked: gemini: GEMINI_API_KEY is not set')]);
    const refused = await run(['compare', 'anthropic'], {
      ANTHROPIC_API_KEY: 'bad-key',
      ANTHROPIC_BASE_URL: `${stack.simulator.url}/anthropic`,
    });
    expect(refused.code).toBe(2);
    expect(refused.output).not.toContain('bad-key');
  });

  it('explains itself when it is called wrongly', async () => {
    const { code, output } = await run(['compare', 'acme']);
    expect([code, output]).toEqual([2, expect.stringContaining("'acme' is no vendor")]);
  });
});

describe('probe', () => {
  it.each(['openai', 'anthropic', 'gemini', 'dashscope', 'voyage', 'ark', 'xai'])(
    '%s is as the adapters expect, and costs at most what was announced',
    async (vendor) => {
      const { code, output } = await run(['probe', vendor, '--yes']);
      expect([code, output]).toEqual([0, expect.stringContaining('as expected')]);
      expect(output).not.toContain('differs');
      expect(output).toMatch(/a model that does not exist: status 40\d, taken for 'model'/);
    },
  );

  it('spends nothing without consent', async () => {
    const since = await stack.simulator.lastSeq();
    const { code, output } = await run(['probe', 'openai']);
    expect([code, output]).toEqual([2, expect.stringMatching(/3 calls to .* cost at most \$0\.\d+\. Continue\?/)]);
    expect(await stack.simulator.journal(since)).toEqual([]);
  });

  it('names an unknown counter', async () => {
    const counted = await run(
      ['probe', 'openai', '--yes'],
      await changedOpenAi((body) => body.replaceAll('"total_tokens"', '"agent_steps":7,"total_tokens"')),
    );
    expect([counted.code, counted.output]).toEqual([1, expect.stringContaining("unknown counter 'agent_steps'")]);
  });

  it('names a count that is missing, and an answer that the adapter cannot read', async () => {
    const uncounted = await changedOpenAi((body) => body.replaceAll('"usage"', '"usage_of_old"'));
    const { code, output } = await run(['probe', 'openai', '--yes'], uncounted);
    expect([code, output]).toEqual([1, expect.stringContaining('the vendor sent no count')]);
    expect(output).not.toContain('sk-vendor-secret');
  });

  it('names an answer that the adapter cannot read', async () => {
    const { code, output } = await run(['probe', 'openai', '--yes'], await changedOpenAi(() => '<html>busy</html>'));
    expect([code, output]).toEqual([1, expect.stringContaining('the adapter cannot read it')]);
  });

  it('does not take a refused credential for a difference', async () => {
    const env = { OPENAI_API_KEY: 'bad-key', OPENAI_BASE_URL: `${stack.simulator.url}/openai` };
    const { code, output } = await run(['probe', 'openai', '--yes'], env);
    expect([code, output]).toEqual([2, expect.stringContaining("taken for 'credential'")]);
    expect(output).not.toContain('bad-key');
  });
});
