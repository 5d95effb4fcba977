import type { CatalogueModel } from '../catalogue-model.js';
import { MODELS } from '../families/all-families.js';
import { RETIRED_NAMES } from '../families/retired-names.js';
import { findModel } from './find-model.js';

/** Clients are warned this long before a model retires. */
const NOTICE_MS = 30 * 24 * 60 * 60 * 1_000;

/** What a client must know about a model that retires or has retired. */
export interface RetirementNotice {
  /** Since when clients are warned, in Unix milliseconds. */
  readonly warnedFromMs: number;
  readonly retiresAtMs: number;
  /** Public id of the model that serves the id afterwards, or else the nearest one. */
  readonly replacement: string | undefined;
}

const notices = new WeakMap<CatalogueModel, RetirementNotice | null>();

function noticeOf(model: CatalogueModel): RetirementNotice | null {
  const known = notices.get(model);
  if (known !== undefined) return known;
  const { retirement } = model;
  const retiresAtMs = retirement === undefined ? Number.NaN : Date.parse(retirement.on);
  const notice =
    retirement === undefined
      ? null
      : { warnedFromMs: retiresAtMs - NOTICE_MS, retiresAtMs, replacement: model.servedBy ?? replacementOf(model) };
  notices.set(model, notice);
  return notice;
}

const replacementOf = ({ retirement }: CatalogueModel): string | undefined =>
  retirement?.successor ?? retirement?.nearest;

/** Undefined until 30 days before the model's retirement. */
export function retirementNotice(model: CatalogueModel, atMs: number): RetirementNotice | undefined {
  const notice = noticeOf(model);
  return notice !== null && atMs >= notice.warnedFromMs ? notice : undefined;
}

/** A model whose end changes, or has changed, what clients get. */
export interface UpcomingRetirement {
  readonly model: CatalogueModel;
  readonly replacement: string | undefined;
  /** Milliseconds; below zero once the model has ended and no successor serves it. */
  readonly leftMs: number;
}

/** Every retirement that is still to come, and every past one that left an id without a successor. */
export const upcomingRetirements = (atMs: number): readonly UpcomingRetirement[] =>
  (MODELS as readonly CatalogueModel[]).flatMap((model) => {
    if (model.retirement === undefined) return [];
    const leftMs = Date.parse(model.retirement.on) - atMs;
    return leftMs > 0 || model.retirement.successor === undefined
      ? [{ model, replacement: replacementOf(model), leftMs }]
      : [];
  });

/** A name that nothing serves any more. */
export interface GoneModel {
  /** ISO date. */
  readonly on: string;
  /** Public id of the model to use instead; undefined if the catalogue names none. */
  readonly nearest: string | undefined;
}

const goneByName = new Map(RETIRED_NAMES.flatMap((retired) => retired.names.map((name) => [name, retired] as const)));

/** The end of a name that has ended by then. Undefined for one that has not, or never was one. */
export function goneModel(name: string, atMs: number): GoneModel | undefined {
  const gone = goneByName.get(name);
  if (gone !== undefined) return gone;
  const model = findModel(name);
  if (model?.retirement === undefined || atMs < Date.parse(model.retirement.on)) return undefined;
  return { on: model.retirement.on, nearest: replacementOf(model) };
}
