import { AppError } from '@mailroom/behavior/values/error';
import type { Directory } from '../../../core/access/directory.ts';
import type { Sessions } from '../../../core/access/sessions.ts';
import type { Passkey } from '../../../core/entities/account.ts';
import { actingAs } from '../../../core/ports/audit-scope.ts';
import type { Store } from '../../../core/ports/store.ts';
import type { AccountSession } from '../../../core/sign-in/account-sessions.ts';
import type { Claims } from '../../../core/sign-in/claims.ts';
import { agentOf } from '../../../http/agent.ts';
import { pageRoute } from '../../../http/page-route.ts';
import { returnOf } from '../../../http/return-cookie.ts';
import type { Answer, Route } from '../../../http/route.ts';
import type { SessionCookie } from '../../../http/session-cookie.ts';
import type { Issuers } from '../issuers.ts';
import { passkeyName } from '../passkeys.ts';
import type { UsedServices } from '../used-services.ts';
import { accountMain, type Deleting, type OwnedName } from './account-page.ts';
import {
  isRecent,
  type PageCall,
  type People,
  peoplePage,
  queryOf,
  seeOther,
  senderOf,
  tokenField,
  type Visitor,
  visitorOf,
} from './people.ts';
import { messageOf } from './problems.ts';
import type { Purpose } from './purpose.ts';
import { stepRoutes } from './steps.ts';

const PATH = 'account';
/** Actions that need a recent sign-in, because they change how the account is opened, or end it. */
const GRAVE: ReadonlySet<string> = new Set(['add', 'rename', 'remove', 'console', 'delete']);

export interface AccountParts {
  readonly store: Pick<Store, 'accounts' | 'keys' | 'namespaces'>;
  readonly directory: Directory;
  /** The name of the namespace of the service itself. */
  readonly house: string;
  /** The local part of the mailbox there that sends codes. */
  readonly names: { readonly signIn: string };
  readonly claims: Claims;
  /** The sessions of the console. */
  readonly consoles: { readonly sessions: Sessions; readonly cookie: SessionCookie };
  readonly usedServices: UsedServices;
  readonly issuers: Pick<Issuers, 'forget'>;
}

/** The account page and the sign-in to it. */
export function accountRoutes(people: People, parts: AccountParts): readonly Route[] {
  const { passkeys, clock, sessions, cookie, browserCookie } = people;
  const { store, directory, house, names, claims, consoles, usedServices, issuers } = parts;
  const limits = [people.limiters.pages];

  /** Codes for this page come from the service's own namespace. */
  async function open(call: PageCall): Promise<Purpose> {
    const mailbox = await directory.mailbox(names.signIn, house);
    if (mailbox === undefined || mailbox.deleted_at !== null) {
      throw new AppError(
        'not_found',
        `Signing in to an account is not possible here: codes come from ${names.signIn}@${house}, which does not exist (any more). The operator of this service can name another namespace (HOUSE_NAMESPACE). Signing in to services by other namespaces still works.`,
      );
    }
    return {
      service: undefined,
      from_mailbox_id: mailbox.id,
      hint: '',
      accepts: () => true,
      finish: async () => {
        const { cookie: header } = call.headers;
        const next = returnOf(header === undefined ? undefined : String(header), call.secure);
        return next === undefined
          ? { location: PATH, set_cookie: [] }
          : { location: next.location, set_cookie: [next.clear] };
      },
      deny: undefined,
    };
  }

  /** The namespaces that the account owns and the other ways to open each. */
  async function namesOf(account_id: string): Promise<readonly OwnedName[]> {
    const owned = await store.accounts.membershipsOf(account_id, clock());
    const names = await Promise.all(
      owned.map(async ({ namespace_id, key_id }) => {
        const [namespace, owners, ways] = await Promise.all([
          store.namespaces.byId(namespace_id),
          claims.ownersOf(namespace_id),
          claims.waysIn(namespace_id),
        ]);
        if (namespace === undefined) return [];
        const last = owners.every((one) => one.account_id === account_id);
        const keyed = [...ways].some((id) => id !== key_id);
        return [{ ...namespace, last, keyed }];
      }),
    );
    return names.flat();
  }

  interface Said {
    readonly status?: number;
    readonly passkeyError?: string;
    readonly renaming?: string;
    readonly nameError?: string;
    readonly deleting?: Deleting;
  }

  async function show(call: PageCall, visitor: Visitor, session: AccountSession, feedback: Said = {}): Promise<Answer> {
    const token = tokenField(visitor, PATH);
    const { account_id } = session;
    const view = {
      session,
      passkeys: await store.accounts.passkeys(account_id),
      renaming: feedback.renaming ?? (typeof call.query.rename === 'string' ? call.query.rename : undefined),
      adding: passkeys.possible
        ? {
            action: PATH,
            token,
            options: await passkeys.createOptions(visitor.browser, session),
            label: 'Name of a new passkey',
            name: agentOf(String(call.headers['user-agent'] ?? '')),
            error: feedback.passkeyError,
          }
        : undefined,
      sessions: await sessions.list(account_id),
      services: await usedServices.of(account_id),
      names: await namesOf(account_id),
      done: DONE[queryOf(call, 'done')],
      deleting: feedback.deleting,
      nameError: feedback.nameError,
      token,
      now: clock(),
    };
    const title = feedback.status === undefined ? session.address : `Error: ${session.address}`;
    const main = accountMain(view, people.frame);
    return peoplePage(
      feedback.status ?? 200,
      { title, root: '', main, cookies: visitor.cookies, framed: true },
      people,
    );
  }

  const back = (done: string, at = ''): Answer => seeOther(`${PATH}?done=${done}${at}`);

  async function change(call: PageCall, visitor: Visitor, session: AccountSession): Promise<Answer> {
    const { account_id } = session;
    const id = call.form.get('id') ?? '';
    const wanted = call.form.get('do') ?? '';
    if (GRAVE.has(wanted) && !isRecent(session, people)) return seeOther(`${PATH}/sign-in?other=1&note=again`);
    switch (wanted) {
      case 'out':
        await sessions.end(account_id, session.hash);
        return seeOther(`${PATH}/sign-in?note=out`, [cookie.clear(call.secure)]);
      case 'everywhere':
        await endConsoles(account_id);
        await sessions.endAll(account_id);
        return seeOther(`${PATH}/sign-in?note=everywhere`, [cookie.clear(call.secure)]);
      case 'end':
        await sessions.end(account_id, call.form.get('session') ?? '');
        return back('ended', '#sessions');
      case 'add':
        return added(call, visitor, session);
      case 'rename':
        return renamed(call, visitor, session, id);
      case 'remove':
        await store.accounts.removePasskey(id, account_id);
        return back('removed', '#passkeys');
      case 'revoke':
        await usedServices.revoke(account_id, id);
        return back('revoked', '#services');
      case 'console':
        return openConsole(call, account_id, id);
      case 'delete':
        return deleted(call, visitor, session);
      default:
        return show(call, visitor, session);
    }
  }

  async function added(call: PageCall, visitor: Visitor, session: AccountSession): Promise<Answer> {
    try {
      await passkeys.add(visitor.browser, session, call.form.get('response') ?? '', call.form.get('name') ?? '');
      return back('added', '#passkeys');
    } catch (error) {
      return show(call, visitor, session, { status: 422, passkeyError: messageOf(error) });
    }
  }

  async function renamed(
    call: PageCall,
    visitor: Visitor,
    session: AccountSession,
    id: Passkey['id'],
  ): Promise<Answer> {
    try {
      await store.accounts.renamePasskey(id, session.account_id, passkeyName(call.form.get('name') ?? ''));
      return back('renamed', '#passkeys');
    } catch (error) {
      return show(call, visitor, session, { status: 422, renaming: id, nameError: messageOf(error) });
    }
  }

  /** Opens the console with the ownership's key. */
  async function openConsole(call: PageCall, account_id: string, namespace_id: string): Promise<Answer> {
    const owned = await store.accounts.membershipsOf(account_id, clock());
    const key_id = owned.find((one) => one.namespace_id === namespace_id)?.key_id;
    const key = key_id === undefined ? undefined : await store.keys.byId(key_id);
    if (key === undefined) throw new AppError('access_denied', 'You do not own this name (any more).');
    const id = await consoles.sessions.begin(key, agentOf(String(call.headers['user-agent'] ?? '')));
    return seeOther('console', [consoles.cookie.write(id, call.secure)]);
  }

  /** Ends console sessions opened as this account; those opened with another key stay. */
  async function endConsoles(account_id: string): Promise<void> {
    for (const { namespace_id, key_id } of await store.accounts.membershipsOf(account_id, clock())) {
      for (const one of await consoles.sessions.list(namespace_id)) {
        if (one.key_id === key_id) await consoles.sessions.end(one.hash);
      }
    }
  }

  async function deleted(call: PageCall, visitor: Visitor, session: AccountSession): Promise<Answer> {
    const { account_id, address } = session;
    const typed = (call.form.get('typed') ?? '').trim();
    const confirmed = new Set(call.form.getAll('last'));
    const last = (await namesOf(account_id)).filter((one) => one.last);
    const wrong = !account_id.startsWith('acc_') || typed.toLowerCase() !== address;
    // Checked now rather than when the page was rendered, because another owner may have left meanwhile.
    if (wrong || last.some(({ id }) => !confirmed.has(id)))
      return show(call, visitor, session, { status: 422, deleting: { typed, wrong, confirmed } });
    await issuers.forget(account_id);
    await store.accounts.remove(account_id);
    directory.changed();
    await sessions.endAll(account_id);
    return seeOther(`${PATH}/sign-in?note=deleted`, [cookie.clear(call.secure)]);
  }

  return [
    ...stepRoutes({ base: `/${PATH}/sign-in`, open }, people),
    pageRoute('GET', `/${PATH}`, {
      limits,
      async handle(any) {
        const call = any as unknown as PageCall;
        const visitor = await visitorOf(call, people, browserCookie.fresh());
        return visitor.session === undefined ? seeOther(`${PATH}/sign-in`) : show(call, visitor, visitor.session);
      },
    }),
    pageRoute('POST', `/${PATH}`, {
      limits,
      form: true,
      async handle(any) {
        const call = any as unknown as PageCall;
        const visitor = await senderOf(call, people, PATH);
        const { session } = visitor;
        return session === undefined
          ? seeOther(`${PATH}/sign-in?note=out`)
          : actingAs(memberOf(session), () => change(call, visitor, session));
      },
    }),
  ];
}

/** The account, in the audit logs of the namespaces that it belongs to. */
const memberOf = ({ account_id }: AccountSession) => ({ kind: 'member', id: account_id, name: null }) as const;

const DONE: Readonly<Record<string, string>> = {
  added: 'The passkey is added. Next time, sign in without a code.',
  renamed: 'The passkey is renamed.',
  removed: 'The passkey is removed and can no longer be used to sign in. You can delete it on your device too.',
  ended: 'That browser is signed out.',
  revoked: 'Revoked: the service must ask you again the next time.',
};
