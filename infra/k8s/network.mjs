import { BlockList } from 'node:net';
import { ofKind } from './render.mjs';

const EXPRESSIONS = {
  In: (value, values) => values.includes(value),
  NotIn: (value, values) => !values.includes(value),
};

/** Whether a selector matches these labels; an empty one matches everything. */
export const selects = ({ matchLabels = {}, matchExpressions = [] }, labels) =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every(({ key, operator, values }) => EXPRESSIONS[operator](labels[key], values));

function isWithin(address, { cidr, except = [] }) {
  const holds = (block) => {
    const [network, bits] = block.split('/');
    const list = new BlockList();
    list.addSubnet(network, Number(bits));
    return list.check(address);
  };
  return holds(cidr) && !except.some(holds);
}

/** A peer is a pod of ours (`labels`), one of another namespace (`namespace`: its labels), or an external address. */
function isMeant({ ipBlock, namespaceSelector, podSelector }, { labels, namespace, address }) {
  if (ipBlock !== undefined) return address !== undefined && isWithin(address, ipBlock);
  if (namespaceSelector !== undefined) return namespace !== undefined && selects(namespaceSelector, namespace);
  return labels !== undefined && selects(podSelector, labels);
}

const WAYS = { Egress: ['egress', 'to'], Ingress: ['ingress', 'from'] };

/** What the network policies permit: a pod without a policy has all connections, another only the listed ones. */
export function networkOf(manifests) {
  const policies = ofKind(manifests, 'NetworkPolicy').map(({ spec }) => spec);

  function allows(way, pod, peer, port) {
    const [rules, peers] = WAYS[way];
    const own = policies.filter(
      ({ podSelector, policyTypes }) => policyTypes.includes(way) && selects(podSelector, pod.labels),
    );
    if (own.length === 0) return true;
    return own
      .flatMap((policy) => policy[rules] ?? [])
      .some((rule) => rule[peers].some((one) => isMeant(one, peer)) && rule.ports.some((one) => one.port === port));
  }

  return {
    /** From one pod to another, at a named port. */
    connects: (from, to, port) => allows('Egress', from, to, port) && allows('Ingress', to, from, port),
    /** From a pod to an external peer, at a port number. */
    letsOut: (from, peer, port) => allows('Egress', from, peer, port),
    /** From an external peer to a pod. */
    letsIn: (peer, to, port) => allows('Ingress', to, peer, port),
  };
}
