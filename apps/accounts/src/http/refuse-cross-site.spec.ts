import { describe, expect, it } from '@jest/globals';
import { refuseCrossSite } from './refuse-cross-site.js';

const checkOf =
  (headers: Record<string, string>, method = 'POST') =>
  () =>
    refuseCrossSite({ method, headers, host: 'accounts.example.com' });

describe('refuseCrossSite', () => {
  it.each([
    ['a program, without an origin', {}],
    ['our own page', { 'sec-fetch-site': 'same-origin', origin: 'https://accounts.example.com' }],
    ['an address that a person typed', { 'sec-fetch-site': 'none' }],
    ['our own page in an older browser', { origin: 'https://accounts.example.com' }],
    ['a bearer token from any site', { 'sec-fetch-site': 'cross-site', authorization: 'Bearer t' }],
  ])('accepts %s', (_, headers) => {
    expect(checkOf(headers)).not.toThrow();
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling domain, which sends the cookie', { 'sec-fetch-site': 'same-site' }],
    ['a site that names our origin', { 'sec-fetch-site': 'cross-site', origin: 'https://accounts.example.com' }],
    ['a value that no browser sends', { 'sec-fetch-site': 'same-origin, cross-site' }],
    ['an older browser on a sibling domain', { origin: 'https://evil.example.com' }],
    ['another port', { origin: 'https://accounts.example.com:8443' }],
    ['a page without an origin, such as a file or a frame in a sandbox', { origin: 'null' }],
    ['an origin that is not a URL', { origin: 'accounts.example.com' }],
    [
      'another site with another scheme of authorization',
      { 'sec-fetch-site': 'cross-site', authorization: 'Basic eDp5' },
    ],
  ])('refuses %s', (_, headers) => {
    expect(checkOf(headers)).toThrow(expect.objectContaining({ code: 'permission_denied' }));
  });

  it.each(['PATCH', 'PUT', 'DELETE'])('refuses a %s too', (method) => {
    expect(checkOf({ 'sec-fetch-site': 'same-site' }, method)).toThrow(/another origin/);
  });

  it.each(['GET', 'HEAD', 'OPTIONS'])('accepts a %s, which changes nothing', (method) => {
    expect(checkOf({ 'sec-fetch-site': 'cross-site' }, method)).not.toThrow();
  });
});
