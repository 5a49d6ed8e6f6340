import type { Clock } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import type { Key } from '../../core/entities/key.ts';
import { Notices } from '../../core/entities/notices.ts';
import type { Store } from '../../core/ports/store.ts';
import { operation, type Route } from '../../http/route.ts';
import { keyOf } from './send.ts';

const PATH = '/api/v1/notices';
const OF = { tag: 'Sessions', access: 'session', problems: ['not_found'] } as const;

const noMember = (): AppError =>
  new AppError(
    'not_found',
    'You are signed in with a key, which has no address to be called at. Notices are of members: sign in with the address or passkey of one.',
  );

interface NoticeParts {
  readonly store: Pick<Store, 'accounts' | 'notices'>;
  readonly clock: Clock;
}

/** How who is signed in wants to be called in the namespace. They are called within this process, as `sessionRoutes`. */
export function noticeRoutes({ store, clock }: NoticeParts): readonly Route[] {
  async function memberOf(key: Key): Promise<string> {
    const member = await store.accounts.memberBy(key.id, clock());
    if (member === undefined) throw noMember();
    return member.account_id;
  }

  return [
    operation('GET', PATH, 'getNotices', {
      ...OF,
      summary: 'How you are called in the namespace',
      answers: { 200: { description: 'Your choice, or what is set for who chose nothing.', schema: Notices } },
      async handle(call) {
        const key = keyOf(call);
        const account_id = await memberOf(key);
        const choices = await store.notices.of(key.namespace_id, clock());
        const choice = choices.find((other) => other.account_id === account_id);
        if (choice === undefined) throw noMember();
        const { browser, mail_minutes } = choice;
        return { status: 200, body: { browser, mail_minutes } };
      },
    }),
    operation('PUT', PATH, 'setNotices', {
      ...OF,
      summary: 'Choose how you are called in the namespace',
      body: Notices,
      answers: { 200: { description: 'Your choice.', schema: Notices } },
      async handle(call) {
        const key = keyOf(call);
        if (!(await store.notices.set(key.namespace_id, await memberOf(key), call.body))) throw noMember();
        return { status: 200, body: call.body };
      },
    }),
  ];
}
