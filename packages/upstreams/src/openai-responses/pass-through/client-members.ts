import type { MemberValues } from '../../json/replace-member.js';
import type { PassThroughResponsesCall } from '../../protocol.js';

/**
 * What a response says in the client's names. The vendor sees no state of the client: neither the response's public id nor
 * what it continues, nor that the gateway stores it.
 */
export function clientMembers({ members, publicModel, responseId }: PassThroughResponsesCall): MemberValues {
  const previous = members.read('previous_response_id');
  const conversation = members.read('conversation');
  return {
    replaced: {
      id: JSON.stringify(responseId),
      model: JSON.stringify(publicModel),
      store: JSON.stringify(members.read('store') ?? true),
      background: JSON.stringify(members.read('background') ?? false),
    },
    ensured: {
      ...(previous != null && { previous_response_id: JSON.stringify(previous) }),
      ...(conversation != null && {
        conversation: JSON.stringify(typeof conversation === 'string' ? { id: conversation } : conversation),
      }),
    },
  };
}
