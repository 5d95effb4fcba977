/** The longest time that a list or a report may take, in milliseconds. */
export const AIM_MS = { normal: 300, largest: 2_000 };

/** Whole days, as a page of reports asks for them. */
const daysAgo = (days) => new Date(Date.now() - days * 24 * 60 * 60 * 1_000).toISOString().slice(0, 10);
const LAST_QUARTER = () => daysAgo(89);
/** A month in the middle of the receipts. */
const whole = () => daysAgo(45).slice(0, 7);

/** Every list and report of an account. */
export const accountRoutes = () => [
  '/account/balance',
  '/account/requests',
  '/account/requests?limit=200&model=vg-4',
  '/account/requests?key_id=key_b',
  '/account/requests?outcome=failed',
  '/account/requests?min_cost_usd=0.0009',
  '/account/requests?request_id=req_bench_none',
  '/account/requests?order=oldest',
  '/account/requests?count=true&limit=1',
  '/account/requests?status=4xx',
  '/account/requests?format=csv&limit=200',
  '/account/usage',
  `/account/usage?group_by=day&from=${LAST_QUARTER()}`,
  `/account/usage?group_by=model&from=${LAST_QUARTER()}`,
  `/account/usage?group_by=key&from=${LAST_QUARTER()}`,
  '/account/ledger',
  `/account/usage?group_by=day,model&from=${LAST_QUARTER()}`,
  `/account/usage?group_by=day,key,model&from=${LAST_QUARTER()}`,
  `/account/usage?group_by=member,endpoint&from=${LAST_QUARTER()}`,
  `/account/usage?group_by=hour&from=${daysAgo(30)}`,
  `/account/usage/repriced?model=gm-3.5-flash-lite&from=${LAST_QUARTER()}`,
  '/account/refusals',
  '/account/ledger?limit=200&format=csv',
  '/account/ledger?kind=top_up',
  '/account/ledger?order=oldest',
  '/account/statements',
  `/account/statements/${whole()}`,
  '/account/tasks',
  '/account/files',
  '/account/batches',
  '/account/kept-requests',
  '/account/models/health',
  '/account/audit',
  '/account/keys',
  '/account/storage',
  '/account/events',
];

/** Every list and report of operators, over all accounts. */
export const adminRoutes = (largestId) => [
  '/admin/accounts',
  '/admin/accounts?limit=200',
  `/admin/accounts/${largestId}`,
  ...['day', 'model', 'vendor', 'account', 'endpoint'].map(
    (group) => `/admin/margin?group_by=${group}&from=${LAST_QUARTER()}`,
  ),
  `/admin/margin?group_by=day&account_id=${largestId}&from=${LAST_QUARTER()}`,
  '/admin/channels',
  '/admin/audit',
  '/admin/tasks',
  '/admin/system',
  '/admin/reconciliation',
];
