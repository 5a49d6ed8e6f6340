import { readConfig } from '@mailroom/server/config';
import { systemClock } from '@mailroom/server/core/values/steady-clock';
import type { Constant } from '@mailroom/server/http/constant';
import type { App } from '@mailroom/server/service/app';
import { makeLimiters } from '@mailroom/server/service/limiters';
import { settingsOf } from '@mailroom/server/service/settings';
import { apiRoutes } from '@mailroom/server/transports/api/index';
import { operationRoutes } from '@mailroom/server/transports/operations';

/** Stands for a part that only requests use: its members exist, and calling one throws an Error. */
const unused: never = new Proxy(() => {}, {
  get: () => unused,
  apply() {
    throw new Error('The routes are only described here; none of their parts may be called.');
  },
}) as never;

/** The OpenAPI document of the service with its default settings, as JSON, without a database or a server. */
export async function openapiJson(): Promise<string> {
  const config = readConfig({});
  const store = { mailboxes: { page: async () => ({ items: [], next: null }) } };
  const parts: Partial<App> = {
    ...settingsOf(config),
    config,
    clock: systemClock,
    limiters: makeLimiters(config, systemClock, { shared: undefined, states: unused }),
    store: new Proxy(store, {
      get: (own, name) => Reflect.get(own, name) ?? unused,
    }) as unknown as App['store'],
    baseUrl: () => 'http://localhost:8080',
  };
  const made = new Proxy(parts, { get: (own, name) => Reflect.get(own, name) ?? unused }) as App;
  const { routes } = apiRoutes(made, operationRoutes(unused));
  const described = routes.find(({ id }) => id === 'getOpenapi');
  if (described === undefined) throw new Error('The API has no operation getOpenapi.');
  const { body } = await described.handle({} as never);
  return (body as Constant).bytes.toString();
}
