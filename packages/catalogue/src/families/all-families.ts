import type { CatalogueModel } from '../catalogue-model.js';
import { CL } from './cl.js';
import { DE } from './de.js';
import { GM } from './gm.js';
import { GM_IMAGE } from './gm-image.js';
import { GP } from './gp.js';
import { GP_IMAGE } from './gp-image.js';
import { GROK_IMAGE } from './grok-image.js';
import { GROK_VIDEO } from './grok-video.js';
import { HAPPYHORSE } from './happyhorse.js';
import { QN } from './qn.js';
import { QN_IMAGE } from './qn-image.js';
import { SEEDANCE } from './seedance.js';
import { SEEDREAM } from './seedream.js';
import { VG } from './vg.js';
import { WN } from './wn.js';

/** Every model, in the order of `GET /v1/models`. A new family: import it and add its line. */
export const MODELS: readonly CatalogueModel[] = [
  ...CL,
  ...GM,
  ...GP,
  ...QN,
  ...VG,
  ...QN_IMAGE,
  ...GP_IMAGE,
  ...DE,
  ...GM_IMAGE,
  ...SEEDREAM,
  ...GROK_IMAGE,
  ...WN,
  ...HAPPYHORSE,
  ...SEEDANCE,
  ...GROK_VIDEO,
];
