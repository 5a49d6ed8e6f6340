import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Bounce } from '../../../mail/reading/read-mail.ts';
import { readHere } from './harness.ts';

const bouncesOf = async (raw: string, from = ''): Promise<readonly Bounce[]> => (await readHere(raw, from)).bounce;

const RETURNED = `Content-Type: message/rfc822

Return-Path: <bounces+dlv_1@ns.example.net>
From: Hello <hello@ns.example.net>
To: anna@example.com
Message-ID: <msg_1@ns.example.net>
Subject: Re: Text

She has two cats.
`;
const report = (headers: string, text: string, status: string, returned = RETURNED): string => `${headers}
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b1"

--b1
Content-Type: text/plain; charset=us-ascii

${text}

--b1
Content-Type: message/delivery-status

${status}

--b1
${returned}
--b1--
`;

test('a bounce of Postfix says who, why, and which mail', async () => {
  const raw = report(
    'From: MAILER-DAEMON@mail.example.com (Mail Delivery System)\nSubject: Undelivered Mail Returned to Sender\nTo: bounces+dlv_1@ns.example.net\nAuto-Submitted: auto-replied',
    'This is the mail system at host mail.example.com.',
    `Reporting-MTA: dns; mail.example.com
X-Postfix-Queue-ID: 4VdX
Arrival-Date: Mon, 13 May 2024 10:00:00 +0200 (CEST)

Final-Recipient: rfc822; anna@example.com
Original-Recipient: rfc822;Anna@Example.com
Action: failed
Status: 5.1.1
Remote-MTA: dns; mx.example.com
Diagnostic-Code: smtp; 550 5.1.1 <anna@example.com>: Recipient address
    rejected: User unknown`,
  );
  assert.deepEqual(await bouncesOf(raw), [
    {
      recipient: 'anna@example.com',
      status: '5.1.1',
      action: 'failed',
      diagnostic: '550 5.1.1 <anna@example.com>: Recipient address rejected: User unknown',
      original_message_id: '<msg_1@ns.example.net>',
      original_recipient: 'Anna@example.com',
      dead_address: true,
    },
  ]);
});

test('a bounce of Gmail is read, though it returns headers alone', async () => {
  const raw = report(
    'From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>\nTo: bounces+dlv_1@ns.example.net\nSubject: Delivery Status Notification (Failure)\nAuto-Submitted: auto-replied',
    '** Address not found **',
    `Reporting-MTA: dns; googlemail.com
Received-From-MTA: dns; hello@ns.example.net
Arrival-Date: Mon, 13 May 2024 01:00:00 -0700 (PDT)
X-Original-Message-ID: <msg_1@ns.example.net>

Final-Recipient: rfc822; nobody@gmail.com
Action: failed
Status: 5.1.1
Remote-MTA: dns; gmail-smtp-in.l.google.com. (192.0.2.26, the server for the domain gmail.com.)
Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist.
Last-Attempt-Date: Mon, 13 May 2024 01:00:01 -0700 (PDT)`,
    'Content-Type: text/rfc822-headers\n\nFrom: hello@ns.example.net\nSubject: x\n',
  );
  const [bounce] = await bouncesOf(raw);
  assert.deepEqual(
    [bounce?.recipient, bounce?.status, bounce?.original_message_id],
    ['nobody@gmail.com', '5.1.1', '<msg_1@ns.example.net>'],
  );
});

test('a bounce of Exchange and one of a delay are read', async () => {
  const failed = report(
    'From: postmaster@contoso.example\nTo: bounces+dlv_1@ns.example.net\nSubject: Undeliverable: Re: Text\nX-MS-Exchange-Message-Is-Ndr:\nIn-Reply-To: <msg_1@ns.example.net>',
    'Delivery has failed to these recipients or groups:',
    `Reporting-MTA: dns;AM0PR01.prod.exchangelabs.com
Received-From-MTA: dns;ns.example.net

Final-Recipient: rfc822;anna@contoso.example
Action: failed
Status: 5.1.10
Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient anna@contoso.example not found by SMTP address lookup
X-Display-Name: Anna`,
    'Content-Type: text/plain\n\nnothing\n',
  );
  const [bounce] = await bouncesOf(failed);
  assert.equal(bounce?.status, '5.1.10');
  assert.equal(bounce?.original_message_id, '<msg_1@ns.example.net>');
  assert.match(bounce?.diagnostic ?? '', /^550 5\.1\.10 RESOLVER/);
  const delayed = report(
    'From: MAILER-DAEMON@x.example',
    'Still trying.',
    'Reporting-MTA: dns; x\n\nFinal-Recipient: rfc822;a@x.example\nAction: delayed\nStatus: 4.4.1',
  );
  assert.deepEqual(
    (await bouncesOf(delayed)).map(({ action, status }) => [action, status]),
    [['delayed', '4.4.1']],
  );
});

test('a bounce of several recipients says each', async () => {
  const status = ['a', 'b']
    .map((one) => `Final-Recipient: rfc822;${one}@x.example\nAction: failed\nStatus: 5.2.2`)
    .join('\n\n');
  const bounces = await bouncesOf(
    report('From: MAILER-DAEMON@x.example', 'Full.', `Reporting-MTA: dns; x\n\n${status}`),
  );
  assert.deepEqual(
    bounces.map(({ recipient }) => recipient),
    ['a@x.example', 'b@x.example'],
  );
});

test('a bounce of qmail and one of Exim, which are plain text, are read', async () => {
  const qmail = `From: MAILER-DAEMON@mx.example.com
To: bounces+dlv_1@ns.example.net
Subject: failure notice

Hi. This is the qmail-send program at mx.example.com.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<anna@example.com>:
192.0.2.5 does not like recipient.
Remote host said: 550 5.7.1 Not allowed
Giving up on 192.0.2.5.

<carl@example.com>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.

Return-Path: <bounces+dlv_1@ns.example.net>
From: <other@example.com>
Message-ID: <msg_1@ns.example.net>

<not@example.com>:
text
`;
  assert.deepEqual(
    (await bouncesOf(qmail)).map(({ recipient, status, original_message_id }) => [
      recipient,
      status,
      original_message_id,
    ]),
    [
      ['anna@example.com', '5.7.1', '<msg_1@ns.example.net>'],
      ['carl@example.com', '5.1.1', '<msg_1@ns.example.net>'],
    ],
  );
  const exim = `From: Mail Delivery System <Mailer-Daemon@mx.example.com>
X-Failed-Recipients: anna@example.com
Auto-Submitted: auto-replied
Subject: Mail delivery failed: returning message to sender

This message was created automatically by mail delivery software.

  anna@example.com
    host mx.example.com [192.0.2.5]
    SMTP error from remote mail server after RCPT TO:<anna@example.com>:
    550 Unrouteable address

------ This is a copy of your message, including all the headers. ------

Message-Id: <msg_1@ns.example.net>
`;
  assert.deepEqual(await bouncesOf(exim), [
    {
      recipient: 'anna@example.com',
      status: '5.0.0',
      action: 'failed',
      diagnostic: '550 Unrouteable address',
      original_message_id: '<msg_1@ns.example.net>',
      original_recipient: null,
      dead_address: true,
    },
  ]);
});

test('what is no bounce has none, and a broken report has what can be read', async () => {
  const person = 'From: a@x.example\nSubject: failure notice\n\nI had an error 550 today.\n';
  assert.deepEqual(await bouncesOf(person, 'a@x.example'), []);
  const broken = report(
    'From: MAILER-DAEMON@x.example',
    'Oh.',
    'Final-Recipient\n:\n\nFinal-Recipient: rfc822\nAction: exploded (x)\nStatus: five',
  );
  assert.deepEqual(
    (await bouncesOf(broken)).map(({ recipient, status, action }) => [recipient, status, action]),
    [['', null, 'failed']],
  );
});

const notice = (subject: string, text: string, headers = ''): string =>
  `From: Mail Delivery System <MAILER-DAEMON@mx.example.com>\nTo: bounces+dlv_1@ns.example.net\nSubject: ${subject}\n${headers}\n${text}\n`;
const COPY =
  'Received: from a by b\nMessage-ID: <msg_1@ns.example.net>\nTo: anna@example.com\n\nDelayed? 550 5.1.1 no such user';
const summary = (bounces: readonly Bounce[]) =>
  bounces.map(({ recipient, action, status, dead_address }) => [recipient, action, status, dead_address]);

test('a notice in words says what happened, to whom, and whether the address is at fault', async () => {
  const cases: readonly (readonly [name: string, raw: string, bounces: readonly (readonly unknown[])[]])[] = [
    [
      'Exim, without its header',
      notice(
        'Mail delivery failed: returning message to sender',
        `A message that you sent could not be delivered to one or more of its recipients. This is a permanent error.\n\n  anna@example.com\n    SMTP error from remote mail server after RCPT TO:<anna@example.com>:\n    550 5.1.1 unknown user\n\n------ This is a copy of your message, including all the headers. ------\n\n${COPY}`,
      ),
      [['', 'failed', '5.1.1', true]],
    ],
    [
      'Exim, of a full mailbox',
      notice(
        'Mail delivery failed: returning message to sender',
        'The following address(es) failed:\n\n  anna@example.com\n    mailbox is full: retry timeout exceeded',
        'X-Failed-Recipients: anna@example.com\n',
      ),
      [['anna@example.com', 'failed', null, false]],
    ],
    [
      'Exim, which still tries',
      notice(
        'Warning: message 1abc-0002 delayed 24 hours',
        `A message that you sent has not yet been delivered to one or more of its recipients.\n\n  anna@example.com\n    Delay reason: 451 4.7.1 try later\n\nDelivery attempts will continue for some time.`,
      ),
      [['', 'delayed', '4.7.1', false]],
    ],
    [
      'a server that names its fields in the text',
      notice(
        'Delivery Failure',
        `Could not deliver the message.\n\nAction: failed\nFinal-Recipient: rfc822; anna@example.com\nDiagnostic-Code: smtp; 552 5.2.2 Mailbox full\nStatus: 5.2.2\n\n${COPY}`,
      ),
      [['anna@example.com', 'failed', '5.2.2', false]],
    ],
    [
      'DragonFly, of a domain that does not exist',
      `Subject: Mail delivery failed\nTo: bounces+dlv_1@ns.example.net\n\nThere was an error delivering your mail to <anna@example.com>.\n\nDNS lookup failure: host example.com not found\n\nMessage headers follow.\n\n${COPY}\n`,
      [['', 'failed', null, true]],
    ],
    [
      'OpenSMTPD, after its last try',
      notice(
        'Delivery status notification: error',
        `An error has occurred while attempting to deliver a message for\nthe following list of recipients:\n\nanna@example.com: Envelope expired\n\n    Below is a copy of the original message:\n\n${COPY}`,
      ),
      [['', 'failed', null, false]],
    ],
    [
      'qmail, after the mail itself',
      notice(
        'failure notice',
        'Hi. This is the qmail-send program at mx.example.com.\n\n<anna@example.com>:\n192.0.2.5 failed after I sent the message.\nRemote host said: 550 User unknown\n\n<carl@example.com>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n',
      ),
      [
        ['anna@example.com', 'failed', '5.0.0', false],
        ['carl@example.com', 'failed', '5.1.1', true],
      ],
    ],
    [
      'a list that refuses',
      notice(
        'You are not a member of the list',
        'You are not allowed to post to this mailing list.\n',
        'Auto-Submitted: auto-generated\n',
      ),
      [['', 'failed', null, false]],
    ],
    [
      'an old Sendmail, whose parts were lost on the way',
      notice(
        'Returned mail: User unknown',
        `--b\n\n   ----- Transcript of session follows -----\n... while talking to mx.example.com:\n>>> RCPT To:<anna@example.com>\n<<< 550 anna@example.com... User unknown\n\n--b\nContent-Type: message/rfc822\n\n${COPY}`,
        'MIME-Version: 1.0\nContent-Type: multipart/report; boundary=other\n',
      ),
      [['', 'failed', '5.0.0', true]],
    ],
    [
      'words of a language that is not known here',
      notice('Rückläufer', 'Die Nachricht ging nicht an anna@example.com.\n'),
      [['', 'failed', null, false]],
    ],
  ];
  for (const [name, raw, bounces] of cases) assert.deepEqual(summary(await bouncesOf(raw)), bounces, name);
});

test('a report of a failure is one whatever its status, and says by its text what it does not say itself', async () => {
  const from = 'From: MAILER-DAEMON@x.example';
  const reported = async (status: string, text = 'It failed.') =>
    summary(
      await bouncesOf(report(from, text, `Reporting-MTA: dns; x\n\nFinal-Recipient: rfc822; a@x.example\n${status}`)),
    );
  assert.deepEqual(await reported('Action: failed\nStatus: 4.4.7'), [['a@x.example', 'failed', '4.4.7', false]]);
  assert.deepEqual(await reported('Action: failed\nStatus: 2.1.5'), [['a@x.example', 'delivered', '2.1.5', false]]);
  assert.deepEqual(
    await reported(
      'Action: failed\nStatus: 5.0.0',
      '<a@x.example>: host x said: 550 User\nunknown (in reply to\n    RCPT TO command)',
    ),
    [['a@x.example', 'failed', '5.0.0', true]],
  );
  const full = 'Your message was rejected:\nNot enough disk space';
  assert.deepEqual(await reported('Action: failed\nStatus: 5.1.1', full), [['a@x.example', 'failed', '5.1.1', false]]);
});

test('an automatic answer, a receipt and a report of a list are no bounces, though their path is null', async () => {
  const away =
    'From: Anna <anna@example.com>\nSubject: Automatic reply: Text\nAuto-Submitted: auto-replied\n\nI am away until Monday.\n';
  assert.deepEqual(await bouncesOf(away), []);
  const old =
    'From: Anna <anna@example.com>\nSubject: Out of Office: Re: Text\nIn-Reply-To: <msg_1@ns.example.net>\n\nBack on Monday.\n';
  assert.deepEqual(await bouncesOf(old), []);
  const receipt = report(
    'From: anna@example.com\nSubject: Read: Text',
    'It was displayed.',
    'Reporting-UA: x\nFinal-Recipient: rfc822; anna@example.com\nDisposition: manual-action/MDN-sent-manually; displayed',
  ).replace('message/delivery-status', 'message/disposition-notification');
  assert.deepEqual(await bouncesOf(receipt), []);
  const complaint = await readHere(
    'From: staff@hotmail.com\nSubject: complaint about message from 192.0.2.1\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n\nReturn-Path: <bounces+dlv_1@ns.example.net>\nSubject: Hi\n\nHi\n--b--\n',
    '',
  );
  assert.deepEqual(
    [complaint.bounce, complaint.complaint],
    [[], { type: 'abuse', return_paths: ['bounces+dlv_1@ns.example.net'] }],
  );
});
