export * from './cost-of.js';
export * from './nano-usd.js';
