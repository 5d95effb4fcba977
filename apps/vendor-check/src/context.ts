import type { VendorCheckConfig } from '@gateway/config';
import type { CallVendor } from './call-vendor.js';

/** What both commands need. `nowMs`: the moment whose catalogue counts, in Unix milliseconds. */
export interface CheckContext {
  readonly config: VendorCheckConfig;
  readonly call: CallVendor;
  readonly nowMs: number;
  print(text: string): void;
}
