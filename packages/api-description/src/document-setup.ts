import type { ErrorCode } from '@gateway/contracts';
import type { SampleVariables } from './code-samples.js';
import type { ResponseHeader } from './headers.js';
import type { RecordedAnswers } from './recorded-answer.js';
import type { DescribedRoute } from './route-description.js';

export interface DocumentSetup {
  readonly title: string;
  /** Markdown: the beginning of the reference. */
  readonly description: string;
  readonly version: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly securitySchemes: Readonly<Record<string, object>>;
  readonly routes: readonly DescribedRoute[];
  /** The errors and headers of every route of the address. */
  readonly common: { readonly errors: readonly ErrorCode[]; readonly headers: readonly ResponseHeader[] };
  readonly recorded: RecordedAnswers;
  /** What the programs of the reference read from their environment. */
  readonly variables: SampleVariables;
  readonly webhooks?: Readonly<Record<string, object>>;
}
