import type { Example } from '../harness.ts';

const code = { name: 'door code', text: '4711' };

export const REMEMBER: readonly Example[] = [
  // As people write it.
  { says: 'Remember my wifi password is swordfish99', input: { name: 'wifi password', text: 'swordfish99' } },
  { says: "don't forget that Ann's birthday is on 3 May", input: { name: "ann's birthday", text: 'on 3 May' } },
  { says: 'note to self: buy a new kettle', input: { name: 'buy a new kettle', text: 'buy a new kettle' } },
  {
    says: 'Make a note that the boiler was serviced in March',
    input: { name: 'boiler was serviced in', text: 'the boiler was serviced in March' },
  },
  {
    says: 'jot this down: 3 eggs, 200 g of flour, milk',
    input: { name: '3 eggs 200 g of', text: '3 eggs, 200 g of flour, milk' },
  },
  { says: 'take a note called shopping: milk and eggs', input: { name: 'shopping', text: 'milk and eggs' } },
  {
    says: 'Keep in mind I am allergic to nuts',
    input: { name: 'i am allergic to nuts', text: 'I am allergic to nuts' },
  },
  { says: 'FYI remember: parking spot = B12', input: { name: 'parking spot', text: 'B12' } },
  {
    says: 'add to my notes: the boiler was serviced',
    input: { name: 'boiler was serviced', text: 'the boiler was serviced' },
  },
  { says: 'write this down: buy milk', input: { name: 'buy milk', text: 'buy milk' } },
  // In the intended form.
  { says: 'remember that the door code is 4711', input: code, result: 'I will remember “door code”.' },
  { says: 'remember: the door code is 4711', input: code },
  { says: 'remember my size: 42', input: { name: 'size', text: '42' } },
  { says: 'note: call Ann back', input: { name: 'call ann back', text: 'call Ann back' } },
  {
    says: 'save it as report',
    it: 'All well',
    input: { name: 'report', text: '{{1}}' },
    result: 'I will remember “report”.',
  },
  { says: 'keep this as draft: Dear all', input: { name: 'draft', text: 'Dear all' } },
  { says: 'remember the result as total', it: '42', input: { name: 'total', text: '{{1}}' } },
  { says: 'remember 555-1234 as "Ann’s Phone"', input: { name: 'ann’s phone', text: '555-1234' } },
  { says: 'store this under contract', data: 'Line 1\nLine 2', input: { name: 'contract', text: 'Line 1\nLine 2' } },
  { says: 'remember it', it: 'a long answer', input: { name: 'last result', text: '{{1}}' } },
  { says: 'remember to water the plants', input: { name: 'water the plants', text: 'water the plants' } },
  { says: 'remember', asks: 'What should I remember?' },
  { says: 'remember my shoe size', asks: 'What is your shoe size?' },
  { says: 'save this as packing list', data: 'socks\nhat', input: { name: 'packing list', text: 'socks\nhat' } },
  { says: 'change my door code to 1111', input: { name: 'door code', text: '1111' } },
];
