import type { CatalogueModel } from '../catalogue-model.js';
import { modelAt, namesAt } from './model-at.js';

/** A longer name is none of ours: comparing it would only cost time. */
const MAX_NAME_CHARACTERS = 80;
/** Two names that share less than this part of their pairs of characters have nothing in common. */
const LEAST_SIMILARITY = 0.4;

const pairsByName = new Map<string, ReadonlySet<string>>();

function pairsOf(name: string): ReadonlySet<string> {
  const text = ` ${name.toLowerCase()} `;
  return new Set(Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2)));
}

/** Kept for names of the catalogue only: a client's names are endless. */
function knownPairsOf(name: string): ReadonlySet<string> {
  const known = pairsByName.get(name) ?? pairsOf(name);
  pairsByName.set(name, known);
  return known;
}

/** The part of pairs that two names share (Dice): 0 to 1. */
function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const pair of one) if (other.has(pair)) shared += 1;
  return (2 * shared) / (one.size + other.size);
}

/** The public id that an unknown name was probably meant for, among models that `isUsable` admits. */
export function nearestModel(
  name: string,
  atMs: number,
  isUsable: (model: CatalogueModel) => boolean = () => true,
): CatalogueModel | undefined {
  if (name.length > MAX_NAME_CHARACTERS) return undefined;
  const asked = pairsOf(name);
  let best: { model: CatalogueModel; score: number } | undefined;
  for (const known of namesAt(atMs)) {
    const score = similarity(asked, knownPairsOf(known));
    if (score < LEAST_SIMILARITY || score <= (best?.score ?? 0)) continue;
    const model = modelAt(known, atMs);
    if (model !== undefined && isUsable(model)) best = { model, score };
  }
  return best?.model;
}
