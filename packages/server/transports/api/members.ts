import { requireOwn } from '../../core/access/caller.ts';
import type { Registry } from '../../core/access/registry.ts';
import {
  InvitationView,
  MemberChange,
  MemberList,
  MemberRemoval,
  MemberView,
  NewInvitation,
} from '../../core/sign-in/member-views.ts';
import type { Members } from '../../core/sign-in/members.ts';
import { operation, type Route } from '../../http/route.ts';
import { IdParam, NamespaceParam, noContent } from './parts.ts';
import { keyOf } from './send.ts';

interface Parts {
  readonly registry: Pick<Registry, 'namespace'>;
  readonly members: Members;
}

/** Who belongs to a namespace. */
export const memberRoutes = ({ registry, members }: Parts): readonly Route[] => [
  operation('GET', '/api/v1/namespaces/{name}/members', 'listMembers', {
    tag: 'Namespaces',
    summary: 'Who belongs to a namespace, and who is invited',
    description:
      'In the order in which they came. Members are invited, changed and removed in the console by an owner who is signed in, never by a key: a key that leaked must not outlive its revocation.',
    access: 'owner',
    params: NamespaceParam,
    answers: { 200: { description: 'All of them.', schema: MemberList } },
    problems: ['namespace_not_found', 'namespace_gone', 'access_denied'],
    async handle({ caller, params }) {
      const { namespace_id } = requireOwn(caller, await registry.namespace(params.name), 'owner');
      return { status: 200, body: await members.list(namespace_id) };
    },
  }),
];

const OF = { tag: 'Sessions', access: 'session' } as const;

/** What an owner decides about members in a session of the console. */
export const memberSessionRoutes = ({ members }: Pick<Parts, 'members'>): readonly Route[] => [
  operation('POST', '/api/v1/members/invitations', 'inviteMember', {
    ...OF,
    summary: 'Invite an address to the namespace',
    body: NewInvitation,
    answers: { 201: { description: 'The invitation, which left by mail.', schema: InvitationView } },
    problems: ['access_denied', 'rate_limited'],
    async handle(call) {
      return { status: 201, body: await members.invite(keyOf(call), call.body) };
    },
  }),
  operation('DELETE', '/api/v1/members/invitations/{id}', 'withdrawInvitation', {
    ...OF,
    summary: 'Take an invitation back',
    params: IdParam,
    answers: { 204: noContent },
    problems: ['access_denied', 'not_found'],
    async handle(call) {
      await members.withdraw(keyOf(call), call.params.id);
      return { status: 204 };
    },
  }),
  operation('PATCH', '/api/v1/members/{id}', 'changeMember', {
    ...OF,
    summary: 'Change the role, the mailboxes or the name of a member',
    params: IdParam,
    body: MemberChange,
    answers: { 200: { description: 'The member as it is now.', schema: MemberView } },
    problems: ['access_denied', 'not_found'],
    async handle(call) {
      return { status: 200, body: await members.change(keyOf(call), call.params.id, call.body) };
    },
  }),
  operation('POST', '/api/v1/members/{id}/remove', 'removeMember', {
    ...OF,
    summary: 'Remove a member, and stop or take over what they made',
    params: IdParam,
    body: MemberRemoval,
    answers: { 204: noContent },
    problems: ['access_denied', 'not_found'],
    async handle(call) {
      await members.remove(keyOf(call), call.params.id, call.body);
      return { status: 204 };
    },
  }),
];
