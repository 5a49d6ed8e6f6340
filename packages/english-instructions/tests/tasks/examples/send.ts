import type { Example } from '../harness.ts';

const [A, B, C] = ['a@y.example', 'b@y.example', 'c@y.example'] as const;
const AB = [A, B];
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
  { says: 'send hi to a@y.example or b@y.example', asks: 'Shall I write to a@y.example or to b@y.example?' },
  // To several.
  { says: 'send hi to a@y.example and b@y.example', input: { to: AB, body: 'hi' }, result: 'You wrote: hi' },
  { says: 'send a@y.example and b@y.example: hi', input: { to: AB, body: 'hi' } },
  { says: 'send hi to a@y.example, to b@y.example and to c@y.example', input: { to: [...AB, C], body: 'hi' } },
  { says: 'email a@y.example, b@y.example, and c@y.example: hi', input: { to: [...AB, C], body: 'hi' } },
  { says: 'send "hi" to both <a@y.example> and <b@y.example>', input: { to: AB, body: 'hi' } },
  { says: 'tell a@y.example & b@y.example that the build is green', input: { to: AB, body: 'the build is green' } },
  { says: 'let a@y.example and b@y.example know the build is green', input: { to: AB, body: 'the build is green' } },
  {
    says: 'tell a@y.example, b@y.example and c@y.example the build is green',
    input: { to: [...AB, C], body: 'the build is green' },
  },
  { says: 'ask a@y.example and b@y.example to check: She have two cats', input: { to: AB, body: 'She have two cats' } },
  {
    says: 'forward it to a@y.example and b@y.example',
    it: 'x',
    input: { to: AB, body: '{{1}}' },
    result: 'You wrote: x',
  },
  {
    says: 'send a@y.example and b@y.example a mail with the subject "S" and the text "hi"',
    input: { to: AB, body: 'hi', subject: 'S' },
  },
  { says: 'tell a@y.example, b@y.example is late', asks: 'I cannot tell whether “is late” is a part of the message' },
  { says: 'tell a@y.example, b@y.example and c@y.example left', asks: 'I cannot tell whether “left”' },
  { says: 'send a@y.example and b@y.example', asks: 'What should I write to a@y.example and b@y.example?' },
  { says: 'send a@y.example and b@y.example in cc: hi', asks: 'I cannot tell whether “in cc”' },
  // With copies.
  { says: 'send a@y.example, cc c@y.example: hi', input: { to: A, cc: [C], body: 'hi' } },
  { says: 'send a@y.example, cc: c@y.example: hi', input: { to: A, cc: [C], body: 'hi' } },
  { says: 'send hi to a@y.example (cc b@y.example and c@y.example)', input: { to: A, cc: [B, C], body: 'hi' } },
  { says: 'send a@y.example and b@y.example, cc c@y.example: hi', input: { to: AB, cc: [C], body: 'hi' } },
  { says: 'message a@y.example "hi", cc c@y.example', input: { to: A, cc: [C], body: 'hi' } },
  { says: 'send "hi" to a@y.example, with a copy to c@y.example', input: { to: A, cc: [C], body: 'hi' } },
  { says: 'send "hi" to a@y.example, cc: c@y.example', input: { to: A, cc: [C], body: 'hi' } },
  { says: 'send "hi" to a@y.example with cc to c@y.example', input: { to: A, cc: [C], body: 'hi' } },
  { says: 'send a@y.example, cc: c@y.example, hi', asks: 'I cannot tell whether “cc” is a part' },
  { says: 'tell a@y.example the build is green cc c@y.example', asks: 'I cannot tell whether' },
  { says: 'send to the address x@y.example the message "hi" and tell me the answer', input: HI },
  { says: 'ask the agent x@y.example "hi" and give me its reply', input: HI },
];
