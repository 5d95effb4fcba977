import type { ListedModel } from '@gateway/upstreams';
import type { ExpectedModel } from './expected-models.js';

/** The list that one credential gets. */
export interface ChannelList {
  readonly channelId: string;
  readonly models: readonly ListedModel[];
}

/**
 * - `gone`: the vendor lists every model, and this one is not there, or is marked as shut down.
 * - `closed`: one credential gets it, another does not.
 * - `date`: the vendor announces another end than the catalogue.
 * - `unlisted`: not listed, by a vendor whose list leaves out models. This means nothing.
 * - `new`: listed, and unknown to the catalogue.
 */
export type DifferenceKind = 'gone' | 'closed' | 'date' | 'unlisted' | 'new';

export interface Difference {
  readonly kind: DifferenceKind;
  readonly upstreamModel: string;
  readonly publicIds: readonly string[];
  readonly detail: string;
}

export interface Comparison {
  readonly expected: readonly ExpectedModel[];
  /** At least one. */
  readonly lists: readonly ChannelList[];
  /** The vendor lists every model that it serves. */
  readonly isComplete: boolean;
  readonly known: ReadonlySet<string>;
}

/** Differences that a person must act on. */
export const needsAction = ({ kind }: Difference): boolean => ['gone', 'closed', 'date'].includes(kind);

const DATED = /-(\d{8}|\d{6}|\d{4}-\d\d-\d\d)$/;

/** A list may name only the dated release of a model, or only the model of a dated release. */
const isSame = (listed: string, name: string): boolean =>
  listed === name || listed.replace(DATED, '') === name || listed === name.replace(DATED, '');

const findIn = ({ models }: ChannelList, name: string): ListedModel | undefined =>
  models.find(({ id, isShutDown }) => id === name && !isShutDown) ??
  models.find(({ id, isShutDown }) => isSame(id, name) && !isShutDown);

export function compareLists({ expected, lists, isComplete, known }: Comparison): readonly Difference[] {
  const givesDates = lists.some(({ models }) => models.some(({ shutdownDate }) => shutdownDate !== undefined));
  return [
    ...expected.flatMap((model) => compareModel(model, lists, { isComplete, givesDates })),
    ...newModels(lists, known, expected),
  ];
}

function compareModel(
  { upstreamModel, publicIds, retiresOn }: ExpectedModel,
  lists: readonly ChannelList[],
  { isComplete, givesDates }: { readonly isComplete: boolean; readonly givesDates: boolean },
): readonly Difference[] {
  const difference = (kind: DifferenceKind, detail: string): Difference => ({ kind, upstreamModel, publicIds, detail });
  const found = lists.map((list) => ({ channelId: list.channelId, listed: findIn(list, upstreamModel) }));
  const without = found.filter(({ listed }) => listed === undefined).map(({ channelId }) => channelId);
  if (without.length === lists.length) {
    const isMarked = lists.some(({ models }) =>
      models.some(({ id, isShutDown }) => id === upstreamModel && isShutDown),
    );
    if (isMarked) return [difference('gone', 'listed as shut down')];
    return isComplete
      ? [difference('gone', 'no credential gets it')]
      : [difference('unlisted', 'the list is not complete')];
  }
  const announced = found.find(({ listed }) => listed?.shutdownDate !== undefined)?.listed?.shutdownDate;
  const vendorDay = announced === undefined ? undefined : dayOf(announced);
  return [
    ...(without.length > 0 ? [difference('closed', `not for ${without.join(', ')}`)] : []),
    ...(givesDates && vendorDay !== retiresOn
      ? [difference('date', `vendor: ${vendorDay ?? 'no end'}, catalogue: ${retiresOn ?? 'no end'}`)]
      : []),
  ];
}

/** Unix seconds or an ISO date as an ISO date. */
const dayOf = (date: string): string =>
  /^\d+$/.test(date) ? new Date(Number(date) * 1_000).toISOString().slice(0, 10) : date.slice(0, 10);

function newModels(
  lists: readonly ChannelList[],
  known: ReadonlySet<string>,
  expected: readonly ExpectedModel[],
): readonly Difference[] {
  const names = new Set([...known, ...expected.map(({ upstreamModel }) => upstreamModel)]);
  const listed = new Set(
    lists.flatMap(({ models }) => models.filter(({ isShutDown }) => !isShutDown).map(({ id }) => id)),
  );
  return [...listed]
    .filter((id) => ![...names].some((name) => isSame(id, name)))
    .sort()
    .map((id) => ({ kind: 'new', upstreamModel: id, publicIds: [], detail: 'not in the catalogue' }));
}
