import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { get } from './call.js';

/** What this deployment is: the addresses that programs use. */
export interface ConsoleSettings {
  /** Without `/v1`. */
  readonly gateway_url: string;
  readonly mcp_url: string | null;
  readonly registration: boolean;
}

export const settingsQuery = queryOptions({
  queryKey: ['console-settings'],
  queryFn: ({ signal }) => get<ConsoleSettings>('/console/settings.json', {}, signal),
  staleTime: Number.POSITIVE_INFINITY,
});

export const useSettings = (): ConsoleSettings => useSuspenseQuery(settingsQuery).data;
