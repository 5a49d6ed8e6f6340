import type { Store } from '../ports/store.ts';
import type { UnwrittenMessages } from './unwritten-messages.ts';

/** The store, in which what refers to a message that is not written so far finds it: the message is written first. */
export function withUnwritten(store: Store, unwritten: UnwrittenMessages): Store {
  const { messages } = store;
  return {
    ...store,
    messages: {
      ...messages,
      async byId(id) {
        if (unwritten.size > 0) await unwritten.written(id);
        const message = await messages.byId(id);
        if (message !== undefined || !unwritten.mayBeElsewhere(id)) return message;
        await unwritten.writtenElsewhere(id);
        return messages.byId(id);
      },
      async cancel(id, now) {
        if (unwritten.size > 0) await unwritten.written(id);
        return messages.cancel(id, now);
      },
      async thread(thread_id, after, size) {
        if (unwritten.size > 0) await unwritten.allWritten((message) => message.thread_id === thread_id);
        return messages.thread(thread_id, after, size);
      },
      async threadEnd(thread_id, before, size) {
        if (unwritten.size > 0) await unwritten.allWritten((message) => message.thread_id === thread_id, before);
        return messages.threadEnd(thread_id, before, size);
      },
      async page(of, ...rest) {
        const { mailbox_id } = of;
        if (unwritten.size > 0 && mailbox_id !== undefined)
          await unwritten.allWritten((message) => message.mailbox_id === mailbox_id);
        return messages.page(of, ...rest);
      },
    },
  };
}
