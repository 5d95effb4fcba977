import type { CatalogueModel } from '../catalogue-model.js';
import { CL } from './cl.js';
import { GM } from './gm.js';
import { GP } from './gp.js';
import { QN } from './qn.js';
import { VG } from './vg.js';

/** Every model, in the order in which lists show them. */
export const MODELS: readonly CatalogueModel[] = [...CL, ...GM, ...GP, ...QN, ...VG];
