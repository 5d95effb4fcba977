import {
  hasNativeGenerate,
  hasNativeMessages,
  hasNativeResponses,
  MODELS,
  type ModelWithCapability,
  withCapability,
} from '@gateway/catalogue';
import type { AbortContract } from '@gateway/contracts';
import { contractOfStream, reasonsHidden, type StreamFeatures } from './decide-abort-contract.js';

const HEAD = `# What happens when a client leaves

Generated from the catalogue and \`packages/intake\`: regenerate with \`UPDATE_GOLDEN=1\` and the spec of \`abort-contract\`.
The receipt of each request has its contract as \`abort_contract\`. [0028](decisions/0028-who-leaves-early.md) says why.

- \`stops\`: the vendor call is cancelled. The charge is what was metered until then.
- \`completes\`: the response is read to its end. The charge is the vendor's count. \`GET /v1/requests/{id}/result\`
  returns the response for 24 hours, to a key of the same account; a retry with its \`Idempotency-Key\` does too.

| request | contract |
| --- | --- |
| chat, messages, responses, completions or transcriptions without \`stream\`; \`generateContent\` | completes |
| embeddings, rerank, compaction, image edits, videos | completes |
| images without \`stream\` | completes |
| a stream of GP images | completes; an image that has begun is charged whole |
| a stream of Seedream images | stops; each finished image is charged |
| speech | stops; each part of the text that was sent to the vendor is charged |

## Streams of text

Of every endpoint: chat, messages, responses, completions, transcriptions and \`streamGenerateContent\`.
Server tools are those that the vendor runs: searches over messages or responses, and Google's own over \`streamGenerateContent\`.

| model | text | with reasoning asked for | with reasoning off | inline media | media by URL or file | server tools |
| --- | --- | --- | --- | --- | --- | --- |
`;

const NO_FEATURES: StreamFeatures = { reasonsHidden: false, media: 'none', usesServerTools: false };

/** Only the vendor's own format passes its tools. */
const runsServerTools = (model: ModelWithCapability<'chat'>): boolean =>
  hasNativeMessages(model) || hasNativeResponses(model) || hasNativeGenerate(model);

/** The generated document `docs/abort-contracts.md`. */
export function renderContracts(): string {
  const rows = MODELS.filter(({ chat }) => chat !== undefined).map((entry) => {
    const model = withCapability(entry, 'chat');
    const { inputs, efforts } = model.chat.traits;
    const byDefault = reasonsHidden(model, undefined);
    const of = (features: Partial<StreamFeatures>): AbortContract =>
      contractOfStream(model, { ...NO_FEATURES, reasonsHidden: byDefault, ...features });
    const reasoning = (effort: string): AbortContract => of({ reasonsHidden: reasonsHidden(model, effort) });
    const cells = [
      model.id,
      of({}),
      efforts === null ? '–' : reasoning('high'),
      reasoning('none'),
      inputs.length === 0 ? '–' : of({ media: 'inline' }),
      inputs.length === 0 ? '–' : of({ media: 'referenced' }),
      runsServerTools(model) ? of({ usesServerTools: true }) : '–',
    ];
    return `| ${cells.join(' | ')} |\n`;
  });
  return HEAD + rows.join('');
}
