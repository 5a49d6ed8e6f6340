import type { Host, HostIssuer } from '@mailroom/behavior/host';
import type { LanguageModel } from '@mailroom/behavior/model';
import { SECOND } from '@mailroom/behavior/values/clock';
import type { Config } from '../config.ts';
import { hasScope, isLive } from '../core/entities/key.ts';
import type { Mailbox } from '../core/entities/mailbox.ts';
import { metered } from '../core/runs/model-budget.ts';
import { TRUST } from '../core/sign-in/trusted-issuers.ts';
import { addressesIn } from '../http/authenticate.ts';
import { Model } from '../model/model.ts';
import { makeGuardedFetch } from '../net/guarded-fetch.ts';
import { OutsideHttp } from '../net/outside/index.ts';
import type { Base, Later } from './base.ts';
import type { SignIn } from './sign-in.ts';

/** What behaviors may use of this service. `parts`: what several services of a process share, which stays when this one ends. */
export function makeHost(
  app: Base & SignIn,
  stack: AsyncDisposableStack,
  later: () => Later,
  parts?: ReadonlyMap<string, object>,
): Host {
  const { config, mailDomain, clock, log, keyring, resolve, user_agent, seal } = app;
  const { OTHER, ...settings } = config;
  const shared = new Map<string, object>(parts);
  return {
    settings: { ...OTHER, ...settings },
    mailDomain,
    clock,
    log,
    model: makeModel(config),
    fetch: (limits) => makeGuardedFetch({ resolve, ...limits, user_agent }),
    outside: {
      client: stack.use(new OutsideHttp({ resolve, trusts: addressesIn(config.OUTSIDE_NETWORKS), user_agent })),
      cipher: seal,
      // What a behavior has of a mailbox is the mailbox itself; a preview is stored by no key.
      isLimited: async (mailbox) =>
        mailbox.settings_key_id != null && later().disclosure.isLimitedMailbox(mailbox as Mailbox),
    },
    receipts: {
      sign: (payload) => keyring.sign('receipt', payload),
      signer: () => keyring.signer('receipt'),
    },
    issuer: makeIssuer(app),
    shared<T extends object>(name: string, make: () => T): T {
      const known = shared.get(name) as T | undefined;
      if (known !== undefined) return known;
      const part: T & { close?(): Promise<void> } = make();
      shared.set(name, part);
      if (part.close !== undefined) stack.defer(async () => part.close?.());
      return part;
    },
  };
}

function makeIssuer({ issuerUrl, tokens, agentSignIn, directory, store, clock }: Base & SignIn): HostIssuer {
  return {
    trust: TRUST,
    urlOf: issuerUrl,
    async key(id) {
      const key = await directory.keyById(id);
      return key && { live: isLive(key, clock()), asserts: hasScope(key, 'auth:assert'), expires_at: key.expires_at };
    },
    mailbox: (id) => directory.mailboxById(id),
    allows: (mailbox, namespace, client) => store.allowances.has(mailbox, namespace, client),
    issue: (request) => tokens.issue(request),
    begin: (url, agent) => agentSignIn.begin(url, agent),
  };
}

/** The model that behaviors may use, if one is configured. */
const makeModel = (config: Config): LanguageModel | undefined =>
  config.MODEL_BASE_URL === undefined || config.MODEL_NAME === undefined
    ? undefined
    : metered(
        new Model({
          base_url: config.MODEL_BASE_URL,
          name: config.MODEL_NAME,
          api_key: config.MODEL_API_KEY,
          step_ms: config.MODEL_SECONDS * SECOND,
        }),
      );
