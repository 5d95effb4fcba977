import { describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { startForTests } from '../../test-support/start-for-tests.js';

type Body = Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'model' | 'stream'>;
type Item = OpenAI.Responses.ResponseOutputItem;

const url = await startForTests();
const clientFor = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${url}/openai/v1`, maxRetries: 0 });
const client = clientFor('channel-a');
const model = 'gpt-5-mini';
const search = { type: 'web_search' } as const;
const patch = { type: 'custom', name: 'apply_patch' } as const;

const create = (body: Body, from = client) => from.responses.create({ model, ...body });

async function stream(body: Body) {
  const events: OpenAI.Responses.ResponseStreamEvent[] = [];
  for await (const event of await client.responses.create({ model, ...body, stream: true })) events.push(event);
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, at) => at));
  return events;
}

const typesOf = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type);

async function billedFor(upstreamId: string): Promise<unknown> {
  const response = await fetch(`${url}/__journal?since=0&wait_idle=true`);
  const { entries } = (await response.json()) as { entries: { upstream_id: string; billed: unknown }[] };
  return entries.find((call) => call.upstream_id === upstreamId)?.billed;
}

describe('a search of the web', () => {
  const body: Body = {
    input: '{{sim searches=2 pages=1}} Look it up',
    tools: [search],
    include: ['web_search_call.action.sources'],
  };

  it('is an item before the message, which cites it, and is billed', async () => {
    const response = await create(body);
    const [first] = response.output;
    expect(typesOf(response.output)).toEqual([...Array<string>(3).fill('web_search_call'), 'reasoning', 'message']);
    expect(first).toMatchObject({
      status: 'completed',
      action: { type: 'search', queries: ['query 1'], sources: [{ type: 'url', url: 'https://example.com/1' }] },
    });
    const message = response.output.at(-1) as OpenAI.Responses.ResponseOutputMessage;
    const end_index = response.output_text.length;
    expect(message.content[0]).toMatchObject({
      annotations: [1, 2].map((at) => ({ type: 'url_citation', start_index: 0, end_index, title: `Result ${at}` })),
    });
    expect(response).toHaveProperty('tool_usage.web_search.num_requests', 2);
    expect(await billedFor(response.id)).toMatchObject({ units: { web_search: 2 } });
  });

  it('streams its own events and annotations', async () => {
    const types = typesOf(await stream(body));
    expect(types.slice(2, 7)).toEqual([
      'response.output_item.added',
      ...['in_progress', 'searching', 'completed'].map((step) => `response.web_search_call.${step}`),
      'response.output_item.done',
    ]);
    expect(types.filter((type) => type === 'response.output_text.annotation.added')).toHaveLength(2);
  });

  it('is run as often as max_tool_calls allows, pages included', async () => {
    const { output } = await create({ ...body, input: '{{sim searches=2 pages=5}} Go', max_tool_calls: 3 });
    expect(output.flatMap((item) => (item.type === 'web_search_call' ? [item.action.type] : []))).toEqual([
      'search',
      'search',
      'open_page',
    ]);
  });

  it('is run once if the choice forces it, and never if no tool is offered', async () => {
    const { output } = await create({ input: 'Hi', tools: [search], tool_choice: 'required' });
    expect(output[0]?.type).toBe('web_search_call');
    expect(typesOf((await create({ input: '{{sim searches=2}} Hi' })).output)).not.toContain('web_search_call');
  });
});

describe('a custom tool', () => {
  it('is called with a text, and takes its output', async () => {
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'Use the tool' }];
    const { output } = await create({ input, tools: [patch] });
    const call = output.at(-1) as OpenAI.Responses.ResponseCustomToolCall;
    expect(call).toMatchObject({ type: 'custom_tool_call', name: 'apply_patch', input: 'Input 1 of “apply_patch”' });
    const done = { type: 'custom_tool_call_output', call_id: call.call_id, output: 'patched' } as const;
    const second = await create({ input: [...input, ...(output as OpenAI.Responses.ResponseInputItem[]), done] });
    expect(second.output_text).toContain('patched');
    const wrong = { ...done, type: 'function_call_output' } as const;
    await expect(create({ input: [...input, call, wrong] })).rejects.toMatchObject({ status: 400, param: 'input' });
  });

  it('streams its text', async () => {
    const events = await stream({ input: 'Use the tool', tools: [patch], tool_choice: 'required' });
    const written = events.map((event) => (event.type === 'response.custom_tool_call_input.delta' ? event.delta : ''));
    expect(written.join('')).toBe('Input 1 of “apply_patch”');
    expect(events.find(({ type }) => type === 'response.custom_tool_call_input.done')).toMatchObject({
      input: 'Input 1 of “apply_patch”',
    });
  });
});

describe('reasoning', () => {
  const body: Body = { input: 'Think', reasoning: { effort: 'low' }, store: false };
  const back = (item: object): Body => ({ ...body, input: [item as Item as OpenAI.Responses.ResponseReasoningItem] });

  it('is carried back by its organization only, unchanged', async () => {
    const { output } = await create({ ...body, include: ['reasoning.encrypted_content'] });
    const item = output[0] as OpenAI.Responses.ResponseReasoningItem;
    expect(item).toMatchObject({ type: 'reasoning', encrypted_content: expect.stringMatching(/^gAAAAAB/) });
    await create(back(item));
    const refused = { status: 400, code: 'invalid_encrypted_content' };
    const tampered = { ...item, encrypted_content: `${item.encrypted_content?.slice(0, -1)}!` };
    await expect(create(back(tampered))).rejects.toMatchObject(refused);
    await expect(create(back(item), clientFor('key-org-other'))).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining('organization_id did not match'),
    });
  });

  it('is unknown without its content, if nothing is stored', async () => {
    const item = { type: 'reasoning', id: 'rs_1', summary: [] };
    await expect(create(back(item))).rejects.toMatchObject({ status: 404, param: 'input' });
  });

  it('has its whole content in the last event of the item', async () => {
    const events = await stream(body);
    const contents = events.flatMap((event) =>
      'item' in event && event.item.type === 'reasoning' ? [String(event.item.encrypted_content)] : [],
    );
    const [begun = '', done = ''] = contents;
    expect(done.startsWith(begun) && done.length > begun.length).toBe(true);
  });
});

describe('an end other than completed', () => {
  it('is a refusal of the model', async () => {
    const response = await create({ input: '{{sim blocked}} Do it' });
    expect(response.output.at(-1)).toMatchObject({ content: [{ type: 'refusal', refusal: expect.any(String) }] });
    const types = typesOf(await stream({ input: '{{sim blocked}} Do it' }));
    expect(types).toEqual(expect.arrayContaining(['response.refusal.delta', 'response.refusal.done']));
    expect(types).not.toContain('response.output_text.delta');
  });

  it('is incomplete by the filter', async () => {
    const incomplete = { status: 'incomplete', incomplete_details: { reason: 'content_filter' } };
    const response = await create({ input: '{{sim content_filter}} A word' });
    expect(response).toMatchObject(incomplete);
    expect(response.output.at(-1)).toMatchObject({ status: 'incomplete' });
    const events = await stream({ input: '{{sim content_filter}} A word' });
    expect(events.at(-1)).toMatchObject({ type: 'response.incomplete', response: incomplete });
  });

  it('is failed, with HTTP 200 and no bill', async () => {
    const failed = { status: 'failed', error: { code: 'invalid_prompt' } };
    const response = await create({ input: '{{sim failed=invalid_prompt}} No' });
    expect(response).toMatchObject(failed);
    expect(await billedFor(response.id)).toBeNull();
    const events = await stream({ input: '{{sim failed=invalid_prompt}} No' });
    expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: failed });
    expect(typesOf(events)).not.toContain('error');
  });
});

describe('a wrong request', () => {
  it.each<[object, object]>([
    [{ include: ['everything'] }, { code: 'invalid_value', param: 'include[0]' }],
    [{ max_tool_calls: 0 }, { code: 'integer_below_min_value', param: 'max_tool_calls' }],
    [{ tools: [{ type: 'custom' }] }, { code: 'missing_required_parameter', param: 'tools[0].name' }],
    [
      { tools: [{ ...patch, format: { type: 'grammar', syntax: 'ebnf', definition: 'x' } }] },
      { code: 'invalid_value', param: 'tools[0].format.syntax' },
    ],
    [{ tool_choice: { type: 'custom', name: 'x' }, tools: [patch] }, { param: 'tool_choice' }],
    [{ tool_choice: { type: 'web_search' } }, { param: 'tool_choice' }],
    [{ input: [{ ...patch, type: 'custom_tool_call', call_id: 'c' }] }, { param: 'input[0].input' }],
    [
      { input: [{ type: 'function_call', call_id: 'c'.repeat(65), name: 'f', arguments: '{}' }] },
      { code: 'string_above_max_length', param: 'input[0].call_id' },
    ],
    [{ input: [{ type: 'web_search_call', id: 'ws_1' }] }, { param: 'input[0].action' }],
  ])('is refused: %j', async (wrong, error) => {
    await expect(create({ input: 'Hi', ...wrong } as Body)).rejects.toMatchObject({ status: 400, ...error });
  });
});
