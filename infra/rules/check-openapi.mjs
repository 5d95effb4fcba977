import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * A change of `docs/openapi` must not break a client of the last release: what it sends is still accepted, and what it
 * reads is still there. Before the first release the documents are compared with those of the main branch.
 */

const DOCUMENTS = ['docs/openapi/public.json', 'docs/openapi/accounts.json'];
const MAIN_BRANCHES = ['origin/main', 'main'];
const MOST_DEPTH = 12;
/** Limits of a request, and whether a smaller number refuses more. */
const LIMITS = { maximum: true, maxLength: true, maxItems: true, minimum: false, minLength: false, minItems: false };

const listOf = (value) => (Array.isArray(value) ? value : value === undefined ? [] : [value]);
const variantsOf = ({ anyOf, oneOf }) => anyOf ?? oneOf;
const valuesOf = ({ enum: values, const: value }) => values ?? (value === undefined ? undefined : [value]);

/** Compares the schemas of two documents. `isRequest`: the client writes the value, else it reads it. */
class SchemaComparison {
  constructor(before, after, isRequest) {
    Object.assign(this, { before, after, isRequest });
  }

  /** One sentence for each change that breaks a client. */
  compare(before, after, place, depth = 0) {
    if (depth > MOST_DEPTH) return [];
    const [old, now] = [this.#resolve(this.before, before), this.#resolve(this.after, after)];
    if (variantsOf(old) !== undefined || variantsOf(now) !== undefined) return this.#variants(old, now, place, depth);
    return [
      ...this.#types(old, now, place),
      ...this.#values(old, now, place),
      ...(this.isRequest ? this.#limits(old, now, place) : []),
      ...this.#fields(old, now, place, depth),
      ...(old.items && now.items ? this.compare(old.items, now.items, `${place}[]`, depth + 1) : []),
    ];
  }

  #resolve(document, schema) {
    let found = schema ?? {};
    while (typeof found.$ref === 'string') {
      found =
        found.$ref
          .slice(2)
          .split('/')
          .reduce((part, name) => part?.[name], document) ?? {};
    }
    return found;
  }

  /** Each variant of the one side needs a variant of the other that takes it. */
  #variants(old, now, place, depth) {
    const [olds, nows] = [variantsOf(old) ?? [old], variantsOf(now) ?? [now]];
    const [needed, offered] = this.isRequest ? [olds, nows] : [nows, olds];
    const isMet = (one) =>
      offered.some((other) => {
        const pair = this.isRequest ? [one, other] : [other, one];
        return this.compare(...pair, place, depth + 1).length === 0;
      });
    return needed.every(isMet) ? [] : [`${place}: a variant has no counterpart any more`];
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
    if (!this.isRequest || nows === undefined) return [];
    if (olds === undefined) return [`${place}: only ${nows.join(', ')} is accepted now`];
    return olds.filter((value) => !nows.includes(value)).map((value) => `${place}: the value ${value} is gone`);
  }

  #limits(old, now, place) {
    return Object.entries(LIMITS).flatMap(([name, isUpper]) => {
      if (now[name] === undefined) return [];
      const isStricter = old[name] === undefined || (isUpper ? now[name] < old[name] : now[name] > old[name]);
      return isStricter ? [`${place}: ${name} is ${now[name]} now`] : [];
    });
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
}

function ofOperation(before, after, [old, now], place) {
  const requests = new SchemaComparison(before, after, true);
  const answers = new SchemaComparison(before, after, false);
  const named = (operation) =>
    new Map(
      listOf(operation.parameters)
        .filter((one) => one.name)
        .map((one) => [`${one.in} ${one.name}`, one]),
    );
  const [oldParameters, newParameters] = [named(old), named(now)];
  const added = [...newParameters].filter(([name, { required }]) => required && !oldParameters.get(name)?.required);
  const contentOf = (holder) => Object.entries(holder?.content ?? {});
  const successes = (operation) => Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  return [
    ...added.map(([name]) => `${place}: the ${name} is required now`),
    ...[...oldParameters].flatMap(([name, { schema }]) =>
      newParameters.has(name)
        ? requests.compare(schema, newParameters.get(name).schema, `${place} ${name}`)
        : [`${place}: the ${name} is gone`],
    ),
    ...contentOf(old.requestBody).flatMap(([type, { schema }]) => {
      const other = now.requestBody?.content?.[type];
      return other ? requests.compare(schema, other.schema, `${place} body`) : [`${place}: no ${type} is accepted now`];
    }),
    ...(now.requestBody?.required && !old.requestBody?.required ? [`${place}: the body is required now`] : []),
    ...successes(old).flatMap(([status, response]) =>
      now.responses[status] === undefined
        ? [`${place}: the answer ${status} is gone`]
        : contentOf(response).flatMap(([type, { schema }]) => {
            const other = now.responses[status].content?.[type];
            return other
              ? answers.compare(schema, other.schema, `${place} ${status}`)
              : [`${place}: the answer ${status} has no ${type} now`];
          }),
    ),
  ];
}

/** What breaks a client of the first document, one sentence each. */
export const breakingChanges = (before, after) =>
  Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const now = after.paths[path]?.[method];
      const place = `${method.toUpperCase()} ${path}`;
      return now === undefined ? [`${place} is gone`] : ofOperation(before, after, [operation, now], place);
    }),
  );

const git = (...args) => {
  try {
    return execFileSync('git', args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 27,
    }).trim();
  } catch {
    return undefined;
  }
};

/** The newest release, else the commit at which this branch left main. Undefined outside a Git checkout. */
function lastRelease() {
  const tag = git('describe', '--tags', '--abbrev=0', '--match', 'v*');
  return tag ?? MAIN_BRANCHES.map((branch) => git('merge-base', 'HEAD', branch)).find((commit) => commit !== undefined);
}

if (process.argv[1] === import.meta.filename) {
  const release = lastRelease();
  for (const file of DOCUMENTS) {
    const before = release === undefined ? undefined : git('show', `${release}:${file}`);
    const path = join(process.cwd(), file);
    if (before === undefined || !existsSync(path)) continue;
    for (const change of breakingChanges(JSON.parse(before), JSON.parse(readFileSync(path, 'utf8')))) {
      process.stdout.write(`${file}: ${change}\n`);
      process.exitCode = 1;
    }
  }
}
