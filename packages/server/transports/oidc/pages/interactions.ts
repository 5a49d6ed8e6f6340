import { AppError } from '@mailroom/behavior/values/error';
import type { Route } from '../../../http/route.ts';
import type { PendingSignIn } from '../interaction.ts';
import type { Issuer, Issuers } from '../issuers.ts';
import { NAMES } from '../mount.ts';
import { wordsOf } from '../used-services.ts';
import type { PageCall, People } from './people.ts';
import type { Leaving, Purpose } from './purpose.ts';
import { stepRoutes } from './steps.ts';

/** The pages for signing in to a service; `uid` names one sign-in. */
export const interactionRoutes = (people: People, issuers: Pick<Issuers, 'of'>): readonly Route[] =>
  stepRoutes(
    { base: '/oidc/{namespace}/sign-in/{uid}', names: { namespace: NAMES }, open: (call) => open(call, issuers) },
    people,
  );

/** The sign-in that this browser began. AppError `not_found` when it has expired or began elsewhere. */
async function open(call: PageCall, issuers: Pick<Issuers, 'of'>): Promise<Purpose> {
  const { namespace = '', uid = '' } = call.params;
  const issuer = await issuers.of(namespace);
  if (issuer === undefined) throw new AppError('not_found', `There is no sign-in by ${namespace} here.`);
  return purposeOf(issuer, await issuer.begunBy(call.raw(), uid));
}

function purposeOf(issuer: Issuer, signIn: PendingSignIn): Purpose {
  const { client, scopes, login_hint, reauthenticate, began_at } = signIn.interaction;
  return {
    service: {
      origin: client.origin,
      name: client.name === '' ? null : client.name,
      metadata_url: client.metadata_url,
      gets: wordsOf(scopes),
    },
    from_mailbox_id: issuer.mailbox.id,
    hint: login_hint ?? '',
    accepts: ({ at }) => !reauthenticate || at >= began_at,
    finish: async ({ account_id, amr, at }) => leaving(await signIn.finish({ account_id, amr: [...amr], at })),
    deny: async () => leaving(await signIn.deny()),
  };
}

const leaving = (location: string): Leaving => ({ location, set_cookie: [] });
