import { GatewayError } from '@gateway/contracts';
import { foldName } from '@gateway/upstreams';
import type { VideoRequest } from './billed-video.js';
import { rejectContradictingFlags } from './text-flags.js';
import type { VideoBody } from './video-body.js';

const FRAMES_PER_SECOND = 24;

/** `input` and `parameters` become the upstream's body. Older models also read flags in the prompt. */
export function rejectSeedanceFields({ body, billed, modelId, draft }: VideoRequest): void {
  for (const name of ['framespersecond', 'fps']) {
    const wrong = body.fieldsNamed(name).find(({ value }) => value !== FRAMES_PER_SECOND);
    if (wrong === undefined) continue;
    throw new GatewayError('invalid_request', `'${wrong.path}': expected ${FRAMES_PER_SECOND}.`, {
      param: wrong.path,
    });
  }
  for (const { path, value } of body.fieldsNamed('content')) rejectContradictingFlags(value, path, billed);
  if (draft !== undefined && draft.modelId !== modelId) {
    throw new GatewayError('invalid_request', `'model': expected ${draft.modelId}, which made the draft.`, {
      param: 'model',
    });
  }
}

/** The id in `{type: "draft_task", draft_task: {id}}` of `content`. Undefined if there is none. Throws a 400 for several. */
export function draftTaskIdIn(body: VideoBody): string | undefined {
  const drafts = body
    .fieldsNamed('content')
    .flatMap(({ path, value }) => (Array.isArray(value) ? value.map((item: unknown) => ({ path, item })) : []))
    .flatMap(({ path, item }) => fieldsOf(item, 'draft_task').map((draft) => ({ path, draft })));
  const [first] = drafts;
  if (first === undefined) return undefined;
  const { path, draft } = first;
  const [id, ...others] = fieldsOf(draft.value, 'id');
  if (drafts.length > 1 || draft.key !== 'draft_task' || others.length > 0 || typeof id?.value !== 'string') {
    throw new GatewayError('invalid_request', `'${path}': expected one draft as {"draft_task": {"id": "cgt-…"}}.`, {
      param: path,
    });
  }
  return id.value;
}

/** The entries whose keys a case-insensitive reader could take for the name. */
function fieldsOf(object: unknown, name: string): readonly { readonly key: string; readonly value: unknown }[] {
  if (typeof object !== 'object' || object === null) return [];
  return Object.entries(object)
    .map(([key, value]: [string, unknown]) => ({ key, value }))
    .filter(({ key }) => foldName(key) === foldName(name));
}
