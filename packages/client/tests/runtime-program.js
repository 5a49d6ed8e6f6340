// What a program does with the client, on any runtime: it is run with the folder of the emitted client and a name.
const [folder, name] = process.argv.slice(2);
const { Mailroom, MailroomError, serve, verifyWebhook } = await import(`${folder}/index.js`);

const { key } = await new Mailroom().namespaces.create({ name });
const mailroom = new Mailroom({ key: key.secret });
const behavior = { name: 'agent' };
const { address } = await mailroom.mailboxes.create(name, { local_part: 'a', behavior });
const result = { ended: false, seen: [] };
const served = serve(
  address,
  async function* ({ body, attachments }, { mailroom: own }) {
    const [file] = attachments;
    yield `${body}: `;
    yield await (await own.messages.getAttachment(file.id)).text();
  },
  { mailroom },
).then(() => {
  result.ended = true;
});

const stream = new Blob(['streamed']).stream();
const files = [
  { filename: 'a.txt', content: 'text' },
  { filename: 'b.txt', content: stream },
];
const { reply, attachments } = await mailroom.send(address, { body: 'Hello', files }).settled();
const [first] = await mailroom.eventLog.list().all(1);
for await (const { type } of mailroom.events({ after: first.id })) {
  result.seen.push(type);
  if (type === 'message.completed') break;
}
const failed = await mailroom.keys.revoke('key_none').catch((error) => error);
// Without a file the function above fails, and gets the message again later.
const { id } = await mailroom.send(address, 'No file');
const late = await mailroom.waitFor(id, { timeoutMs: 1, signal: AbortSignal.timeout(60_000) }).catch((error) => error);
const body = '{"type":"message.received"}';
const forged = await verifyWebhook({ headers: new Headers(), body }, 'whsec_AAAA').catch((error) => error);
// As a process manager stops it.
process.kill(process.pid, 'SIGTERM');
await served;
console.log(
  JSON.stringify({
    reply: reply.body,
    sizes: attachments.map(({ size }) => size),
    completed: result.seen.includes('message.completed'),
    codes: [failed, late, forged].map((error) => error instanceof MailroomError && error.code),
    ended: result.ended,
  }),
);
