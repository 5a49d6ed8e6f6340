import type { Example } from '../harness.ts';

/** With the notes `door code`: 4711, `report`: All well, `ann's phone`: 555-1234. */
export const RECALL: readonly Example[] = [
  // As people write it.
  { says: 'do you remember the door code?', input: { query: 'door code' }, result: '4711' },
  { says: "What was Ann's phone again?", input: { query: "ann's phone" }, result: '555-1234' },
  { says: 'remind me what my door code is', input: { query: 'door code' }, result: '4711' },
  { says: 'Do I have any notes about Ann?', input: { query: 'ann' }, result: '555-1234' },
  { says: 'what have I saved so far', input: {} },
  { says: 'search my notes for well', input: { query: 'well' }, result: 'All well' },
  { says: 'tell me everything you remember', input: {} },
  // In the intended form.
  { says: 'what is my door code', input: { query: 'door code' }, result: '4711' },
  { says: 'what is the door code?', input: { query: 'door code', guess: true } },
  { says: "what's my door code", input: { query: 'door code' } },
  { says: 'recall report', input: { query: 'report' }, result: 'All well' },
  { says: 'recall: report', input: { query: 'report' }, result: 'All well' },
  { says: 'what did I ask you to remember', input: {}, result: (list: readonly unknown[]) => list.length === 3 },
  { says: 'list my notes', input: {}, result: (list: readonly unknown[]) => list.length === 3 },
  { says: 'show all notes', input: {} },
  { says: 'what do you know about Ann', input: { query: 'ann' }, result: '555-1234' },
  { says: 'what did I tell you about the report?', input: { query: 'report' } },
  { says: 'show me my note about the boiler', input: { query: 'boiler' }, result: 'I have no note about “boiler”.' },
  { says: 'recall my Report note', input: { query: 'report' }, result: 'All well' },
  { says: 'what is my shoe size', input: { query: 'shoe size' } },
  { says: "when is Bob's birthday?", input: { query: "bob's birthday", guess: true } },
  { says: 'where is the spare key', input: { query: 'spare key', guess: true } },
  { says: 'what notes do I have about Bob', input: { query: 'bob' } },
];
