import type { Example } from '../harness.ts';

/** The notebook confirms everything; see RECALL. */
export const FORGET: readonly Example[] = [
  // As people write it.
  { says: 'you can forget the door code now', input: { name: 'door code' } },
  { says: 'forget what I told you about Ann', input: { name: 'ann' } },
  { says: 'get rid of my note on the boiler', input: { name: 'boiler' }, result: 'I have no note called “boiler”.' },
  { says: 'Delete my shopping note', input: { name: 'shopping' } },
  { says: 'wipe all of my notes', input: { all: true } },
  // In the intended form.
  { says: 'forget the door code', input: { name: 'door code' }, result: 'I forgot “door code”.' },
  { says: 'delete my note about the report', input: { name: 'report' }, result: 'I forgot “report”.' },
  { says: 'remove the note "Report"', input: { name: 'report' } },
  { says: 'forget that the door code is 4711', input: { name: 'door code' } },
  { says: 'forget everything', input: { all: true } },
  { says: 'forget all my notes', input: { all: true } },
  { says: 'delete all notes', input: { all: true } },
  { says: 'forget', asks: 'Which note' },
  { says: 'erase from my notes everything I said about Ann', input: { name: 'ann' } },
  { says: 'delete what I told you about the report from your memory', input: { name: 'report' } },
];
