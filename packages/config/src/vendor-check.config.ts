import { VENDORS } from '@gateway/contracts';
import { z } from 'zod';
import { channelVariables, readChannels } from './channels.js';
import { catalogueAt, json } from './variables.js';

/** A command that ends: it has no port. Vendors without a credential are left out. */
export const vendorCheckConfig = z
  .object({
    ...channelVariables,
    /** Renames upstream models: public id → the upstream's name. The workers have the same setting. */
    UPSTREAM_MODEL_OVERRIDES: json(z.record(z.string(), z.string())).default({}),
    CATALOGUE_AT: catalogueAt,
  })
  .transform((variables) => ({
    channels: VENDORS.flatMap((vendor) => readChannels(vendor, variables)),
    upstreamModelOverrides: variables.UPSTREAM_MODEL_OVERRIDES,
    catalogueAtMs: variables.CATALOGUE_AT,
  }));

export type VendorCheckConfig = z.output<typeof vendorCheckConfig>;
