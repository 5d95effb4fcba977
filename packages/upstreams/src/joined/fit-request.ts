import {
  type Changes,
  type ChatModelTraits,
  changesBetween,
  mergeChanges,
  type NeutralRequest,
  type NeutralSettings,
  NO_CHANGES,
} from '@gateway/contracts';
import { lostSettings } from '../client-request/setting-changes.js';
import type { NeutralCall, NeutralProtocol } from '../protocol.js';
import { checkMedia } from './check-media.js';
import { checkToolChoice } from './check-tool-choice.js';
import { fitCalls } from './fit-calls.js';
import { fitInstructions } from './fit-instructions.js';
import { fitNames } from './fit-names.js';
import { fitStrict } from './fit-strict.js';
import { fitTools } from './fit-tools.js';
import { nearestEffort } from './nearest-effort.js';
import type { OwnTool, OwnTools } from './own-calls.js';

/** A request as the protocol can send it, and what that changed, by neutral names of settings. */
export interface FittedRequest {
  readonly request: NeutralRequest;
  readonly changes: Changes;
  /** The client's tools that are sent in another form or under another name. */
  readonly ownTools: OwnTools;
}

/**
 * Fits a request to a protocol: drops vendor tools that it lacks, reports the settings that it lacks, moves an effort that is
 * a hint to the nearest one of the model, takes the mark from strict schemas that the protocol refuses, sends tools of free
 * text as functions and instructions alone as the user's message, and gives tools names and calls ids that the protocol
 * takes. Throws a GatewayError (400) for media that the model does not take, and for a forced call of a tool that the
 * request does not have.
 */
export function fitRequest(call: NeutralCall, protocol: NeutralProtocol): FittedRequest {
  const { traits, names } = call;
  const strict = fitStrict(call, protocol);
  const { request, changes } = fitInstructions(strict.request, protocol);
  checkMedia(request, traits);
  checkToolChoice(request, names);
  const settings = request.isEffortHint ? withNearestEffort(request.settings, traits) : request.settings;
  const tools = fitTools(request, protocol);
  const { request: named, renamed } = fitNames(tools.request, protocol.toolName);
  // The loss of a setting that the client has no field for is no loss to the client.
  const lostNames = lostSettings(settings, protocol.settings).filter((name) => names[name] !== undefined);
  const lost = { filled: {}, dropped: [...lostNames, ...tools.dropped] };
  return {
    request: { ...request, ...named, messages: fitCalls(named.messages, protocol.callId), settings },
    changes: [strict.changes, changes, lost].reduce(mergeChanges, effortChange(request.settings, settings)),
    ownTools: ownToolsOf(tools.customNames, renamed),
  };
}

function ownToolsOf(customNames: ReadonlySet<string>, renamed: ReadonlyMap<string, string>): OwnTools {
  const own = new Map<string, OwnTool>([...customNames].map((name) => [name, { name, isWrapped: true }]));
  for (const [sent, name] of renamed) {
    own.delete(name);
    own.set(sent, { name, isWrapped: customNames.has(name) });
  }
  return own;
}

function withNearestEffort(settings: NeutralSettings, traits: ChatModelTraits): NeutralSettings {
  const { effort } = settings;
  const nearest = effort === undefined ? undefined : nearestEffort(effort, traits);
  return nearest === effort ? settings : { ...settings, effort: nearest };
}

/** `none` of a model that reasons on request only is what the model does by default. */
const effortChange = ({ effort: given }: NeutralSettings, { effort: sent }: NeutralSettings): Changes =>
  given === undefined || (given === 'none' && sent === undefined)
    ? NO_CHANGES
    : changesBetween({ effort: given }, { effort: sent });
