import type { AccountComponents } from '@gateway/client';

/** The objects of the account interface, as its OpenAPI document names them. */
export type Documented = AccountComponents['schemas'];
