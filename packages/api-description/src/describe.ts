import 'reflect-metadata';
import { RequestMethod, SetMetadata, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import type { RouteDescription } from './route-description.js';

const DESCRIPTION = 'gateway:description';

/** Describes the route of a handler. A test fails for a route without one. */
export const Describe = (description: RouteDescription): MethodDecorator => SetMetadata(DESCRIPTION, description);

/** What `Describe` says of a handler. */
export const descriptionOf = (handler: object): RouteDescription | undefined =>
  Reflect.getMetadata(DESCRIPTION, handler);

/** A route of a controller, as the server registers it. */
export interface ControllerRoute {
  readonly method: string;
  /** Such as `/account/keys/:id`. */
  readonly path: string;
  readonly description?: RouteDescription;
}

type Handler = (...given: never[]) => unknown;

const join = (...parts: readonly string[]): string =>
  `/${parts
    .flatMap((part) => part.split('/'))
    .filter((part) => part !== '')
    .join('/')}`;

const pathsOf = (target: object): readonly string[] | undefined => {
  const paths: string | string[] | undefined = Reflect.getMetadata(PATH_METADATA, target);
  return paths === undefined ? undefined : [paths].flat();
};

/** The routes of these controllers, read from their decorators. A handler with several paths has a route for each. */
export function controllerRoutes(controllers: readonly Type[]): readonly ControllerRoute[] {
  return controllers.flatMap((controller) => {
    const [prefix = ''] = pathsOf(controller) ?? [];
    return Object.entries(Object.getOwnPropertyDescriptors(controller.prototype as object)).flatMap(
      ([name, { value }]) => {
        if (name === 'constructor' || typeof value !== 'function') return [];
        const handler = value as Handler;
        const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
        const description = descriptionOf(handler);
        return (pathsOf(handler) ?? []).map((path) => ({
          method: method ?? 'GET',
          path: join(prefix, path),
          ...(description !== undefined && { description }),
        }));
      },
    );
  });
}
