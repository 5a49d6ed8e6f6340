/**
 * SQL of PostgreSQL: what is noted of a thread is open again when a message arrives, and assigned where a rule says so and
 * it is not.
 */
export const MESSAGE_ARRIVED = `
  create function message_arrived(thread text, mailbox text, moment bigint, assigned text) returns integer
    language sql volatile as '
    update conversations set state = ''open'', until = null, updated_at = moment
      where mailbox_id = mailbox and thread_id = thread;
    insert into conversations (namespace_id, mailbox_id, thread_id, state, assignee, updated_at)
      select namespace_id, id, thread, ''open'', assigned, moment from mailboxes where id = mailbox and assigned is not null
      on conflict (mailbox_id, thread_id) do update set assignee = coalesce(conversations.assignee, excluded.assignee);
    select 0';`;
