/*
 * The addresses of the console, below `/console`: what the tests bring into each state, and what `npm run screenshots`
 * takes images of. A new page is a row here.
 */

/** Of people without a session. */
export const OUTSIDE_PAGES = ['/sign-in', '/create-account', '/forgot-password', '/reset-password', '/confirm'];

/** Of members. Each reads something, so that it may fail and be empty. */
export const CUSTOMER_PAGES = [
  '/',
  '/first-call',
  '/requests',
  '/playground',
  '/media',
  '/media?view=files',
  '/media?view=batches',
  '/media?view=requests',
  '/keys',
  '/models',
  '/webhooks',
  '/billing',
  '/account',
  '/account?tab=members',
  '/account?tab=organisation',
  '/account?tab=changes',
];

/** Dialogs and panels of members, the kinds of models, and pages that read nothing of their own. */
export const CUSTOMER_VIEWS = [
  '/account?tab=api',
  '/keys?make=key',
  '/webhooks?make=endpoint',
  '/models?open=gm-2.5-flash',
  '/playground?model=gm-2.5-flash,cl-sonnet-4-6',
  '/playground?kind=images',
  '/playground?kind=edits',
  '/playground?kind=speech',
  '/playground?kind=video',
  '/playground?kind=embeddings',
  '/playground?kind=rerank',
  '/parts',
];

/** Each reads something, too. */
export const OPERATOR_PAGES = [
  '/operator/accounts',
  '/operator/channels',
  '/operator/queues?all=true',
  '/operator/tasks',
  '/operator/proof',
  '/operator/proof?view=margin',
  '/operator/proof?view=bills',
  '/operator/webhooks',
  '/operator/audit',
  '/operator/alerts',
  '/operator/system',
];

/** Panels of operators. */
export const OPERATOR_VIEWS = ['/operator/alerts?runbook=ledger-drift', '/operator/proof?open=refunded_charges'];
