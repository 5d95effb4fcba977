import { describe, expect, it } from '@jest/globals';
import { hideCredential, hideCredentialInChunks } from './hide-credential.js';

const CREDENTIAL = 'sk-0123456789abcdef';
const hidden = (text: string, credential = CREDENTIAL) =>
  Buffer.from(hideCredential(Buffer.from(text), credential)).toString();

describe('the credential in the error of an upstream', () => {
  it('is hidden wherever it stands, and nothing else changes', () => {
    expect(hidden(`Schlüssel ${CREDENTIAL} 密钥 Bearer ${CREDENTIAL}.`)).toBe(
      'Schlüssel [credential] 密钥 Bearer [credential].',
    );
    expect(hidden('{"error":"sk-other"}')).toBe('{"error":"sk-other"}');
  });

  it('stays if it is too short to be a secret', () => {
    expect(hidden('the simulator refuses', 'simulator')).toBe('the simulator refuses');
  });
});

describe('the credential in a stream', () => {
  async function hiddenIn(chunks: readonly string[], credential = CREDENTIAL): Promise<string[]> {
    async function* stream() {
      for (const chunk of chunks) yield Buffer.from(chunk);
    }
    const hidden: string[] = [];
    for await (const chunk of hideCredentialInChunks(stream(), credential)) hidden.push(chunk.toString());
    return hidden;
  }

  it('is hidden wherever its chunks are cut', async () => {
    const text = `data: s sk-01 ${CREDENTIAL}${CREDENTIAL}\n\ndata: sk-0`;
    const hidden = 'data: s sk-01 [credential][credential]\n\ndata: sk-0';
    for (let cut = 0; cut <= text.length; cut += 1) {
      for (let next = cut; next <= text.length; next += 1) {
        const chunks = [text.slice(0, cut), text.slice(cut, next), text.slice(next)];
        expect((await hiddenIn(chunks)).join('')).toBe(hidden);
      }
    }
  });

  it('holds back no chunk that ends without its beginning', async () => {
    expect(await hiddenIn(['data: sk-1\n\n', 'data: s\n\n'])).toEqual(['data: sk-1\n\n', 'data: s\n\n']);
  });

  it('stays if it is too short to be a secret', async () => {
    expect(await hiddenIn(['the simu', 'lator'], 'simulator')).toEqual(['the simu', 'lator']);
  });

  it('closes the stream of a reader that stops', async () => {
    let isClosed = false;
    async function* stream() {
      try {
        yield Buffer.from('a');
        yield Buffer.from('b');
      } finally {
        isClosed = true;
      }
    }
    for await (const _chunk of hideCredentialInChunks(stream(), CREDENTIAL)) break;
    expect(isClosed).toBe(true);
  });
});
