import { type CatalogueModel, modelAt } from '@gateway/catalogue';
import { describe, expect, it } from '@jest/globals';
import { retirementHeaders } from './retirement-headers.js';

const headersOf = (name: string, day: string) => {
  const atMs = Date.parse(day);
  return retirementHeaders(modelAt(name, atMs) as CatalogueModel, atMs);
};

describe('retirementHeaders', () => {
  it('are empty for a model without an end, and until 30 days before one', () => {
    expect(headersOf('cl-opus-4-7', '2036-01-01')).toEqual({});
    expect(headersOf('gm-2.5-pro', '2026-10-31')).toEqual({});
  });

  it('name the day and the successor in the 30 days before', () => {
    expect(headersOf('gm-2.5-pro', '2026-11-01')).toEqual({
      deprecation: '@1793491200',
      sunset: 'Tue, 01 Dec 2026 00:00:00 GMT',
      link: '</v1/models/gm-3.8-flash>; rel="successor-version"',
    });
  });

  it('promise no end once the successor serves the id', () => {
    expect(headersOf('gm-2.5-pro', '2026-12-01')).toEqual({
      deprecation: '@1793491200',
      link: '</v1/models/gm-3.8-flash>; rel="successor-version"',
    });
  });
});
