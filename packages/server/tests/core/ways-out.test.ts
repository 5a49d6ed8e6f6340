import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

// Whatever leaves a mailbox passes one gate. Each call that writes a message, an answer or a delivery, or that shows one
// before it is written, is listed here: what it passes, or why it needs not.

const ROOT = resolve(import.meta.dirname, '../..');

const CALLS = [
  String.raw`messages\.(?:accept|acceptAnswered|settle|settleAnswered|refuse|approve)`,
  String.raw`answers\.(?:answer|reply)`,
  String.raw`emails\.(?:send|queue|address|file|accept|settle|settled)`,
  String.raw`(?:deliveries|deliverer)\.(?:add|enqueue)`,
  'addDelivery',
  String.raw`reviews\.(?:release|hold|decide)`,
  String.raw`(?:post|submitter)\.(?:send|submit)`,
  String.raw`toMany\.(?:send|sendTo|copy)`,
  String.raw`outside\.(?:send|write|release)`,
  'sendToSeveral',
  String.raw`held\.write`,
  String.raw`settler\.(?:settle|answer|decided|suspend)`,
  String.raw`answering\.(?:answer|letFurther)`,
  String.raw`answerAll\.(?:answer|around)`,
  String.raw`transport\.send`,
  String.raw`webhookClient\.post`,
  'publishProgress',
];
const CALL = new RegExp(String.raw`(?<![\w'])(?:[\w]+\.)*?(${CALLS.join('|')})\(`, 'g');
const WRITE = /\binto (messages|deliveries)\b|\binsertI?f?Sql\(\s*(messages|deliveries)\b/g;

interface Ways {
  /** How often each is called. */
  readonly calls: Readonly<Record<string, number>>;
  /** What of the file's source makes them pass the gate; left out where what they call does. */
  readonly gate?: readonly string[];
  /** Why they need no gate of their own. */
  readonly why?: string;
}

const WAYS: Readonly<Record<string, Ways>> = {
  // The gate itself: each of these looks before it writes.
  'core/runs/settle.ts': {
    calls: {
      'messages.settle': 1,
      'emails.settle': 1,
      'emails.settled': 1,
      'answers.answer': 1,
      'messages.refuse': 1,
      'reviews.hold': 1,
    },
    gate: ['await this.#pass(claim, message, mailbox, wanted, effects)', 'await held.pass(message, mailbox, wanted,'],
  },
  'core/answers/answering.ts': {
    calls: { 'settler.answer': 1, publishProgress: 1 },
    gate: ['Gate.mayHold(mailbox, message)', 'if (held) bus.publishOwn('],
  },
  'core/answers/further-replies.ts': {
    calls: { 'answers.reply': 2, 'emails.queue': 2, 'reviews.hold': 1 },
    gate: ['this.#parts.held.further('],
  },
  'core/messages/submit.ts': {
    calls: { 'outside.send': 1, 'held.write': 1 },
    gate: ['const held = await this.#held(given, wait);', 'await held.reviewOf(submission, from, first)'],
  },
  'core/messages/exchanges.ts': {
    calls: { 'messages.accept': 3, 'emails.accept': 1 },
    gate: ['Gate.mayHold('],
  },
  'core/messages/to-many.ts': {
    calls: { 'post.send': 2, 'outside.write': 1, 'held.write': 1 },
    gate: ['const held = await this.#held(whole, first);', 'await held.reviewOf(whole, from, first)'],
  },
  'core/messages/gated.ts': { calls: { 'settler.decided': 1 }, why: 'cancels what waits, so that it never leaves' },
  'core/mail-out/held-messages.ts': { calls: { 'outside.write': 1 }, gate: ['targets, review }'] },
  'core/messages/review-desk.ts': {
    calls: {
      'reviews.decide': 2,
      'outside.release': 1,
      'toMany.copy': 1,
      'settler.decided': 2,
      'answering.letFurther': 1,
      'answerAll.around': 2,
    },
    gate: [
      'if (!mayLeave(review)) await this.#keepBack',
      'else if (await isProven(review, this.#parts.verify)) await this.#letLeave',
      'Gate.isDecided(review,',
    ],
  },
  'core/runs/approve.ts': {
    calls: { 'messages.refuse': 1, 'messages.approve': 1 },
    gate: ['Gate.mayHold('],
  },
  'core/mail-out/leaving-mail.ts': {
    calls: { 'transport.send': 1 },
    gate: ['await this.#reviewed.check(delivery, leaving, names)'],
  },
  // What writes what passed.
  'core/mail-out/outside-mail.ts': {
    calls: { 'emails.send': 1, 'reviews.release': 1 },
    why: 'writes what submit.ts, to-many.ts and review-desk.ts have passed',
  },
  'core/mail-out/email-answers.ts': {
    calls: { 'emails.queue': 1, 'messages.settleAnswered': 1 },
    why: 'queues the answers of settled messages, whose settlement has passed',
  },
  'core/submission/submitted-messages.ts': {
    calls: { 'messages.accept': 1, 'messages.acceptAnswered': 1 },
    why: 'writes what submit.ts has passed',
  },
  'core/answers/submit-for-answer.ts': {
    calls: { 'messages.accept': 1 },
    why: 'writes what submit.ts has passed, without an answer',
  },
  'core/messages/answer-all.ts': {
    calls: { 'answering.answer': 2, 'emails.address': 1, 'toMany.copy': 1 },
    why: 'reaches the others of a reply that was written, which has passed',
  },
  // What leads to one of them.
  'core/runs/service-access.ts': { calls: { sendToSeveral: 1 } },
  'core/runs/handle.ts': { calls: { 'settler.settle': 2, 'settler.suspend': 1 } },
  'core/answers/push.ts': {
    calls: { 'answering.answer': 2, 'webhookClient.post': 1 },
    why: 'hands a message to the program of its own mailbox',
  },
  'core/messages/drafts.ts': { calls: { 'toMany.sendTo': 1 } },
  'core/messages/forward.ts': { calls: { 'toMany.sendTo': 1 } },
  'core/messages/held-sends.ts': { calls: { 'answerAll.answer': 1, 'answering.answer': 1 } },
  'core/messages/resend.ts': { calls: { 'post.send': 1 } },
  'core/messages/scheduler.ts': { calls: { 'post.send': 2 } },
  'core/mail-in/incoming-email.ts': { calls: { 'post.send': 1 } },
  'core/mail-in/submitted-email.ts': { calls: { 'toMany.sendTo': 1 } },
  'transports/a2a/agent.ts': { calls: { 'post.send': 3 } },
  'transports/api/answers.ts': { calls: { 'answerAll.answer': 1, 'answering.answer': 2 } },
  'transports/api/send.ts': { calls: { 'post.send': 3, 'toMany.sendTo': 1 } },
  'transports/web/console/answers.ts': { calls: { 'answerAll.answer': 1, 'answering.answer': 1 } },
  'transports/web/try.ts': { calls: { 'post.send': 2 } },
  // What no mailbox writes, or what shows no text.
  'core/notify/progress.ts': {
    calls: { publishProgress: 1 },
    gate: ['if (this.own) bus.publishOwn('],
  },
  'core/notify/writers.ts': { calls: { publishProgress: 1 }, why: 'shows that a person is writing, and no word of it' },
  'core/notify/event-bus.ts': { calls: { publishProgress: 2 }, why: 'is what the others publish by' },
  'core/mail-in/imported-mail.ts': {
    calls: { 'emails.file': 1 },
    why: 'files an old mail in the mailbox of its owner',
  },
  'core/mail-in/abuse-reports.ts': { calls: { 'messages.accept': 1 }, why: 'tells an owner, in words of the service' },
  'core/outgoing/service-mail.ts': {
    calls: { 'messages.accept': 1, 'deliverer.add': 1 },
    why: 'is mail of the service to people who sign in, in its own words',
  },
  'core/outgoing/deliver.ts': { calls: { 'deliveries.add': 1 }, why: 'is what the others add deliveries by' },
  'core/outgoing/webhook-kind.ts': { calls: { 'webhookClient.post': 1 }, why: 'tells an owner of events of its own' },
  'service/core.ts': { calls: { 'toMany.send': 1 }, why: 'is what a behavior sends to several by' },
  'service/outgoing.ts': { calls: { 'deliverer.add': 1 }, why: 'tells the sender of a task that its state changed' },
  'transports/a2a/push.ts': {
    calls: { 'webhookClient.post': 1 },
    why: 'tells the sender of a task what it may read of it, which is nothing of what waits',
  },
  'store/statements/deliveries.ts': { calls: { addDelivery: 1 }, why: 'writes what a Deliverer adds' },
};

/** The statements that write messages and deliveries; what they do not write cannot leave. */
const STATEMENTS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'store/postgres/accept-statements.ts': { messages: 2 },
  'store/postgres/batch-statements.ts': { messages: 1 },
  'store/sqlite/hot-statements.ts': { messages: 1 },
  'store/statements/answers.ts': { messages: 1 },
  'store/statements/deliveries.ts': { deliveries: 1 },
  // A mail of the service to a member.
  'store/statements/notices.ts': { deliveries: 1 },
  'store/statements/outgoing-mail.ts': { deliveries: 3, messages: 3 },
  'store/statements/pushes.ts': { deliveries: 1 },
  'store/statements/webhooks.ts': { deliveries: 1 },
};

const sources: ReadonlyMap<string, string> = new Map(
  globSync('**/*.ts', { cwd: ROOT, exclude: ['**/tests/**', '**/node_modules/**', '**/dist/**'] }).map((file) => [
    file.replaceAll('\\', '/'),
    plain(readFileSync(join(ROOT, file), 'utf8')),
  ]),
);

/** Source without comments, private marks and breaks within a chain of calls. */
function plain(source: string): string {
  return source
    .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*/gm, '')
    .replace(/\s+(\??\.)(?=[\w#])/g, '$1')
    .replaceAll('?.', '.')
    .replace(/\.#/g, '.');
}

function counts(source: string, pattern: RegExp): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [, ...groups] of source.matchAll(pattern)) {
    const name = groups.find((group) => group !== undefined) ?? '';
    found[name] = (found[name] ?? 0) + 1;
  }
  return found;
}

const found = (all: ReadonlyMap<string, string>): Record<string, Record<string, number>> =>
  Object.fromEntries(
    [...all]
      .map(([file, source]) => [file, counts(source, CALL)] as const)
      .filter(([, of]) => Object.keys(of).length > 0),
  );

test('every call by which something leaves a mailbox is known, and passes the gate or needs none', () => {
  const known = Object.fromEntries(Object.entries(WAYS).map(([file, { calls }]) => [file, calls]));
  assert.deepEqual(found(sources), known, 'A new way out passes the gate, or says in WAYS why it needs none.');
});

test('the statements that write messages and deliveries are known', () => {
  const written = [...sources].map(([file, source]) => [file, counts(source, WRITE)] as const);
  assert.deepEqual(
    Object.fromEntries(written.filter(([, of]) => Object.keys(of).length > 0)),
    STATEMENTS,
    'What a new statement writes passes the gate before.',
  );
});

test('where a file is to pass the gate, its source does', () => {
  for (const [file, { gate = [] }] of Object.entries(WAYS))
    for (const words of gate) assert.ok(sources.get(file)?.includes(words.replace(/\.#/g, '.')), `${file}: ${words}`);
});

test('the check can fail: it finds a call on several lines, through a private part and through an optional one', () => {
  const source =
    'await this.#parts.store.messages\n  .accept(one); /* post.send(a) */ deliverer?.add(b); compost.sender(c);';
  assert.deepEqual(counts(plain(source), CALL), { 'messages.accept': 1, 'deliverer.add': 1 });
  assert.deepEqual(counts('insert into deliveries (id) insertIfSql(\n messages,', WRITE), {
    deliveries: 1,
    messages: 1,
  });
});

// Notes of members are read by few: each of these names for whom. No behavior, model, mail, search or index is among them.
const NOTES =
  /\bthread_notes\b|\bnotesByIds\b|conversations\.(?:notes|notesOf)\b|\bdesk\.notes\b|conversationDesk\.notes\b/;
const NOTE_READERS: Readonly<Record<string, string>> = {
  'core/answers/conversation-desk.ts': 'reads them for those who read the mailbox',
  'core/reports/export-lines.ts': 'is the export of the owner',
  'store/migrations.ts': 'makes their table',
  'store/schema/tables/conversations.ts': 'is their table',
  'store/statements/conversations.ts': 'reads and removes them',
  'store/statements/conversation-events.ts': 'gives events who wrote one and whom it names',
  'store/audit/changes.ts': 'has that one was added, without its text',
  'store/audit/images.ts': 'sees their ids alone',
  'store/statements/notices.ts': 'finds whom they call',
  'store/statements/storage.ts': 'gives their bytes back',
  'transports/api/threads.ts': 'shows them to members and keys of an owner',
  'transports/web/console/conversation-turns.ts': 'shows them to members',
  'transports/web/console/conversations.ts': 'reads them for members',
};

test('a note of members is read in no file but these, and its text is in no event', () => {
  const readers = globSync('**/*.ts', { cwd: ROOT, exclude: ['node_modules/**', 'tests/**'] })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => NOTES.test(readFileSync(join(ROOT, file), 'utf8')));
  assert.deepEqual(readers.sort(), Object.keys(NOTE_READERS).sort());
  assert.doesNotMatch(readFileSync(join(ROOT, 'core/entities/event.ts'), 'utf8'), /note\.body/);
});
