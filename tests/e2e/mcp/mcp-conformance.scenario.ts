import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SuiteProxy, startTestStack, type ToolCall } from '@gateway/testing';
import { afterAll, expect, it } from '@jest/globals';

const run = promisify(execFile);
const suite = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js');

const messagesOf = (content: string) => [{ role: 'user', content }];

/** The suite calls its own tools without arguments; these tools of the gateway do the same. */
const TOOLS: Readonly<Record<string, ToolCall>> = {
  test_simple_text: { name: 'chat', arguments: { model: 'gm-2.5-flash', messages: messagesOf('Say hello') } },
  test_image_content: {
    name: 'generate_image',
    arguments: { model: 'gp-image-2', prompt: 'A lighthouse', quality: 'low' },
  },
  test_audio_content: {
    name: 'speak',
    arguments: { model: 'qn3-tts-flash', input: 'Hello', response_format: 'wav' },
  },
  test_error_handling: { name: 'chat', arguments: { model: 'gm-2.5-flash', messages: [] } },
  test_tool_with_progress: {
    name: 'chat',
    arguments: { model: 'gm-2.5-flash', messages: messagesOf('{{sim chunks=5 words=30}} Go') },
  },
};

const NO_RESOURCES = 'the server has tools and no resources';
const NO_PROMPTS = 'the server has tools and no prompts';
const NO_CLIENT_REQUESTS = 'no tool sends requests to the client: they need a session, and the server has none';
const NO_LOGS = 'the server sends no logs to clients: the revision of 2026-07-28 removes them';

/** What the suite expects of servers with sessions, resources or prompts. All other scenarios must pass. */
const NOT_APPLICABLE: Readonly<Record<string, string>> = {
  'logging-set-level': NO_LOGS,
  'tools-call-with-logging': NO_LOGS,
  'completion-complete': 'the server has no prompts and no templates to complete',
  'tools-call-embedded-resource': NO_RESOURCES,
  'tools-call-mixed-content': 'it expects an embedded resource in the content',
  'tools-call-sampling': NO_CLIENT_REQUESTS,
  'tools-call-elicitation': NO_CLIENT_REQUESTS,
  'elicitation-sep1034-defaults': NO_CLIENT_REQUESTS,
  'elicitation-sep1330-enums': NO_CLIENT_REQUESTS,
  'json-schema-2020-12': 'it expects its own tool with $defs in the list',
  'server-sse-polling': 'resuming a closed stream needs stored events',
  'resources-list': NO_RESOURCES,
  'resources-read-text': NO_RESOURCES,
  'resources-read-binary': NO_RESOURCES,
  'resources-templates-read': NO_RESOURCES,
  'resources-subscribe': NO_RESOURCES,
  'resources-unsubscribe': NO_RESOURCES,
  'prompts-list': NO_PROMPTS,
  'prompts-get-simple': NO_PROMPTS,
  'prompts-get-with-args': NO_PROMPTS,
  'prompts-get-embedded-resource': NO_PROMPTS,
  'prompts-get-with-image': NO_PROMPTS,
};

const stack = await startTestStack();
await stack.system.add('mcp-server');
const { apiKey } = await stack.createCustomer({ creditUsd: '10' });
const folder = await mkdtemp(join(tmpdir(), 'mcp-conformance-'));
const proxy = await SuiteProxy.start(stack.system.mcpUrl as string, apiKey, TOOLS);
afterAll(async () => {
  await proxy.stop();
  await rm(folder, { recursive: true, force: true });
  await stack.stop();
});

it("passes every applicable part of the protocol's conformance suite", async () => {
  const baseline = join(folder, 'not-applicable.yml');
  await writeFile(
    baseline,
    `server:\n${Object.keys(NOT_APPLICABLE)
      .map((name) => `  - ${name}\n`)
      .join('')}`,
  );
  const args = ['server', '--url', proxy.url, '--suite', 'all', '--expected-failures', baseline];
  // It exits with an error if another scenario fails, and if one of these passes.
  const running = run(process.execPath, [suite, ...args], { cwd: folder, timeout: 90_000 });
  const { stdout } = await running.catch(({ stdout: output }: { stdout: string }) => {
    throw new Error(output.slice(output.indexOf('=== SUMMARY')));
  });
  for (const scenario of ['server-initialize', 'tools-list', 'tools-call-with-progress', 'dns-rebinding-protection']) {
    expect(stdout).toMatch(new RegExp(`✓ ${scenario}: [1-9]\\d* passed, 0 failed`));
  }
});
