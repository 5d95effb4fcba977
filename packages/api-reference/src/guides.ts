/** The how-tos for users of the API, by the name of their file: what a client sees beside the reference. */
export const GUIDES = {
  'use-client-libraries': 'Use client libraries',
  'point-a-coding-assistant-at-it': 'Point a coding assistant at it',
  videos: 'Videos',
  'keep-results': 'Take a response later',
  'keep-files': 'Keep files',
  'run-batches': 'Run batches',
  'use-over-mcp': 'Use it over MCP',
  'accounts-and-keys': 'Accounts and keys',
  'prove-a-charge': 'Prove a charge',
  'receive-webhooks': 'Receive webhooks',
} as const satisfies Record<string, string>;

export type Guide = keyof typeof GUIDES;

export const guideNames = Object.keys(GUIDES) as Guide[];
export const isGuide = (name: string): name is Guide => Object.hasOwn(GUIDES, name);
