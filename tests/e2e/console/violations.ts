import axe from 'axe-core';
import type { Page } from 'playwright-core';

export interface Violation {
  readonly id: string;
  /** The first element with it. */
  readonly html: string;
}

interface Checks {
  /** A selector; default: the whole document. */
  readonly within?: string;
  /** Default: all rules. */
  readonly rules?: readonly string[];
}

/**
 * What axe finds on the page as it is. axe-core itself runs in the page: its package for Playwright opens another page
 * for each analysis, which takes longer than the analysis.
 */
export async function violationsOf(page: Page, { within, rules }: Checks = {}): Promise<readonly Violation[]> {
  if (!(await page.evaluate<boolean>('window.axe !== undefined'))) await page.evaluate(axe.source);
  const options = {
    iframes: false,
    resultTypes: ['violations'],
    ...(rules !== undefined && { runOnly: { type: 'rule', values: rules } }),
  };
  const context = within === undefined ? 'document' : JSON.stringify(within);
  return page.evaluate<readonly Violation[]>(`
    axe.run(${context}, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.map(({ id, nodes }) => ({ id, html: nodes[0].html })))`);
}
