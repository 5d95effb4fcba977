/**
 * The graph of arguments in Prisma's client (`parameterizationSchema`): nodes with edges by the number of a name. The client
 * keeps the edges of a node in an array up to its highest number, so names that many nodes have must have low numbers.
 * The format is that of `runtime/client.mjs` in Prisma 7.10.
 */
class Reader {
  #bytes;
  #at = 0;
  constructor(graph) {
    this.#bytes = Buffer.from(graph, 'base64url');
  }
  byte = () => this.#bytes[this.#at++];
  number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
}

const numberBytes = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...numberBytes(value >>> 7)]);

const times = (count, read) => Array.from({ length: count }, read);

/** Optional numbers stay as they are stored: 0, or one more than the number. */
function readGraph(graph) {
  const { byte, number } = new Reader(graph);
  const [inputs, outputs, roots] = times(3, number);
  const inputEdge = () => ({ name: number(), mask: [byte(), byte()], child: number(), enum: number(), flags: byte() });
  const edge = () => ({ name: number(), args: number(), output: number() });
  return {
    inputs: times(inputs, () => times(number(), inputEdge)),
    outputs: times(outputs, () => times(number(), edge)),
    roots: times(roots, edge),
  };
}

function writeGraph({ inputs, outputs, roots }) {
  const inputEdge = (one) => [
    ...numberBytes(one.name),
    ...one.mask,
    ...numberBytes(one.child),
    ...numberBytes(one.enum),
    one.flags,
  ];
  const edge = (one) => [one.name, one.args, one.output].flatMap(numberBytes);
  const nodes = (all, write) => all.flatMap((edges) => [...numberBytes(edges.length), ...edges.flatMap(write)]);
  const counts = [inputs, outputs, roots].flatMap(({ length }) => numberBytes(length));
  const bytes = [...counts, ...nodes(inputs, inputEdge), ...nodes(outputs, edge), ...roots.flatMap(edge)];
  return Buffer.from(bytes).toString('base64url');
}

/** The edges of each node by name, to compare two graphs. */
export function namedEdges({ strings, graph }) {
  const { inputs, outputs, roots } = readGraph(graph);
  const named = (edge) => ({ ...edge, name: strings[edge.name], ...(edge.enum && { enum: strings[edge.enum - 1] }) });
  return [...inputs, ...outputs, roots].map((edges) => edges.map(named));
}

/** The highest number of a name in each node that has edges. */
export const highestNames = ({ graph }) =>
  Object.values(readGraph(graph))
    .slice(0, 2)
    .flat()
    .filter((edges) => edges.length > 0)
    .map((edges) => Math.max(...edges.map(({ name }) => name)));

/** The same graph, in which a name has a lower number the more edges have it. Throws if the format is another one. */
export function renumberNames({ strings, graph }) {
  const known = readGraph(graph);
  if (writeGraph(known) !== graph || new Set(strings).size !== strings.length)
    throw new Error("Prisma's format of parameterizationSchema is another one: adapt renumber-names.mjs, or remove it");
  const uses = strings.map(() => 0);
  for (const { name } of [known.inputs, known.outputs].flat(2)) uses[name] += 1;
  const order = strings.map((_, number) => number).sort((one, other) => uses[other] - uses[one] || one - other);
  const renumbered = new Map(order.map((number, place) => [number, place]));
  const edge = (one) => ({
    ...one,
    name: renumbered.get(one.name),
    ...(one.enum && { enum: renumbered.get(one.enum - 1) + 1 }),
  });
  const nodes = (all) => all.map((edges) => edges.map(edge));
  return {
    strings: order.map((number) => strings[number]),
    graph: writeGraph({ inputs: nodes(known.inputs), outputs: nodes(known.outputs), roots: known.roots.map(edge) }),
  };
}
