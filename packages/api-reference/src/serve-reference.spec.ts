import { describe, expect, it } from '@jest/globals';
import { fastify } from 'fastify';
import { serveReference } from './serve-reference.js';

const server = fastify();
const paths = serveReference(server, 'public');

const get = (url: string, headers: Record<string, string> = {}) => server.inject({ url, headers });

/** Addresses that a page loads by itself. */
const loaded = (html: string): readonly string[] =>
  [...html.matchAll(/<(?:script|link|img)[^>]+(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);

/** Without it, browsers ask for `/favicon.ico`. */
const EMPTY_ICON = 'data:,';

describe('the reference', () => {
  it.each(paths)('serves %s, with a policy that admits this server only', async (path) => {
    const { statusCode, headers, body } = await get(path);
    expect([statusCode, body.length > 0]).toEqual([200, true]);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; .*connect-src 'self'/);
  });

  it('loads files of this server only', async () => {
    for (const path of paths.filter((one) => /^\/docs(\/[a-z-]+)?$/.test(one))) {
      const { body } = await get(path);
      expect(loaded(body).filter((address) => address !== EMPTY_ICON && !paths.includes(address))).toEqual([]);
    }
  });

  it('links each guide to pages that exist', async () => {
    for (const path of paths.filter((one) => /^\/docs\/[a-z-]+$/.test(one))) {
      const { body } = await get(path);
      const links = [...body.matchAll(/<a href="(\/[^"#]*)/g)].map(([, address = '']) => address);
      expect(links.filter((address) => !paths.includes(address))).toEqual([]);
    }
  });

  it('gives each section of a guide its address, and each program a place for its button', async () => {
    const { body } = await get('/docs/videos');
    expect(body).toContain('<h2 id="submit">Submit <a class="anchor" href="#submit"');
    const pages = await Promise.all(paths.filter((one) => /^\/docs\/[a-z-]+$/.test(one)).map((path) => get(path)));
    const pres = pages.flatMap((page) => [...page.body.matchAll(/(.{21})<pre/g)].map(([, before]) => before));
    expect(pres.length).toBeGreaterThan(20);
    expect(new Set(pres)).toEqual(new Set(['<div class="program">']));
  });

  it('links each Markdown twin to files that exist', async () => {
    for (const path of paths.filter((one) => one.endsWith('.md'))) {
      const { body } = await get(path);
      const links = [...body.matchAll(/\]\(([^)\s:]+\.md)(?:#[\w-]+)?\)/g)].map(([, href = '']) => href);
      const addresses = links.map((href) => new URL(href, `http://gateway.test${path}`).pathname);
      expect([path, addresses.filter((address) => !paths.includes(address))]).toEqual([path, []]);
    }
  });

  it('has the guides for files and batches', async () => {
    const { body } = await get('/llms.txt');
    for (const name of ['keep-files', 'run-batches']) {
      expect(paths).toContain(`/docs/${name}`);
      expect(body).toContain(`/docs/${name}.md`);
    }
  });

  it('sends a file compressed, and once', async () => {
    const compressed = { 'accept-encoding': 'gzip, br' };
    const { headers, rawPayload } = await get('/openapi.json', compressed);
    expect(headers['content-encoding']).toBe('br');
    expect((await get('/openapi.json', { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding']).toBe(undefined);
    expect(rawPayload.length).toBeLessThan(150_000);
    const again = await get('/openapi.json', { ...compressed, 'if-none-match': String(headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    // A proxy that compresses marks the tag as weak.
    const known = `"other", W/${String(headers.etag)}`;
    const proxied = await get('/openapi.json', { ...compressed, 'if-none-match': known });
    expect([proxied.statusCode, proxied.body]).toEqual([304, '']);
    // Other bytes have another tag.
    expect((await get('/openapi.json', { 'if-none-match': known })).statusCode).toBe(200);
  });

  it('has a Markdown twin of every page, which llms.txt lists', async () => {
    const { body } = await get('/llms.txt');
    const pages = paths.filter((one) => /^\/docs\/[a-z-]+$/.test(one)).map((page) => `${page}.md`);
    expect(pages.filter((page) => !body.includes(`(${page})`))).toEqual([]);
    expect((await get('/docs/reference.md')).body).toContain('### `POST /v1/chat/completions`');
  });
});
