/** SQL of `on conflict`: a rule assigns where none takes care of the conversation, or one who is no member any more. */
export const UNLESS_ASSIGNED = `assignee = case when exists (
    select 1 from members m where m.namespace_id = conversations.namespace_id and m.account_id = conversations.assignee)
  then conversations.assignee else excluded.assignee end`;

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
      on conflict (mailbox_id, thread_id) do update set ${UNLESS_ASSIGNED};
    select 0';`;
