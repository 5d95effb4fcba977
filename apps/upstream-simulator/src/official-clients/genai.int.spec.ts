import { GoogleGenAI, Type } from '@google/genai';
import { describe, expect, it } from '@jest/globals';
import { shareDispatcher } from '../test-support/share-dispatcher.js';
import { startForTests } from '../test-support/start-for-tests.js';

shareDispatcher();
const url = await startForTests();
const model = 'gemini-2.5-flash';
const clientOf = (version: object) =>
  new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: `${url}/gemini` }, ...version });

const VERSIONS = [
  ['its default version', {}],
  ['v1beta', { apiVersion: 'v1beta' }],
] as const;

describe.each(VERSIONS)("Google's client with %s", (_name, version) => {
  const client = clientOf(version);

  it('reads text and usage', async () => {
    const response = await client.models.generateContent({ model, contents: 'Hello' });
    expect(response.text).toBe('I received 5 bytes. You said: Hello');
    expect(response.usageMetadata).toMatchObject({ promptTokenCount: 2, candidatesTokenCount: 11 });
  });

  it('reads a stream', async () => {
    const pieces: string[] = [];
    for await (const chunk of await client.models.generateContentStream({ model, contents: '{{sim words=9}}' })) {
      pieces.push(chunk.text ?? '');
    }
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.join('')).toBe('the river runs past the old mill and turns');
  });

  it('continues a chat', async () => {
    const chat = client.chats.create({ model });
    await chat.sendMessage({ message: 'one' });
    expect((await chat.sendMessage({ message: 'two' })).text).toContain('You said: two');
  });

  it.each([
    ['its own schema', { parameters: { type: Type.OBJECT, properties: { city: { type: Type.STRING } } } }],
    ['JSON Schema', { parametersJsonSchema: { type: 'object', properties: { city: { type: 'string' } } } }],
  ])('reads a tool call with %s', async (_what, parameters) => {
    const tools = [{ functionDeclarations: [{ name: 'weather', ...parameters }] }];
    const response = await client.models.generateContent({ model, contents: 'Use the tool', config: { tools } });
    expect(response.functionCalls).toMatchObject([{ name: 'weather', args: { city: 'city 1' } }]);
  });

  it('reads JSON of a schema', async () => {
    const responseSchema = { type: Type.OBJECT, properties: { age: { type: Type.NUMBER } } };
    const config = { responseMimeType: 'application/json', responseSchema };
    const { text = '' } = await client.models.generateContent({ model, contents: 'A person', config });
    expect(JSON.parse(text)).toEqual({ age: 1 });
  });

  it('counts tokens, and lists and gets models', async () => {
    expect((await client.models.countTokens({ model, contents: 'Hello there' })).totalTokens).toBe(3);
    const names: (string | undefined)[] = [];
    for await (const entry of await client.models.list({ config: { pageSize: 2 } })) names.push(entry.name);
    expect(names).toEqual(expect.arrayContaining([`models/${model}`, 'models/gemini-embedding-001']));
    expect((await client.models.get({ model })).inputTokenLimit).toBe(1_048_576);
  });

  it.each(['gemini-embedding-001', 'gemini-embedding-2'])('reads embeddings of %s', async (name) => {
    const config = { outputDimensionality: 256 };
    const { embeddings } = await client.models.embedContent({ model: name, contents: ['a'], config });
    expect(embeddings?.map(({ values }) => values?.length)).toEqual([256]);
  });

  it('reads the image of an interaction', async () => {
    const interaction = await client.interactions.create({ model: 'gemini-3.1-flash-image', input: 'a kite' });
    expect(interaction).toMatchObject({ status: 'completed', output_image: { mime_type: 'image/jpeg' } });
  });

  it('reads an error', async () => {
    const rejected = client.models.generateContent({ model: 'gemini-unknown', contents: 'Hello' });
    await expect(rejected).rejects.toMatchObject({ status: 404 });
  });
});
