import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PUBLIC_API, type SnippetRequest, type SnippetServer } from './snippet-request.js';
import { writeSnippet } from './write-snippet.js';

const REQUEST: SnippetRequest = {
  method: 'POST',
  path: '/v1/chat/completions',
  body: {
    json: { model: 'gm-2.5-flash', messages: [{ role: 'user', content: 'It\'s $HOME, `ls` and "$(id)"' }], n: 1 },
  },
  answer: 'json',
};
const FORM: SnippetRequest = {
  method: 'POST',
  path: '/v1/images/edits',
  body: {
    form: [
      ['prompt', '@blue'],
      ['image', { file: 'image.png', type: 'image/png' }],
    ],
  },
  answer: { file: 'answer.bin' },
};

const FILLED: SnippetServer = { baseUrl: { text: 'https://gateway.example.com' }, token: { text: 'sk-one' } };

describe('a snippet', () => {
  it('is a curl command whose body reaches curl as it is', () => {
    const command = writeSnippet('curl', REQUEST, FILLED);
    const shown = execFileSync('sh', [
      '-c',
      `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${command}`,
    ]);
    const words = shown.toString().split('\0');
    expect(words).toEqual(
      expect.arrayContaining(['https://gateway.example.com/v1/chat/completions', 'Authorization: Bearer sk-one']),
    );
    expect(JSON.parse(words[words.indexOf('-d') + 1] ?? '')).toEqual((REQUEST.body as { json: unknown }).json);
  });

  it('reads address and key from the environment', () => {
    expect(writeSnippet('curl', { method: 'GET', path: '/v1/models', answer: 'json' })).toBe(
      'curl --fail-with-body -sS "$GATEWAY_URL/v1/models" \\\n  -H "Authorization: Bearer $GATEWAY_API_KEY"',
    );
    expect(writeSnippet('typescript', REQUEST)).toContain('process.env.GATEWAY_URL}/v1/chat/completions`');
    expect(writeSnippet('python', REQUEST)).toContain('os.environ["GATEWAY_URL"] + "/v1/chat/completions"');
    // A redirect to a vendor would take another header along.
    expect(writeSnippet('python', REQUEST)).toContain('request.add_unredirected_header("Authorization", ');
    expect(writeSnippet('go', REQUEST)).toContain('os.Getenv("GATEWAY_URL")+"/v1/chat/completions"');
  });

  it('sends forms with files', () => {
    expect(writeSnippet('curl', FORM)).toContain(
      "--form-string 'prompt=@blue' \\\n  -F 'image=@image.png;type=image/png' \\\n  -o 'answer.bin'",
    );
    expect(writeSnippet('typescript', FORM)).toContain("form.append('image', await openAsBlob('image.png'");
    expect(writeSnippet('go', FORM)).toContain('addFile(form, "image", "image.png", "image/png")');
  });

  it('sends a text with its type', () => {
    const text: SnippetRequest = {
      method: 'POST',
      path: '/bills',
      body: { text: "a,b\n1,'2'\n", type: 'text/csv' },
      answer: 'json',
    };
    expect(writeSnippet('curl', text)).toContain(String.raw`-H "Content-Type: text/csv" \
  --data-binary 'a,b
1,'\''2'\''
'`);
    expect(writeSnippet('typescript', text)).toContain(String.raw`body: "a,b\n1,'2'\n",`);
    expect(writeSnippet('python', text)).toContain(String.raw`data="a,b\n1,'2'\n".encode()`);
    expect(writeSnippet('go', text)).toContain(String.raw`strings.NewReader("a,b\n1,'2'\n")`);
    expect(writeSnippet('go', text)).toContain('request.Header.Set("Content-Type", "text/csv")');
  });

  it('has no credential for a public route', () => {
    const server = { baseUrl: PUBLIC_API.baseUrl };
    for (const language of ['curl', 'typescript', 'python', 'go'] as const) {
      expect(writeSnippet(language, REQUEST, server).toLowerCase()).not.toContain('authorization');
    }
  });
});

const json = fc.object({
  withNullPrototype: false,
  key: fc.string({ unit: 'grapheme' }).filter((key) => key !== '__proto__'),
  values: [fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean(), fc.constant(null)],
  maxDepth: 3,
});

/** The value that the program sends, as its own language reads it. */
function sentBodies(values: readonly unknown[]): unknown {
  const source = values.map((value) => writeSnippet('python', { ...REQUEST, body: { json: value } }, FILLED));
  const file = join(mkdtempSync(join(tmpdir(), 'snippet-')), 'bodies.py');
  const reader = `import json, sys, urllib.request
class Stop(Exception):
    pass
def stop(request):
    raise Stop(request.data.decode())
urllib.request.urlopen = stop
bodies = []
for source in json.load(sys.stdin):
    try:
        exec(source, {})
    except Stop as sent:
        bodies.append(json.loads(str(sent)))
print(json.dumps(bodies))
`;
  writeFileSync(file, reader);
  return JSON.parse(execFileSync('python3', [file], { input: JSON.stringify(source) }).toString());
}

function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version']);
    return true;
  } catch {
    return false;
  }
}

describe('any body', () => {
  it('reaches fetch as it is', async () => {
    await fc.assert(
      fc.asyncProperty(json, async (body) => {
        const source = writeSnippet('typescript', { ...REQUEST, body: { json: body } }, FILLED);
        const sent: string[] = [];
        const fetchFake = (_url: string, init: { body: string }) => {
          sent.push(init.body);
          return { ok: true, text: async () => '' };
        };
        const run = new Function('fetch', 'console', `return (async () => {${stripTypeScriptTypes(source)}})();`);
        await run(fetchFake, { log: () => undefined });
        expect(JSON.parse(sent[0] ?? '')).toEqual(body);
      }),
    );
  });

  (hasPython() ? it : it.skip)('reaches urllib as it is', () => {
    const bodies = fc.sample(json, { numRuns: 100, seed: 7 });
    expect(sentBodies(bodies)).toEqual(bodies);
  });
});
