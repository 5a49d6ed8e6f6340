import type { Effect } from '@mailroom/behavior/effect';
import { ownerOf } from '@mailroom/behavior/note';
import type { Message } from '../entities/message.ts';
import { sizeOfEffects } from '../entities/storage-size.ts';
import type { Store } from '../ports/store.ts';

/** The bytes of the notes and schedules that these effects replace or remove. */
export async function sizeReplaced(
  message: Message,
  effects: readonly Effect[],
  store: Pick<Store, 'notes' | 'schedules'>,
): Promise<number> {
  const owner = ownerOf({ kind: message.sender_kind, id: message.sender_id }, message.mailbox_id);
  if (owner === undefined) return 0;
  let size = 0;
  const seen = new Set<string>();
  for (const effect of effects) {
    if (effect.kind === 'note' && !seen.has(effect.name)) {
      seen.add(effect.name);
      size += Buffer.byteLength((await store.notes.get(owner, effect.name))?.text ?? '');
    } else if (effect.kind === 'unschedule') {
      const schedule = await store.schedules.byId(effect.id);
      if (schedule !== undefined) size += sizeOfEffects([{ kind: 'schedule', schedule }]);
    }
  }
  return size;
}
