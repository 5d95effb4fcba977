const fieldsOf = (block) => {
  const fields = {};
  for (const line of block.split('\n')) {
    const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name !== undefined) fields[name] = value;
  }
  return fields;
};

/** Server-sent events as they arrive: `{ id, event, data }`. Throws if the connection breaks off. */
export async function* readServerEvents(bytes) {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of bytes) {
    const blocks = (rest + decoder.decode(piece, { stream: true })).split('\n\n');
    rest = blocks.pop();
    for (const fields of blocks.map(fieldsOf)) if (fields.data !== undefined) yield fields;
  }
}
