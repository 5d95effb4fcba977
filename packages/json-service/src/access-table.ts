import 'reflect-metadata';
import { RequestMethod, type Type } from '@nestjs/common';
import { GUARDS_METADATA, INTERCEPTORS_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';

export interface RouteAccess {
  /** Such as `GET /account/keys/:id`. */
  readonly route: string;
  /** Its guards and interceptors, by class name. */
  readonly access: readonly string[];
}

type Handler = (...given: never[]) => unknown;

const list = (key: string, target: object): readonly { readonly name: string }[] =>
  Reflect.getMetadata(key, target) ?? [];

const namesOf = (key: string, ...targets: object[]): readonly string[] =>
  targets.flatMap((target) => list(key, target)).map(({ name }) => name);

const join = (...parts: readonly string[]): string =>
  `/${parts
    .flatMap((part) => part.split('/'))
    .filter((part) => part !== '')
    .join('/')}`;

/** Who may call each route of these controllers, read from their decorators. */
export function accessTable(controllers: readonly Type[]): readonly RouteAccess[] {
  return controllers.flatMap((controller) =>
    Object.entries(Object.getOwnPropertyDescriptors(controller.prototype as object)).flatMap(([name, { value }]) => {
      if (name === 'constructor' || typeof value !== 'function') return [];
      const handler = value as Handler;
      const path: string | undefined = Reflect.getMetadata(PATH_METADATA, handler);
      if (path === undefined) return [];
      const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
      const access = [
        ...namesOf(GUARDS_METADATA, controller, handler),
        ...namesOf(INTERCEPTORS_METADATA, controller, handler),
      ];
      return [{ route: `${method} ${join(Reflect.getMetadata(PATH_METADATA, controller), path)}`, access }];
    }),
  );
}

/**
 * Returns a check for each route that the server registers. It throws for a route without a guard that is not in
 * `publicRoutes`, so that the service does not start.
 */
export function requireAccessRule(
  controllers: readonly Type[],
  publicRoutes: ReadonlySet<string>,
): (method: string, path: string) => void {
  const guarded = new Set(accessTable(controllers).flatMap(({ route, access }) => (access.length > 0 ? [route] : [])));
  return (method, path) => {
    // The server adds a HEAD route to each GET route, with the same handler.
    const route = `${method === 'HEAD' ? 'GET' : method} ${path}`;
    if (guarded.has(route) || publicRoutes.has(route)) return;
    throw new Error(`${route} has no guard: add a decorator of guards/access.ts, or a line to the public routes`);
  };
}
