import { parseArgs } from 'node:util';
import { ConfigError, loadConfig, vendorCheckConfig } from '@gateway/config';
import { VENDORS, type Vendor } from '@gateway/contracts';
import { openVendors } from './call-vendor.js';
import { compareModels } from './compare-models/compare-models.js';
import { EXIT, type ExitCode } from './exit-code.js';
import { confirmCost } from './probe/confirm-cost.js';
import { probeVendor } from './probe/probe-vendor.js';

const USAGE = `usage: vendor-check compare [vendor…]       compare the catalogue with the vendors' lists of models (free)
       vendor-check probe <vendor> [--yes]  make a few of the cheapest calls, and compare them with what the adapters expect
vendors: ${VENDORS.join(', ')}. Credentials: <VENDOR>_API_KEY or <VENDOR>_CHANNELS, as for the workers.
exit code: 0 as expected, 1 something differs, 2 not everything could be asked`;

const isVendor = (word: string): word is Vendor => (VENDORS as readonly string[]).includes(word);

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

function printUsage(problem: string): ExitCode {
  process.stderr.write(`${problem}\n${USAGE}\n`);
  return EXIT.notAsked;
}

async function run(): Promise<ExitCode> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { yes: { type: 'boolean' } } });
  const [command, ...vendors] = positionals;
  const unknown = vendors.find((vendor) => !isVendor(vendor));
  if (unknown !== undefined) return printUsage(`'${unknown}' is no vendor`);
  const named = vendors.filter(isVendor);
  const config = loadConfig('vendor-check', vendorCheckConfig);
  const connections = openVendors();
  const context = { config, call: connections.call, print, nowMs: config.catalogueAtMs ?? Date.now() };
  try {
    if (command === 'compare') return await compareModels(named.length === 0 ? VENDORS : named, context);
    const [vendor, second] = named;
    if (command !== 'probe' || vendor === undefined || second !== undefined) return printUsage('expected a command');
    return await probeVendor(vendor, { ...context, confirm: values.yes === true ? async () => true : confirmCost });
  } finally {
    await connections.close();
  }
}

process.exitCode = await run().catch((error: unknown) => {
  if (error instanceof ConfigError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true)
    return printUsage((error as Error).message);
  throw error;
});
