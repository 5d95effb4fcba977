import type { Model } from '../../../api/models.js';
import type { ApiRequest } from './api-request.js';

interface CodedRequest {
  readonly request: ApiRequest;
  readonly model: string;
}

/** What is shown as programs. */
export interface Code {
  readonly requests: readonly CodedRequest[];
  /** True: what was sent last, because the form is empty. */
  readonly isSent: boolean;
}

type Sent = Readonly<Record<string, readonly { readonly request: ApiRequest }[]>>;

/** The requests of the form, else the last one that was sent to each model. Null: there is none. */
export function codeOf(
  models: readonly Pick<Model, 'id'>[],
  requests: readonly ApiRequest[],
  columns: Sent,
): Code | null {
  const coded = (requestOf: (id: string, index: number) => ApiRequest | undefined): readonly CodedRequest[] =>
    models.flatMap(({ id: model }, index) => {
      const request = requestOf(model, index);
      return request === undefined ? [] : [{ request, model }];
    });
  const written = coded((_id, index) => requests[index]);
  if (written.length > 0) return { requests: written, isSent: false };
  const sent = coded((id) => columns[id]?.at(-1)?.request);
  return sent.length > 0 ? { requests: sent, isSent: true } : null;
}
