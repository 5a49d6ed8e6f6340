import {
  ACCOUNT_SESSION,
  type Change,
  type Changes,
  changeOfEach,
  logOfClient,
  logOfMailbox,
  logOfState,
  logsOfAccount,
  row,
} from './change.ts';

/** The kinds of states that stand for something which an audit log has, each with its noun. */
const STATES: Readonly<Record<string, string>> = {
  session: 'session',
  [ACCOUNT_SESSION]: 'account_session',
  'oidc:InitialAccessToken': 'registration_token',
  'forward-confirmed': 'forward',
};

/** The key with which a session of the console begins. */
const keyOf = (value: string): string | undefined => /"key_id":"(key_[0-9a-z]{20})"/.exec(value)?.[1];

/** A state is put: a session begins, a token is made. */
function begun(
  {
    kind,
    id,
    subject,
    value,
  }: { readonly [name in 'kind' | 'id' | 'value']: string } & { readonly subject: string | null },
  verb: string,
): Change | undefined {
  const noun = STATES[kind];
  if (noun === undefined || subject === null) return undefined;
  const log =
    kind === ACCOUNT_SESSION ? logsOfAccount(subject) : subject.startsWith('ns_') ? subject : logOfMailbox(subject);
  return {
    action: `${noun}.${verb}`,
    log,
    target: { kind: noun, id: kind === 'forward-confirmed' ? subject : id.slice(0, SHOWN) },
    row: row('states', kind, id),
    ...(kind === 'session' && { key_id: keyOf(value) }),
    ...(kind === ACCOUNT_SESSION && { account_id: subject }),
  };
}
/** Characters of the hash of a session or token that tell it from others. */
const SHOWN = 16;

const VERBS: Readonly<Record<string, readonly [begin: string, end: string]>> = {
  session: ['started', 'ended'],
  account_session: ['started', 'ended'],
  registration_token: ['created', 'removed'],
  forward: ['confirmed', 'ended'],
};
const verbOf = (kind: string, place: 0 | 1): string => VERBS[STATES[kind] ?? '']?.[place] ?? '';

const ofPasskey = (action: string, id: string, account_id: string): Change => ({
  action,
  log: logsOfAccount(account_id),
  target: { kind: 'passkey', id },
  row: row('passkeys', id),
  account_id,
});
const ofClient = (action: string, id: string): Change => ({
  action,
  log: logOfClient(id),
  target: { kind: 'client', id },
  row: row('clients', id),
});
const ofAllowance = (action: string, mailbox_id: string, issuer_id: string, client_id: string): Change => ({
  action,
  log: logOfMailbox(mailbox_id),
  target: { kind: 'allowance', id: client_id },
  row: row('allowances', mailbox_id, issuer_id, client_id),
});

interface MemberIds {
  readonly namespace_id: string;
  readonly account_id: string;
}

const ofMember = (action: string, { namespace_id, account_id }: MemberIds): Change => ({
  action,
  log: namespace_id,
  target: { kind: 'member', id: account_id },
  row: row('members', namespace_id, account_id),
});
const ITS_KEY = 'select key_id from members where namespace_id = $1 and account_id = $2';
const ITS_KEYS = 'namespace_id = $1 and account_id = $2 and revoked_at is null';
const ALL_ITS_KEYS = 'select id from keys where namespace_id = $1 and account_id = $2';
const BY_ITS_KEYS = `namespace_id = $1 and key_id in (${ALL_ITS_KEYS})`;
const SET_BY_ITS_KEYS = `namespace_id = $1 and settings_key_id in (${ALL_ITS_KEYS})`;

/** The keys of an account end, in every namespace, and what they set up is switched off. */
export const endOfKeys = (id: string): readonly Change[] => [
  changeOfEach('key.revoked', 'keys', 'account_id = $1 and revoked_at is null', id),
  changeOfEach('webhook.disabled', 'webhooks', 'key_id in (select id from keys where account_id = $1)', id),
  changeOfEach('mailbox.updated', 'mailboxes', 'settings_key_id in (select id from keys where account_id = $1)', id),
];

/** What a member set up is switched off where its role does not allow it any more. */
const switchedOff = ({ namespace_id, account_id }: MemberIds): readonly Change[] => [
  changeOfEach('webhook.disabled', 'webhooks', BY_ITS_KEYS, namespace_id, account_id),
  changeOfEach('mailbox.updated', 'mailboxes', SET_BY_ITS_KEYS, namespace_id, account_id),
];

/** What a member who leaves made stops, or passes to another key. */
function leaving(member: MemberIds, heir: string | undefined): readonly Change[] {
  const { namespace_id, account_id } = member;
  const each = (action: string, image: Parameters<typeof changeOfEach>[1], where: string): Change =>
    changeOfEach(action, image, where, namespace_id, account_id);
  const invitations = each('invitation.removed', 'invitations', BY_ITS_KEYS);
  if (heir === undefined) return [each('key.revoked', 'keys', ITS_KEYS), ...switchedOff(member), invitations];
  return [
    each('key.revoked', 'keys', `id in (${ITS_KEY})`),
    each('key.updated', 'keys', `${ITS_KEYS} and id not in (${ITS_KEY})`),
    each('webhook.updated', 'webhooks', `namespace_id = $1 and key_id in (${ITS_KEY})`),
    each('mailbox.updated', 'mailboxes', `namespace_id = $1 and settings_key_id in (${ITS_KEY})`),
    invitations,
  ];
}
const ofInvitation = (action: string, id: string, log: string): Change => ({
  action,
  log,
  target: { kind: 'invitation', id },
  row: row('invitations', id),
});

/** The same of accounts, sessions and services that people sign in to. */
export const SIGN_IN_CHANGES: Changes = {
  states: {
    put: (state) => begun(state, verbOf(state.kind, 0)),
    set: (state) => begun(state, verbOf(state.kind, 0)),
    remove: (kind, id) => {
      const noun = STATES[kind];
      if (noun === undefined) return undefined;
      return {
        action: `${noun}.${verbOf(kind, 1)}`,
        log: logOfState(kind, id),
        target: { kind: noun, id: id.slice(0, SHOWN) },
        row: row('states', kind, id),
      };
    },
    removeOf: (kind, subject) => {
      const noun = STATES[kind];
      if (noun === undefined) return undefined;
      const log =
        kind === ACCOUNT_SESSION ? logsOfAccount(subject) : subject.startsWith('ns_') ? subject : logOfMailbox(subject);
      return {
        action: `${noun}.all_${verbOf(kind, 1)}`,
        log,
        target: { kind: kind === ACCOUNT_SESSION ? 'account' : 'namespace', id: subject },
      };
    },
  },
  accounts: {
    remove: (id) => [
      {
        action: 'account.removed',
        log: logsOfAccount(id),
        target: { kind: 'account', id },
        row: row('accounts', id),
        account_id: id,
      },
      ...endOfKeys(id).map((change) => ({ ...change, account_id: id })),
    ],
    addPasskey: ({ id, account_id }) => ofPasskey('passkey.added', id, account_id),
    renamePasskey: (id, account_id) => ofPasskey('passkey.renamed', id, account_id),
    removePasskey: (id, account_id) => ofPasskey('passkey.removed', id, account_id),
    join: (member) => [
      ofMember('member.added', member),
      changeOfEach('key.revoked', 'keys', `id in (${ITS_KEY})`, member.namespace_id, member.account_id),
    ],
    changeMember: (member) => [
      ofMember('member.updated', member),
      changeOfEach('key.updated', 'keys', ITS_KEYS, member.namespace_id, member.account_id),
      ...switchedOff(member),
    ],
    removeMember: (member, heir) => [
      ofMember('member.removed', member),
      ...leaving(member, heir === undefined ? undefined : heir.id),
    ],
  },
  invitations: {
    create: ({ id, namespace_id }) => ofInvitation('invitation.created', id, namespace_id),
    remove: (id, namespace_id) => ofInvitation('invitation.removed', id, namespace_id),
    accept: (_id, _key, member) => ({ ...ofMember('member.added', member), account_id: member.account_id }),
  },
  notices: {
    set: (namespace_id, account_id) => ofMember('member.notices_updated', { namespace_id, account_id }),
  },
  clients: {
    create: ({ id, namespace_id }) => ({ ...ofClient('client.created', id), log: namespace_id }),
    change: (id) => ofClient('client.updated', id),
    remove: (id) => ofClient('client.removed', id),
  },
  allowances: {
    allow: ({ mailbox_id, issuer_id, client_id }) => ofAllowance('allowance.added', mailbox_id, issuer_id, client_id),
    remove: (mailbox_id, issuer_id, client_id) => ofAllowance('allowance.removed', mailbox_id, issuer_id, client_id),
  },
};
