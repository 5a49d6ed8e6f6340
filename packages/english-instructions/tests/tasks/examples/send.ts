import type { Example } from '../harness.ts';

const HI = { to: 'x@y.example', body: 'hi' };

/** The other mailbox answers `You wrote: …`. */
export const SEND: readonly Example[] = [
  // As people write it.
  { says: 'drop bob@x.example a line saying I am late', input: { to: 'bob@x.example', body: 'I am late' } },
  { says: 'Shoot an email to bob@x.example: lunch?', input: { to: 'bob@x.example', body: 'lunch?' } },
  {
    says: 'let ann@acme.example know that the build is green',
    input: { to: 'ann@acme.example', body: 'the build is green' },
  },
  { says: 'Tell ann@acme.example I said hello', input: { to: 'ann@acme.example', body: 'I said hello' } },
  {
    says: 'ask hello@agents.mailroom.localhost who they are',
    input: { to: 'hello@agents.mailroom.localhost', body: 'who they are' },
  },
  {
    says: 'pass this on to ann@acme.example',
    it: '42',
    input: { to: 'ann@acme.example', body: '{{1}}' },
    result: 'You wrote: 42',
  },
  {
    says: 'email ann@acme.example about the invoice: It is late.',
    input: { to: 'ann@acme.example', subject: 'the invoice', body: 'It is late.' },
  },
  {
    says: 'send the text below to Proof.Read+x@ACME.example',
    data: 'a\nb',
    input: { to: 'Proof.Read+x@ACME.example', body: 'a\nb' },
  },
  {
    says: 'email bob@x.example, subject: Hello, body: I am late',
    input: { to: 'bob@x.example', subject: 'Hello', body: 'I am late' },
  },
  // In the intended form.
  {
    says: 'send hello@agents.mailroom.localhost: Who are you?',
    input: { to: 'hello@agents.mailroom.localhost', body: 'Who are you?' },
    result: 'You wrote: Who are you?',
  },
  {
    says: 'ask proofread@acme.example.com to check: She have two cats',
    input: { to: 'proofread@acme.example.com', body: 'She have two cats' },
  },
  { says: 'ask do@acme.example to calculate: 2+2', input: { to: 'do@acme.example', body: 'calculate: 2+2' } },
  { says: 'ask do@acme.example to calculate 2+2', input: { to: 'do@acme.example', body: 'calculate 2+2' } },
  { says: 'write to x@y.example saying "hi"', input: HI },
  { says: 'forward it to ann@acme.example', it: 'the sum', input: { to: 'ann@acme.example', body: '{{1}}' } },
  { says: 'email the result to ann@acme.example', it: '4', input: { to: 'ann@acme.example', body: '{{1}}' } },
  { says: "send 'hi' to x@y.example with subject Greeting", input: { ...HI, subject: 'Greeting' } },
  { says: 'send x@y.example a message with the subject "A: b" and the text "hi"', input: { ...HI, subject: 'A: b' } },
  { says: 'send an email to x@y.example that says hi', input: HI },
  { says: 'send "hi" to <x@y.example>', input: HI },
  { says: 'message x@y.example "hi"', input: HI },
  { says: 'mail x@y.example hi', input: HI },
  { says: 'send it to Ann', it: 'x', asks: 'What is the address of Ann?' },
  { says: 'email the result', it: 'x', asks: 'To which address?' },
  { says: 'send x@y.example', asks: 'What should I write to x@y.example?' },
  { says: 'send hi to a@y.example and b@y.example', asks: 'I write to one address at a time' },
  { says: 'send to the address x@y.example the message "hi" and tell me the answer', input: HI },
  { says: 'ask the agent x@y.example "hi" and give me its reply', input: HI },
];
