/*
 * Schemas of two documents. A request may accept more than before, an answer may have less variety than before, but not
 * the other way round. An answer may get new fields and new values: clients must expect them.
 */

const MOST_DEPTH = 12;
/** Limits of a request, and whether a smaller number refuses more. */
const LIMITS = {
  maximum: true,
  exclusiveMaximum: true,
  maxLength: true,
  maxItems: true,
  maxProperties: true,
  minimum: false,
  exclusiveMinimum: false,
  minLength: false,
  minItems: false,
  minProperties: false,
};
/** What refuses some values of a request, in a way that cannot be compared. */
const RULES = ['pattern', 'format', 'multipleOf', 'uniqueItems', 'not'];

const listOf = (value) => (Array.isArray(value) ? value : value === undefined ? [] : [value]);
const variantsOf = ({ anyOf, oneOf }) => anyOf ?? oneOf;
const valuesOf = ({ enum: values, const: value }) => values ?? (value === undefined ? undefined : [value]);
const text = (value) => JSON.stringify(value);

/** What a `$ref` of a document stands for. */
export function resolve(document, given) {
  let found = given ?? {};
  while (typeof found.$ref === 'string') {
    const names = found.$ref.slice(2).split('/');
    found = names.reduce((part, name) => part?.[name], document) ?? {};
  }
  return found;
}

/** No value is accepted: a client never sends one. */
const acceptsNothing = ({ not }) => not !== undefined && Object.keys(not).length === 0;

/** Compares the schemas of two documents. `isRequest`: the client writes the value, else it reads it. */
export class SchemaComparison {
  constructor(before, after, isRequest) {
    Object.assign(this, { before, after, isRequest });
  }

  /** One sentence for each change that breaks a client. */
  compare(before, after, place, depth = 0) {
    if (depth > MOST_DEPTH) return [];
    const [old, now] = [resolve(this.before, before), resolve(this.after, after)];
    if (this.isRequest && acceptsNothing(old)) return [];
    if (variantsOf(old) !== undefined || variantsOf(now) !== undefined) return this.#variants(old, now, place, depth);
    return [
      ...this.#types(old, now, place),
      ...this.#values(old, now, place),
      ...(this.isRequest ? [...this.#limits(old, now, place), ...this.#rules(old, now, place)] : []),
      ...this.#fields(old, now, place, depth),
      ...this.#otherFields(old, now, place, depth),
      ...this.#inner(old, now, 'items', { place: `${place}[]`, depth }),
      ...this.#inner(old, now, 'x-event-data', { place: `${place} event`, depth }),
      ...this.#inner(old, now, 'x-event-error', { place: `${place} error`, depth }),
    ];
  }

  #inner(old, now, name, { place, depth }) {
    if (now[name] === undefined) return old[name] === undefined || this.isRequest ? [] : [`${place}: it is open now`];
    if (old[name] === undefined) return this.isRequest ? [`${place}: it is limited now`] : [];
    return this.compare(old[name], now[name], place, depth + 1);
  }

  /** Each variant of the one side needs a variant of the other that takes it. */
  #variants(old, now, place, depth) {
    const [olds, nows] = [old, now].map((side) => variantsOf(side) ?? [side]);
    const takes = (one, other) => this.compare(one, other, place, depth + 1).length === 0;
    if (this.isRequest) {
      const isMet = olds.every((one) => nows.some((other) => takes(one, other)));
      return isMet ? [] : [`${place}: a variant has no counterpart any more`];
    }
    const lost = olds
      .filter((one) => this.#kinds(this.before, one).length > 0)
      .filter((one) => !nows.some((other) => takes(one, other)));
    const isNew = (one) => this.#kinds(this.after, one).some((kind) => !this.#hasKind(olds, kind));
    const odd = nows.filter((other) => !isNew(other) && !olds.some((one) => takes(one, other)));
    return lost.length + odd.length === 0 ? [] : [`${place}: a variant has no counterpart any more`];
  }

  /** The required fields with one value: they distinguish variants, such as `type="message"`. */
  #kinds(document, variant) {
    const { properties = {}, required = [] } = resolve(document, variant);
    return required.flatMap((name) => {
      const value = resolve(document, properties[name]).const;
      return value === undefined ? [] : [`${name}=${text(value)}`];
    });
  }

  #hasKind(olds, kind) {
    return olds.some((one) => this.#kinds(this.before, one).includes(kind));
  }

  #types(old, now, place) {
    const [olds, nows] = [listOf(old.type), listOf(now.type)];
    if (nows.length === 0) return this.isRequest || olds.length === 0 ? [] : [`${place}: the type is open now`];
    const [wide, narrow] = this.isRequest ? [nows, olds] : [olds, nows];
    if (this.isRequest && olds.length === 0) return [`${place}: only ${nows.join(', ')} is accepted now`];
    const takes = (type) => wide.includes(type) || (type === 'integer' && wide.includes('number'));
    return wide.length === 0 || narrow.every(takes)
      ? []
      : [`${place}: the type ${olds.join(', ')} is ${nows.join(', ')} now`];
  }

  #values(old, now, place) {
    const [olds, nows] = [valuesOf(old), valuesOf(now)];
    if (nows === undefined) return olds === undefined || this.isRequest ? [] : [`${place}: any value may come now`];
    if (olds === undefined) return this.isRequest ? [`${place}: only ${nows.join(', ')} is accepted now`] : [];
    return olds.filter((value) => !nows.includes(value)).map((value) => `${place}: the value ${value} is gone`);
  }

  #limits(old, now, place) {
    return Object.entries(LIMITS).flatMap(([name, isUpper]) => {
      if (now[name] === undefined) return [];
      const isStricter = old[name] === undefined || (isUpper ? now[name] < old[name] : now[name] > old[name]);
      return isStricter ? [`${place}: ${name} is ${now[name]} now`] : [];
    });
  }

  /** A rule that is new or another one, and a default that does something else than before. */
  #rules(old, now, place) {
    const rules = RULES.filter((name) => now[name] !== undefined && text(now[name]) !== text(old[name]));
    const isOther = old.default !== undefined && text(now.default) !== text(old.default);
    return [
      ...rules.map((name) => `${place}: ${name} is ${text(now[name])} now`),
      ...(isOther ? [`${place}: the default ${text(old.default)} is ${text(now.default) ?? 'gone'} now`] : []),
    ];
  }

  #fields(old, now, place, depth) {
    const [olds, nows] = [old.properties ?? {}, now.properties ?? {}];
    const gone = Object.keys(olds).filter((name) => nows[name] === undefined);
    const isMissed = !this.isRequest || now.additionalProperties === false;
    const [required, known] = this.isRequest ? [now.required, old.required] : [old.required, now.required];
    const word = this.isRequest ? 'required' : 'optional';
    return [
      ...(isMissed ? gone.map((name) => `${place}.${name}: the field is gone`) : []),
      ...listOf(required)
        .filter((name) => !listOf(known).includes(name) && !gone.includes(name))
        .map((name) => `${place}.${name}: the field is ${word} now`),
      ...Object.keys(olds)
        .filter((name) => nows[name] !== undefined)
        .flatMap((name) => this.compare(olds[name], nows[name], `${place}.${name}`, depth + 1)),
    ];
  }

  /** Fields without a name of their own, such as those of `metadata`. An answer is open. */
  #otherFields(old, now, place, depth) {
    const [olds, nows] = [old, now].map(({ additionalProperties: given }) => given ?? true);
    if (typeof olds === 'object' && typeof nows === 'object') return this.compare(olds, nows, `${place}.*`, depth + 1);
    if (!this.isRequest || olds === false || nows === true) return [];
    return [`${place}: ${nows === false ? 'other fields are refused' : 'other fields are limited'} now`];
  }
}
