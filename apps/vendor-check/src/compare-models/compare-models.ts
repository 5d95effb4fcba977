import type { Vendor } from '@gateway/contracts';
import { MODEL_LISTS } from '@gateway/upstreams';
import type { CheckContext } from '../context.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { renderTable } from '../table.js';
import { type ChannelList, compareLists, type Difference, needsAction } from './compare-lists.js';
import { expectedModels, knownNames } from './expected-models.js';
import { listModels } from './list-models.js';

interface VendorResult {
  readonly vendor: Vendor;
  readonly differences: readonly Difference[];
  /** Why something was not asked. */
  readonly gaps: readonly string[];
}

/** Compares the catalogue with what each credential may use. Free: a list costs nothing. */
export async function compareModels(vendors: readonly Vendor[], context: CheckContext): Promise<ExitCode> {
  const results = await Promise.all(vendors.map((vendor) => compareVendor(vendor, context)));
  const rows = results.flatMap(({ vendor, differences }) =>
    differences
      .filter(needsAction)
      .map(({ kind, upstreamModel, publicIds, detail }) => [kind, vendor, upstreamModel, publicIds.join(' '), detail]),
  );
  if (rows.length > 0) context.print(renderTable(['finding', 'vendor', 'model', 'public ids', 'detail'], rows));
  for (const { vendor, differences, gaps } of results) {
    for (const kind of ['unlisted', 'new'] as const) printNames(vendor, kind, differences, context);
    for (const gap of gaps) context.print(`not asked: ${vendor}: ${gap}`);
  }
  context.print(`${rows.length} differences to act on`);
  if (rows.length > 0) return EXIT.differs;
  return results.some(({ gaps }) => gaps.length > 0) ? EXIT.notAsked : EXIT.asExpected;
}

const MEANING = {
  unlisted: 'not in a list that leaves out models, so this means nothing',
  new: 'not in the catalogue',
} as const;

function printNames(
  vendor: Vendor,
  kind: keyof typeof MEANING,
  differences: readonly Difference[],
  { print }: CheckContext,
): void {
  const names = differences.filter((difference) => difference.kind === kind).map(({ upstreamModel }) => upstreamModel);
  if (names.length > 0) print(`${kind}: ${vendor}: ${names.join(', ')} (${MEANING[kind]})`);
}

async function compareVendor(vendor: Vendor, { config, call, nowMs }: CheckContext): Promise<VendorResult> {
  const list = MODEL_LISTS[vendor];
  // A vendor without a list is no gap: there is nothing that an operator could mend.
  if (list === undefined) return { vendor, differences: [], gaps: [] };
  const channels = config.channels.filter((channel) => channel.vendor === vendor);
  if (channels.length === 0) return { vendor, differences: [], gaps: [`${vendor.toUpperCase()}_API_KEY is not set`] };
  const lists: ChannelList[] = [];
  const gaps: string[] = [];
  for (const channel of channels) {
    try {
      lists.push({ channelId: channel.id, models: await listModels(list, channel, call) });
    } catch (error) {
      gaps.push(`${channel.id}: ${(error as Error).message}`);
    }
  }
  if (lists.length === 0) return { vendor, differences: [], gaps };
  const expected = expectedModels(vendor, nowMs, config.upstreamModelOverrides);
  const comparison = { expected, lists, isComplete: list.isComplete, known: knownNames(vendor) };
  return { vendor, differences: compareLists(comparison), gaps };
}
