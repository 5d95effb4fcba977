import type { ApiEdgeConfig } from '@gateway/config';

export type EdgeConfig = ApiEdgeConfig;

export const EDGE_CONFIG = Symbol('EdgeConfig');
