import { queryOptions } from '@tanstack/react-query';
import { get } from './call.js';

/** One side of a request. Either `text` or `base64` is null. */
export interface ContentPart {
  readonly content_type: string | null;
  readonly text: string | null;
  readonly base64: string | null;
  readonly is_truncated: boolean;
}

/** `GET /account/requests/{id}/contents`. */
export interface Contents {
  readonly request: ContentPart | null;
  readonly response: ContentPart | null;
  /** Where the API has the answer of a request that was taken later. */
  readonly response_path: string | null;
  readonly is_complete: boolean;
  readonly expires_at: string;
}

/** Each call is in the audit log, so it is made once. */
export const contentsQuery = (id: string) =>
  queryOptions({
    queryKey: ['contents', id],
    queryFn: ({ signal }) => get<Contents>(`/account/requests/${encodeURIComponent(id)}/contents`, {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
