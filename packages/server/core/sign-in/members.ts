import { addressOf } from '@mailroom/behavior/mailbox';
import { fullAddress } from '@mailroom/behavior/values/address';
import type { Clock } from '@mailroom/behavior/values/clock';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import { sha256 } from '@mailroom/behavior/values/hash';
import { newId } from '@mailroom/behavior/values/ids';
import { requireLasting } from '../access/caller.ts';
import type { Directory } from '../access/directory.ts';
import { findAddress } from '../access/hosted-address.ts';
import { opensConsole } from '../access/sessions.ts';
import { emailAddress } from '../entities/email-address.ts';
import { type Key, randomBase62 } from '../entities/key.ts';
import {
  INVITATION_MS,
  type Invitation,
  MAX_INVITATIONS,
  MAX_MEMBERSHIPS,
  type Member,
  ROLES,
  type Role,
} from '../entities/member.ts';
import type { Namespace } from '../entities/namespace.ts';
import type { Store } from '../ports/store.ts';
import type { Limiter } from '../values/limits.ts';
import type { PersonOf } from './claims.ts';
import { type Bound, bindingOf, memberKey, nameIn, narrowed } from './member-keys.ts';
import {
  type InvitationView,
  invitationView,
  type MemberChange,
  type MemberList,
  type MemberRemoval,
  type MemberView,
  memberView,
  type NewInvitation,
} from './member-views.ts';

interface Parts {
  readonly store: Pick<Store, 'accounts' | 'invitations' | 'mailboxes' | 'namespaces' | 'keys'>;
  readonly directory: Directory;
  readonly clock: Clock;
  readonly mailDomain: string;
  readonly baseUrl: () => string;
  /** Writes to an address. */
  readonly send: (to: string, mail: { readonly subject: string; readonly text: string }) => Promise<void>;
  /** Counts the invitations of a namespace; without it they are not limited. */
  readonly limit: Limiter | undefined;
}

/** An invitation as its recipient sees it. */
export interface OpenInvitation {
  readonly invitation: Invitation;
  readonly namespace: Namespace;
  readonly mailboxes: readonly string[] | null;
}

const TOKEN = /^[0-9A-Za-z]{43}$/;
/** Changes of one member that a change may lose to. */
const MAX_RACES = 20;

/** The people and agents of namespaces: who they are, what each may do, and how they come and go. */
export class Members {
  readonly #parts: Parts;
  readonly #personOf: PersonOf;

  constructor(parts: Parts, personOf: PersonOf) {
    this.#parts = parts;
    this.#personOf = personOf;
  }

  /** The members of a namespace and its open invitations, in the order of their creation. */
  async list(namespace_id: string): Promise<MemberList> {
    const { store, clock } = this.#parts;
    const [members, invitations] = await Promise.all([
      store.accounts.membersOf(namespace_id, clock()),
      store.invitations.of(namespace_id, clock()),
    ]);
    const items = await Promise.all(members.map((member) => this.#viewOf(member)));
    return {
      items: items.filter((one) => one !== undefined),
      next_cursor: null,
      invitations: await Promise.all(
        invitations.map(async (one) => invitationView(one, await this.#addressesOf(one.mailbox_ids))),
      ),
    };
  }

  /**
   * Writes an invitation to an address, whether or not an account has it. AppError `access_denied` for any but an owner,
   * `validation_error` for a member, an address that is invited already, one of the namespace itself or a mailbox that it
   * does not have, `rate_limited`.
   */
  async invite(by: Key, wanted: NewInvitation): Promise<InvitationView> {
    const { store, clock, limit, mailDomain, directory, baseUrl } = this.#parts;
    this.#requireOwner(by);
    const address = emailAddress(wanted.address, mailDomain);
    const mailboxes = await this.#mailboxesIn(by, wanted.role, wanted.mailboxes ?? null);
    await this.#requireOther(by, address);
    const counted = await limit?.take(by.namespace_id);
    if (counted?.allowed === false)
      throw new AppError('rate_limited', `${limit?.policy.quota} invitations a day is the most of ${by.namespace}.`, {
        retry_after_ms: counted.reset_ms,
      });
    const now = clock();
    const token = randomBase62(43);
    const invitation: Invitation = {
      id: newId('inv', now),
      namespace_id: by.namespace_id,
      address,
      role: wanted.role,
      mailbox_ids: mailboxes?.map(({ id }) => id) ?? null,
      name: wanted.name ?? nameIn(address),
      sha256: sha256(token),
      key_id: by.id,
      created_at: now,
      expires_at: now + INVITATION_MS,
    };
    const result = await store.invitations.create(invitation, MAX_INVITATIONS);
    if (result === 'invited')
      throw invalid('/address', `${address} is invited already. Take that invitation back first to send another.`);
    if (result === 'full')
      throw invalid(
        '',
        `${by.namespace} has ${MAX_INVITATIONS} open invitations, which is the most. Take one back first.`,
      );
    if (result === 'gone') throw new AppError('namespace_gone', `${by.namespace} was deleted.`);
    await this.#parts.send(
      address,
      invitationMail(by.namespace, wanted.role, `${baseUrl()}/console/invitations/${token}`),
    );
    directory.changed();
    return invitationView(invitation, mailboxes?.map((one) => fullAddress(one.address, mailDomain)) ?? null);
  }

  /** Takes an invitation back. AppError `not_found`, `access_denied`. */
  async withdraw(by: Key, id: string): Promise<void> {
    this.#requireOwner(by);
    if (await this.#parts.store.invitations.remove(id, by.namespace_id)) return;
    throw new AppError('not_found', 'There is no such invitation: it was accepted, taken back, or is over.');
  }

  /** The open invitation with this token; undefined for any other. */
  async invitation(token: string): Promise<OpenInvitation | undefined> {
    const { store, clock } = this.#parts;
    const found = TOKEN.test(token) ? await store.invitations.bySha256(sha256(token), clock()) : undefined;
    const namespace = found && (await store.namespaces.byId(found.namespace_id));
    if (found === undefined || namespace === undefined || namespace.deleted_at !== null) return undefined;
    return { invitation: found, namespace, mailboxes: await this.#addressesOf(found.mailbox_ids) };
  }

  /**
   * Makes the account that is signed in with the invited address a member, once. AppError `not_found`, `access_denied` for
   * another address, `validation_error` for who is a member already or has too many names.
   */
  async accept(token: string, { account_id, address }: { readonly account_id: string; readonly address: string }) {
    const { store, clock, directory } = this.#parts;
    const found = await this.invitation(token);
    if (found === undefined)
      throw new AppError('not_found', 'There is no such invitation: it was used, taken back, or is over.');
    const { invitation, namespace } = found;
    if (address.toLowerCase() !== invitation.address)
      throw new AppError(
        'access_denied',
        'This invitation is for another address. Sign in with the one that it came to.',
      );
    const { role, mailbox_ids, name } = invitation;
    const now = clock();
    const mailboxes = mailbox_ids === null ? null : await this.#boundOf(mailbox_ids);
    if (mailboxes?.length === 0)
      throw new AppError('not_found', 'The mailboxes of this invitation were deleted. Ask for another one.');
    const key = memberKey(namespace, { account_id, role }, { address, mailboxes, now });
    const member = { namespace_id: namespace.id, account_id, key_id: key.id, created_at: now, role, mailbox_ids, name };
    const accepted = await store.invitations.accept(invitation.id, key, member);
    if (accepted === 'member') throw invalid('', `You are a member of ${namespace.name} already.`);
    if (accepted === 'full')
      throw invalid('', `${namespace.name}, or your account, has ${MAX_MEMBERSHIPS} memberships, which is the most.`);
    if (accepted === 'gone')
      throw new AppError('not_found', 'There is no such invitation: it was used, taken back, or is over.');
    directory.changed();
    return { key, namespace };
  }

  /**
   * Changes the role, the mailboxes or the name of a member, and lowers what they made with them. AppError `not_found`,
   * `access_denied`, `validation_error` for the last owner.
   */
  async change(by: Key, id: string, { role, mailboxes, name }: MemberChange): Promise<MemberView> {
    const { store, clock, directory } = this.#parts;
    this.#requireOwner(by);
    for (let race = 0; race < MAX_RACES; race++) {
      const now = clock();
      const member = await this.#member(by, id);
      const nextRole = role ?? member.role;
      // Where all of them were deleted the key stays bound to them, and reaches none.
      const bound =
        mailboxes === undefined && !(nextRole === 'owner' && role !== undefined)
          ? member.mailbox_ids && (await this.#boundOf(member.mailbox_ids))
          : await this.#mailboxesIn(by, nextRole, mailboxes ?? null);
      const keys = await store.accounts.keysOf(by.namespace_id, id, now);
      const changed = keys.map((key) =>
        key.id === member.key_id
          ? { ...key, scopes: ROLES[nextRole], ...(bound?.length !== 0 && bindingOf(bound)) }
          : narrowed(key, nextRole, bound),
      );
      const to = {
        role: nextRole,
        mailbox_ids:
          mailboxes === undefined && nextRole !== 'owner' ? member.mailbox_ids : (bound?.map((one) => one.id) ?? null),
        name: name ?? member.name,
      };
      const result = await store.accounts.changeMember(member, to, changed, now);
      if (result === 'raced') continue;
      directory.changed();
      if (result === 'last') throw lastOwner(by.namespace);
      const view = result === 'gone' ? undefined : await this.#viewOf({ ...member, ...to });
      if (view === undefined) throw noMember(id);
      return view;
    }
    throw new AppError('unavailable', 'What they made changes all the time. Try again.');
  }

  /**
   * Ends a membership: every session and stream of theirs ends with it, and what they made stops, or passes to who removes
   * them. AppError as of `change`.
   */
  async remove(by: Key, id: string, { then }: MemberRemoval): Promise<void> {
    const { store, clock, directory } = this.#parts;
    this.#requireOwner(by);
    const member = await this.#member(by, id);
    if (then === 'pass' && by.account_id === id)
      throw invalid('/then', 'What you made cannot pass to yourself. Stop it, or have another owner remove you.');
    const removed = await store.accounts.removeMember(member, then === 'pass' ? by : undefined, clock());
    directory.changed();
    if (removed === 'last') throw lastOwner(by.namespace);
    if (removed === 'gone') throw noMember(id);
  }

  #requireOwner(by: Key): void {
    if (!opensConsole(by, this.#parts.clock()))
      throw new AppError('access_denied', `Members are invited, changed and removed by owners of ${by.namespace}.`);
    requireLasting(by, 'a member');
  }

  async #member(by: Key, id: string): Promise<Member> {
    const { store, clock } = this.#parts;
    const member = await store.accounts.member(by.namespace_id, id, clock());
    if (member === undefined) throw noMember(id);
    return member;
  }

  async #requireOther(by: Key, address: string): Promise<void> {
    const hosted = await this.#find(address);
    if (hosted?.namespace === by.namespace)
      // Its sign-in codes arrive where every member who reads messages would see them.
      throw invalid('/address', `An address of ${by.namespace} is no member of it. Invite one elsewhere.`);
    const { items } = await this.list(by.namespace_id);
    if (items.some((one) => one.address.toLowerCase() === address))
      throw invalid('/address', `${address} is a member already. Change what they may do in the list of members.`);
  }

  /** The mailboxes that a role names. AppError `validation_error`. */
  async #mailboxesIn(by: Key, role: Role, addresses: readonly string[] | null): Promise<readonly Bound[] | null> {
    if (addresses === null) return null;
    if (role === 'owner')
      throw invalid('/mailboxes', 'An owner has the whole namespace. Leave mailboxes out, or choose another role.');
    const { directory } = this.#parts;
    const found = new Map<string, Bound>();
    for (const [index, address] of addresses.entries()) {
      const to = await this.#find(address);
      const mailbox = to && (await directory.mailbox(to.local, to.namespace));
      if (mailbox === undefined || mailbox.deleted_at !== null || mailbox.namespace_id !== by.namespace_id)
        throw invalid(`/mailboxes/${index}`, `${by.namespace} has no mailbox ${address.slice(0, 200)}.`);
      found.set(mailbox.id, { id: mailbox.id, address: addressOf(mailbox) });
    }
    return [...found.values()];
  }

  /** The hosted address that a text names, if any. */
  async #find(address: string) {
    try {
      return await findAddress(address, this.#parts);
    } catch {
      return undefined;
    }
  }

  /** Those of the mailboxes that exist. */
  async #boundOf(ids: readonly string[]): Promise<readonly Bound[]> {
    const found = await this.#parts.store.mailboxes.byIds([...ids]);
    return ids
      .flatMap((id) => found.filter((one) => one.id === id))
      .map((one) => ({ id: one.id, address: addressOf(one) }));
  }

  async #addressesOf(ids: readonly string[] | null): Promise<readonly string[] | null> {
    const { mailDomain } = this.#parts;
    return ids && (await this.#boundOf(ids)).map(({ address }) => fullAddress(address, mailDomain));
  }

  async #viewOf(member: Member): Promise<MemberView | undefined> {
    const person = await this.#personOf(member.account_id);
    return person && memberView(member, person.address, await this.#addressesOf(member.mailbox_ids));
  }
}

const noMember = (id: string): AppError => new AppError('not_found', `There is no member ${id.slice(0, 40)}.`);
const lastOwner = (namespace: string): AppError =>
  invalid('', `${namespace} would have no owner left. Make another member an owner first.`);

/** What an invited person reads. */
const invitationMail = (namespace: string, role: Role, link: string) => ({
  subject: `You are invited to ${namespace}`,
  text: `An owner of ${namespace} invites you to its mailboxes, as ${WITH_ARTICLE[role]}.

Accept it within 7 days, signed in with the address that this mail came to:
${link}

If you did not expect this, you need not do anything.
`,
});
const WITH_ARTICLE: Readonly<Record<Role, string>> = {
  owner: 'an owner',
  editor: 'an editor',
  answerer: 'an answerer',
  reader: 'a reader',
};
