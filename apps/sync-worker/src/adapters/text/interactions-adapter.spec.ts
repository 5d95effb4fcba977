import { describe, expect, it } from '@jest/globals';
import { ticketOf } from '../../test-support/fakes.js';
import type { ExecutionPlan } from '../execution-plan.js';
import { InteractionIds } from '../images/interaction-ids.js';
import { planExecution } from '../plan-execution.js';

const TARGET = { baseUrl: 'https://vendor.example', credential: 'secret', upstreamModel: 'theirs' };
const VIDEO = { type: 'video', uri: 'https://example.com/a.mp4', mime_type: 'video/mp4' };
const ids = new InteractionIds(['s'.repeat(32)]);

function adapterOf(model: string, fields: object) {
  const body = Buffer.from(JSON.stringify({ model, input: 'Hello', ...fields }));
  const plan: ExecutionPlan = planExecution(ticketOf({ endpoint: 'interactions', model }), body, ids);
  if (plan.kind !== 'unary' && plan.kind !== 'stream') throw new Error(`a plan of kind ${plan.kind}`);
  return plan;
}

describe('an interaction', () => {
  const tools = [
    { type: 'code_execution' },
    { type: 'function', name: 'f', parameters: { type: 'object', properties: {} } },
  ];

  it('reports what is not sent in the names of its client', () => {
    const { changes } = adapterOf('cl-sonnet-4-6', { tools, generation_config: { seed: 1 } }).buildRequest(TARGET);
    expect(changes?.dropped.toSorted()).toEqual(['generation_config.seed', 'tools[0]']);
  });

  it('refuses in the names of its client', () => {
    const input = [{ type: 'user_input', content: [{ type: 'text', text: 'a' }, VIDEO] }];
    expect(() => adapterOf('gp-5.4-mini', { input })).toThrow(
      expect.objectContaining({
        message: 'This content is not supported with this model.',
        details: { param: 'input[0].content[1]' },
      }),
    );
  });

  it('gives Google’s own models the call as it is', () => {
    const { body } = adapterOf('gm-2.5-flash', { tools, stream: true }).buildRequest(TARGET);
    expect(JSON.parse(String(body))).toMatchObject({
      contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
      tools: [{ functionDeclarations: [{ name: 'f' }] }, { codeExecution: {} }],
    });
  });
});
