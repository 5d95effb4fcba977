import { describe, expect, it } from '@jest/globals';
import { refuseCrossSite } from './refuse-cross-site.js';

const ask =
  (headers: Record<string, string>, method = 'POST') =>
  () =>
    refuseCrossSite({ method, headers, host: 'accounts.example.com' });

describe('a change', () => {
  it.each([
    ['a program says nothing of where it comes from', {}],
    ['our own page asks for it', { 'sec-fetch-site': 'same-origin', origin: 'https://accounts.example.com' }],
    ['a person typed it', { 'sec-fetch-site': 'none' }],
    ['our own page asks in an older browser', { origin: 'https://accounts.example.com' }],
    [
      'a bearer token comes with it, wherever it comes from',
      { 'sec-fetch-site': 'cross-site', authorization: 'Bearer t' },
    ],
  ])('is let through where %s', (_, headers) => {
    expect(ask(headers)).not.toThrow();
  });

  it.each([
    ['a strange site', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling domain, to which the cookie is sent', { 'sec-fetch-site': 'same-site' }],
    ['a site that names our origin', { 'sec-fetch-site': 'cross-site', origin: 'https://accounts.example.com' }],
    ['a word that no browser says', { 'sec-fetch-site': 'same-origin, cross-site' }],
    ['an older browser on a sibling domain', { origin: 'https://evil.example.com' }],
    ['another port', { origin: 'https://accounts.example.com:8443' }],
    ['a page without an origin, such as a file or a frame in a sandbox', { origin: 'null' }],
    ['an origin that is no address', { origin: 'accounts.example.com' }],
    [
      'a strange site with another scheme of authorization',
      { 'sec-fetch-site': 'cross-site', authorization: 'Basic eDp5' },
    ],
  ])('is refused to %s', (_, headers) => {
    expect(ask(headers)).toThrow(expect.objectContaining({ code: 'permission_denied' }));
  });

  it.each(['PATCH', 'PUT', 'DELETE'])('is one by %s too', (method) => {
    expect(ask({ 'sec-fetch-site': 'same-site' }, method)).toThrow(/another origin/);
  });

  it.each(['GET', 'HEAD', 'OPTIONS'])('is none by %s', (method) => {
    expect(ask({ 'sec-fetch-site': 'cross-site' }, method)).not.toThrow();
  });
});
