import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isDeadAddress } from '../../core/mail-out/dead-address.ts';

const OF_THE_ADDRESS = ['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10'];
const NEUTRAL = ['', 'Recipient address rejected', '<a@x.example>... no', 'See https://x.example/full/quota for help'];
/** What another mail, sender or day would not have met. */
const OTHERS = [
  'mailbox is full',
  'over quota',
  'message too big',
  'blocked using zen.spamhaus.org',
  'IP address blacklisted by recipient',
  'Sender address rejected: domain not found',
  'Domain of sender address a@x.example does not exist',
  'not allowed to send, check SPF',
  'relaying denied',
  'sent to too many recipients this hour',
  'Connection timed out',
  'greylisted',
  'You are not a member of this list',
  'receiving mail at a rate that prevents additional messages',
];

test('an address that does not exist is at fault, by its status or by the words of the server that was asked for it', () => {
  for (const status of OF_THE_ADDRESS)
    for (const words of NEUTRAL) assert.ok(isDeadAddress({ status, words, of_recipient: false }), `${status} ${words}`);
  for (const words of [
    '550 User unknown',
    '550 <full@x.example>: no such user',
    '550 Unknown user a@x.example',
    '550 mailbox not found',
  ]) {
    assert.ok(isDeadAddress({ status: '5.0.0', words, of_recipient: true }), words);
    assert.equal(isDeadAddress({ status: '5.0.0', words, of_recipient: false }), false, `of content: ${words}`);
  }
  for (const words of [
    'Host or domain name not found. Name service error',
    'Domain does not exist',
    '550 Host unknown',
  ])
    assert.ok(isDeadAddress({ status: '5.4.4', words, of_recipient: false }), words);
});

test('no address is at fault for what blames the sender, the mail, or the day, whatever the status says beside it', () => {
  const status = fc.constantFrom(...OF_THE_ADDRESS, '5.0.0', '5.7.1', null);
  fc.assert(
    fc.property(
      status,
      fc.constantFrom(...OTHERS),
      fc.constantFrom('', 'user unknown; '),
      fc.boolean(),
      (of, reason, more, of_recipient) => {
        assert.equal(isDeadAddress({ status: of, words: `550 ${more}${reason}`, of_recipient }), false);
      },
    ),
  );
});

test('no address is at fault by a status of the sender, of a policy, of a mailbox that exists, or of a day', () => {
  for (const status of ['5.1.7', '5.1.8', '5.2.1', '5.2.2', '5.7.1', '5.7.26', '4.1.1', '4.4.7', '2.1.5'])
    for (const words of ['', `550 ${status} user unknown`, 'no such domain'])
      assert.equal(isDeadAddress({ status, words, of_recipient: true }), false, `${status} ${words}`);
});
