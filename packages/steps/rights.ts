import type { BehaviorMailbox } from '@mailroom/behavior/mailbox';
import type { Sender } from '@mailroom/behavior/message';
import type { Tasks } from '@mailroom/english-instructions/plan/index';
import type { Task } from '@mailroom/english-instructions/tasks/task';

/** The sender's group: the mailbox's own namespace, other namespaces' keys and mailboxes, or people without a key. */
export type Party = 'own' | 'others' | 'guests';

export const partyOf = (
  sender: Pick<Sender, 'kind' | 'namespace_id'>,
  mailbox: Pick<BehaviorMailbox, 'namespace_id'>,
): Party => {
  if (sender.kind === 'guest' || sender.namespace_id === null) return 'guests';
  return sender.namespace_id === mailbox.namespace_id ? 'own' : 'others';
};

/** The names of the tasks that each party may use. */
export type Rights = { readonly [party in Party]?: readonly string[] };

/**
 * The tasks that a party may use. Guests: those without effects that `guests` names. Others: those that `others` names, by
 * default those without effects. The own namespace: those that `own` names, by default all.
 */
export function allowed(all: readonly Task[], party: Party, rights: Rights = {}): Tasks {
  const named = rights[party];
  const may = ({ name, effects }: Task): boolean => {
    if (party === 'guests' && effects !== 'none') return false;
    if (named !== undefined) return named.includes(name);
    return party === 'own' || effects === 'none';
  };
  return new Map(all.filter(may).map((task) => [task.name, task]));
}
