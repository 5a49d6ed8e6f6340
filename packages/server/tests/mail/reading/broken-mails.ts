import { chance } from '../../../../../tests/harness/chance.ts';

/** Parts from which broken mails are made. */
const HEADERS = [
  'From: Anna <anna@example.com>',
  'From: anna@example.com, x@evil.example',
  'From: =?utf-8?B?/////w==?= <x@evil.example>',
  'From: Team: a@x.example, b@x.example;',
  'FROM : "unclosed <anna@example.com',
  'Subject: =?utf-8?q?=F0=9F=98=80?=',
  'Subject: =?no-such?x?y?=',
  'Subject: Re: Fwd: AW: text',
  'In-Reply-To: <1@x.example>',
  'References: <1@x.example>\r\n\t<2@x.example> <',
  'Message-ID: <<>>',
  'Date: 99 Foo 99999 99:99:99 +9999',
  'Content-Type: multipart/mixed; boundary=b',
  'Content-Type: multipart/alternative; boundary="b\\"',
  'Content-Type: text/html; charset=utf-16',
  'Content-Type: text/plain; charset=\0; format=flowed; delsp=yes',
  'Content-Type: message/rfc822',
  'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
  'Content-Type: message/delivery-status',
  'Content-Type: text/calendar; method=REQUEST; name="../../x.ics"',
  'Content-Disposition: attachment; filename*0*=utf-8\'\'%FF%; filename*1="b"',
  'Content-Transfer-Encoding: base64',
  'Content-Transfer-Encoding: quoted-printable',
  'DKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=s; h=from; bh=; b=',
  'DKIM-Signature: v=1; a=ed25519-sha256; c=simple/relaxed; d=x; s=..; l=1; h=from:from; bh=aa; b=aa',
  'ARC-Seal: i=1; a=rsa-sha256; cv=none; d=x; s=s; b=',
  'ARC-Authentication-Results: i=1; x; dmarc=pass (((',
  'Auto-Submitted: auto-replied',
  'List-Id: <',
  ' continued without a header',
  'no colon at all',
  ':',
  'X\0: y',
] as const;
const LINES = [
  '',
  '> quoted',
  'On Mon, May 13, 2024 at 10:00 AM Anna <anna@example.com> wrote:',
  '-----Original Message-----',
  'From: Anna',
  'Sent: Monday',
  'Subject: x',
  '-- ',
  '--',
  '--b',
  '--b--',
  '--b \t',
  '________________________________',
  'Sent from my iPhone',
  '<div><blockquote><table><tr><td>',
  '</div></p></table>',
  '<a href="',
  '&#x1F600; &amp &#99999999;',
  '=F0=9F=98=8',
  'QUFB====QUE=',
  'Final-Recipient: rfc822;',
  'Hi. This is the qmail-send program',
  '<a@x.example>:',
  '\0\0\0',
  '\r',
  '😀',
  'She have two cat. ',
] as const;

/** A broken mail, the same for the same number: headers and lines in any order, cut, repeated, or with other bytes. */
export function brokenMail(number: number): Buffer {
  const random = chance(number);
  const below = (max: number): number => Math.floor(random() * max);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const eol = pick(['\r\n', '\r\n', '\r\n', '\n', '\r']);
  const lines: string[] = [];
  const block = (): void => {
    for (let count = below(12); count > 0; count--) lines.push(pick(HEADERS));
    lines.push('');
    for (let count = below(30); count > 0; count--) lines.push(pick(LINES).repeat(random() < 0.03 ? below(5_000) : 1));
  };
  for (let blocks = 1 + below(4); blocks > 0; blocks--) block();
  if (random() < 0.02) {
    const depth = below(1_000);
    for (let at = 0; at < depth; at++)
      lines.splice(at * 3, 0, `Content-Type: multipart/mixed; boundary=n${at}`, '', `--n${at}`);
  }
  if (random() < 0.01)
    lines.unshift(`X-Large: ${pick(['a', ' a', '(', '"', '<', '=?'] as const).repeat(below(2_000_000))}`);
  const mail = Buffer.from(lines.join(eol));
  for (let changes = random() < 0.5 ? below(20) : 0; changes > 0 && mail.length > 0; changes--)
    mail[below(mail.length)] = below(256);
  return random() < 0.3 ? mail.subarray(0, below(mail.length + 1)) : mail;
}
