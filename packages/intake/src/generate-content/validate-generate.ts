import { type CatalogueModel, findModel, hasNativeGenerate, type ModelWithCapability } from '@gateway/catalogue';
import {
  type ChatModelTraits,
  camelFields,
  countContentsRequest,
  countRequestTokensRequest,
  GatewayError,
  type GenerateContentRequest,
  generateContentRequest,
  mediaKindOf,
} from '@gateway/contracts';
import { checked } from '../checked.js';

type ChatModel = ModelWithCapability<'chat'>;
type Body = Readonly<Record<string, unknown>>;

const MODELS_PREFIX = /^models\//;

/** Validates a body in Google's native format. Throws a 400 that names the field in camelCase. */
export function validateGenerate(body: Body, model: ChatModel): GenerateContentRequest {
  checkModel(body, model);
  const request = checked(generateContentRequest, body);
  if (!hasNativeGenerate(model)) rejectCandidates(request, model);
  checkOutputCap(request, model);
  checkInputs(request.contents, model, 'contents');
  return request;
}

export function validateContentCount(body: Body, model: CatalogueModel): void {
  checkModel(body, model);
  const { generateContentRequest: inner } = camelFields(body);
  if (inner === undefined) checked(countContentsRequest, body);
  else {
    checkModel(camelFields(inner), model);
    checked(countRequestTokensRequest, body);
  }
}

/** The path decides. A body with another model would be a surprise either way. */
export function checkModel({ model: named }: Body, model: CatalogueModel): void {
  if (named == null) return;
  // A built-in name that stands for a model is none of the catalogue.
  const known = typeof named === 'string' ? findModel(named.replace(MODELS_PREFIX, '')) : undefined;
  if (typeof named === 'string' && (known === undefined || known.id === model.id)) return;
  throw new GatewayError('invalid_request', `'model': expected 'models/${model.id}', the model of the path.`, {
    param: 'model',
  });
}

const CANDIDATES = 'generationConfig.candidateCount';

function rejectCandidates({ generationConfig }: GenerateContentRequest, { id }: ChatModel): void {
  if ((generationConfig?.candidateCount ?? 1) === 1) return;
  throw new GatewayError('unsupported_value', `'${CANDIDATES}': ${id} answers with one candidate.`, {
    param: CANDIDATES,
  });
}

const CAP = 'generationConfig.maxOutputTokens';

function checkOutputCap({ generationConfig }: GenerateContentRequest, model: ChatModel): void {
  const cap = generationConfig?.maxOutputTokens;
  const { maxOutputTokens: most, minOutputTokens: least = 1 } = model.chat.traits;
  if (cap === undefined || (cap >= least && cap <= most)) return;
  throw new GatewayError(
    'invalid_request',
    `'${CAP}': ${model.id} supports ${least} to ${most} output tokens, got ${cap}.`,
    {
      param: CAP,
    },
  );
}

/** Text in a file counts as text. */
const isText = (mimeType: string | undefined): boolean => mimeType?.startsWith('text/') === true;

function checkInputs(contents: GenerateContentRequest['contents'], model: ChatModel, place: string): void {
  contents.forEach(({ parts = [] }, index) => {
    parts.forEach(({ inlineData, fileData }, partIndex) => {
      const media = inlineData ?? fileData;
      if (media === undefined || (inlineData !== undefined && isText(media.mimeType))) return;
      const kind: ChatModelTraits['inputs'][number] = mediaKindOf(media.mimeType);
      if (model.chat.traits.inputs.includes(kind)) return;
      const param = `${place}[${index}].parts[${partIndex}]`;
      throw new GatewayError('invalid_request', `'${param}': ${model.id} does not support ${kind} input.`, { param });
    });
  });
}
