import { JsonMembers } from '../../json/json-members.js';
import { replaceMember } from '../../json/replace-member.js';
import type { PassThroughGenerateCall, Target, WireRequest } from '../../protocol.js';
import { generateMethod, wireRequest } from '../wire-request.js';
import { withKnownRoles } from './known-roles.js';
import { ownSignatures } from './own-signatures.js';
import { withBudget } from './thinking-budget.js';

type Config = Readonly<Record<string, unknown>>;
type Members = Readonly<Record<'model' | 'generationConfig' | 'generation_config', Config | undefined>>;

export function buildGenerateRequest(call: PassThroughGenerateCall, target: Target): WireRequest {
  const { body, changes } = withBudget(call);
  const signed = { ...call, body: ownSignatures({ ...call, body: withKnownRoles(body) }) };
  const request = wireRequest(generateMethod(call.framing !== undefined), generateBody(signed), target);
  return changes === undefined ? request : { ...request, changes };
}

/** The model of the inner request is named in the vendor's own form. */
export function buildCountRequest({ body }: PassThroughGenerateCall, target: Target): WireRequest {
  const name = JSON.stringify(`models/${target.upstreamModel}`);
  const renamed = ['generateContentRequest', 'generate_content_request'].reduce(
    (bytes, holder) => replaceMember(bytes, [holder, 'model'], name),
    withoutModel(withKnownRoles(body)),
  );
  return wireRequest('countTokens', renamed, target);
}

/** The path names the upstream's model, so that of the body goes. */
function withoutModel(body: Buffer): Buffer {
  const members = JsonMembers.of<Members>(body);
  return members.read('model') === undefined ? body : members.with({ model: undefined }).bytes();
}

/** The client's bytes. Only a cap that the hold needs is added. */
function generateBody({ body, outputCap }: PassThroughGenerateCall): Buffer {
  if (outputCap === undefined) return withoutModel(body);
  const members = JsonMembers.of<Members>(body);
  const name = members.read('generation_config') == null ? 'generationConfig' : 'generation_config';
  // Null in either spelling is no cap.
  const { maxOutputTokens: _, max_output_tokens: __, ...config } = members.read(name) ?? {};
  return members.with({ model: undefined, [name]: { ...config, maxOutputTokens: outputCap } }).bytes();
}
