import { resolve, SchemaComparison } from './compare-schemas.mjs';

const listOf = (value) => value ?? [];
const contentOf = (holder) => Object.entries(holder?.content ?? {});
const text = (value) => JSON.stringify(value);

/** Two documents, and the two ways in which their schemas are compared. */
class DocumentComparison {
  constructor(before, after) {
    Object.assign(this, { before, after });
    this.requests = new SchemaComparison(before, after, true);
    this.answers = new SchemaComparison(before, after, false);
  }

  operation(old, now, place) {
    return [
      ...(old.operationId === now.operationId ? [] : [`${place}: its id ${old.operationId} is ${now.operationId} now`]),
      ...this.#security(old, now, place),
      ...this.#parameters(old, now, place),
      ...this.#body(old, now, place),
      ...this.#answersOf(old, now, place),
    ];
  }

  /** Clients have one of the credentials, and send it as the document said. */
  #security(old, now, place) {
    const [olds, nows] = [old, now].map(({ security }) =>
      listOf(security).map((one) => Object.keys(one).sort().join(' + ')),
    );
    if (olds.length === 0 || olds.includes('')) {
      return nows.length === 0 || nows.includes('') ? [] : [`${place}: it needs a credential now`];
    }
    const gone = nows.length === 0 ? [] : olds.filter((name) => !nows.includes(name));
    return gone.map((name) => `${place}: the credential ${name} is refused now`);
  }

  #parameters(old, now, place) {
    const named = (document, { parameters }) =>
      new Map(
        listOf(parameters)
          .map((one) => resolve(document, one))
          .map((one) => [`${one.in} ${one.name}`, one]),
      );
    const [olds, nows] = [named(this.before, old), named(this.after, now)];
    const added = [...nows].filter(([name, { required }]) => required && !olds.get(name)?.required);
    return [
      ...added.map(([name]) => `${place}: the ${name} is required now`),
      ...[...olds].flatMap(([name, { schema }]) =>
        nows.has(name)
          ? this.requests.compare(schema, nows.get(name).schema, `${place} ${name}`)
          : [`${place}: the ${name} is gone`],
      ),
    ];
  }

  #body(old, now, place) {
    return [
      ...contentOf(old.requestBody).flatMap(([type, { schema }]) => {
        const other = now.requestBody?.content?.[type];
        return other
          ? this.requests.compare(schema, other.schema, `${place} body`)
          : [`${place}: no ${type} is accepted now`];
      }),
      ...(now.requestBody?.required && !old.requestBody?.required ? [`${place}: the body is required now`] : []),
    ];
  }

  /** An error that does not come any more breaks no client; a success that does not come does. */
  #answersOf(old, now, place) {
    return Object.entries(old.responses).flatMap(([status, given]) => {
      const other = now.responses[status];
      if (other === undefined) return status.startsWith('2') ? [`${place}: the answer ${status} is gone`] : [];
      return this.#answer(resolve(this.before, given), resolve(this.after, other), `${place} ${status}`);
    });
  }

  #answer(old, now, place) {
    return [
      ...Object.entries(old.headers ?? {}).flatMap(([name, header]) => {
        const other = now.headers?.[name];
        if (other === undefined) return [`${place}: the header ${name} is gone`];
        const [before, after] = [resolve(this.before, header), resolve(this.after, other)];
        return this.answers.compare(before.schema, after.schema, `${place} header ${name}`);
      }),
      ...contentOf(old).flatMap(([type, { schema }]) => {
        const other = now.content?.[type];
        return other ? this.answers.compare(schema, other.schema, place) : [`${place}: it has no ${type} now`];
      }),
    ];
  }

  /** What a webhook delivers is read by the client. */
  webhook(old, now, place) {
    return contentOf(old.requestBody).flatMap(([type, { schema }]) => {
      const other = now.requestBody?.content?.[type];
      return other ? this.answers.compare(schema, other.schema, place) : [`${place}: it has no ${type} now`];
    });
  }

  schemes() {
    const [olds, nows] = [this.before, this.after].map(({ components }) => components?.securitySchemes ?? {});
    const sent = (scheme = {}) => text([scheme.type, scheme.scheme, scheme.in, scheme.name]);
    const changed = Object.keys(olds).filter((name) => sent(olds[name]) !== sent(nows[name]));
    return changed.map((name) => `the credential ${name} is sent in another way now`);
  }
}

/** Each method of each path of both documents. */
const pairs = (before = {}, after = {}) =>
  Object.entries(before).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, old]) => ({ path, method, old, now: after[path]?.[method] })),
  );

/** What breaks a client of the first document, one sentence each. */
export function breakingChanges(before, after) {
  const comparison = new DocumentComparison(before, after);
  return [
    ...comparison.schemes(),
    ...pairs(before.paths, after.paths).flatMap(({ path, method, old, now }) => {
      const place = `${method.toUpperCase()} ${path}`;
      return now === undefined ? [`${place} is gone`] : comparison.operation(old, now, place);
    }),
    ...pairs(before.webhooks, after.webhooks).flatMap(({ path, old, now }) => {
      const place = `the webhook ${path}`;
      return now === undefined ? [`${place} is gone`] : comparison.webhook(old, now, place);
    }),
  ];
}
