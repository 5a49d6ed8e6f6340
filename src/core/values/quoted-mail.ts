/** The labels of the headers that Outlook and others put above a mail that they quote, by language. */
const FROM = 'from|von|de|van|da|od|från|fra|lähettäjä|от|від|kimden|feladó|odesílatel|差出人|发件人|寄件者|보낸 사람';
const DATE =
  'sent|date|gesendet|datum|envoyé|enviado|enviada|enviado em|enviada em|fecha|verzonden|inviato|data|wysłano|skickat|sendt|lähetetty|отправлено|дата|odesláno|送信日時|日時|日付|发送时间|寄件日期|傳送日期|日期|보낸 날짜';
const SUBJECT =
  'subject|betreff|objet|asunto|onderwerp|oggetto|assunto|temat|ämne|emne|aihe|тема|konu|tárgy|předmět|件名|主题|主旨|제목';

/** A label may be bold, which text shows by stars, and French has a space before its colon. */
const labelled = (labels: string): RegExp =>
  new RegExp(`^[*_ \\t]{0,4}(?:${labels})[*_]{0,2}[ \\u00a0]?[:：][*_]{0,2}`, 'iu');
const FROM_LINE = labelled(FROM);
const DATE_LINE = labelled(DATE);
const SUBJECT_LINE = labelled(SUBJECT);

/** Lines that the headers take, with long lists of recipients. */
const MAX_LINES = 14;
/** Characters of a line that are looked at. */
const MAX_LABEL = 60;

/** Words between dashes above a quoted mail, by language. */
const SEPARATOR =
  /^-{2,20} ?(?:original message|original-nachricht|original appointment|ursprüngliche nachricht|weitergeleitete nachricht|message d['’]origine|message original|mensaje original|oorspronkelijk bericht|originele bericht|messaggio originale|mensagem original|oryginalna wiadomość|wiadomość oryginalna|ursprungligt meddelande|oprindelig meddelelse|исходное сообщение|původní zpráva|元のメッセージ|原始邮件|원본 메시지) ?-{0,20}$/iu;
const RULE = /^[_-]{8,80}$/;
/** Any words between dashes, which say something about a mail that follows. */
const LABEL = /^-{4,20} ?[^-]{3,60}-{4,20}$/u;

/** Whether this line stands above a quoted mail. */
const isSeparator = (line: string): boolean =>
  line.startsWith('--') && line.length <= 100 && SEPARATOR.test(line.trim());

/** Whether the headers of a quoted mail begin at this line: its sender, date and subject, of which the date may be first. */
function hasHeaders(lines: readonly string[], at: number): boolean {
  const first = (lines[at] ?? '').slice(0, MAX_LABEL);
  let [named, dated] = [FROM_LINE.test(first), DATE_LINE.test(first)];
  if (!named && !dated) return false;
  let [titled, empty] = [false, 0];
  const end = Math.min(lines.length, at + MAX_LINES);
  for (let next = at + 1; next < end && !(named && dated && titled); next += 1) {
    const line = (lines[next] as string).slice(0, MAX_LABEL);
    named ||= FROM_LINE.test(line);
    dated ||= DATE_LINE.test(line);
    titled ||= SUBJECT_LINE.test(line);
    // Made from HTML, each header may be a paragraph.
    if (line.trim() === '' && ++empty > 4) break;
  }
  return named && dated && titled;
}

/** The line where a mail quoted below its headers begins, with its separator; undefined when there is none. */
export function quotedMailAt(lines: readonly string[]): number | undefined {
  for (const [at, line] of lines.entries()) {
    if (isSeparator(line)) return at;
    if (!hasHeaders(lines, at)) continue;
    const before = lines.slice(0, at).findLastIndex((one) => one.trim() !== '');
    const above = before < 0 ? '' : (lines[before] as string).trim().slice(0, 110);
    return RULE.test(above) || LABEL.test(above) ? before : at;
  }
  return undefined;
}

const unquoted = (line: string): string => line.replace(/^> ?/, '');

/** The line where a forwarded mail begins, with what says so: words between dashes, or a line with a colon above a quote. */
export function forwardedAt(lines: readonly string[]): number | undefined {
  const below = quotedMailAt(lines) ?? lines.length;
  const at = lines.slice(0, below).findIndex((line, index) => {
    const text = line.length > 110 ? '' : line.trim();
    if (LABEL.test(text)) return true;
    const next = text.endsWith(':') ? lines.slice(index + 1, index + 4).find((one) => unquoted(one).trim() !== '') : '';
    return next?.startsWith('>') === true && FROM_LINE.test(unquoted(next.slice(0, MAX_LABEL)));
  });
  const found = at < 0 ? below : at;
  return found < lines.length ? found : undefined;
}

/** What is said above a forwarded mail, and what that says below its headers; undefined where none is forwarded. */
export function forwardedIn(text: string): { readonly above: string; readonly mail: string } | undefined {
  const lines = text.split(/\r\n?|\n/);
  const at = forwardedAt(lines);
  if (at === undefined) return undefined;
  const below = lines.slice(at);
  // Apple Mail quotes what it forwards.
  const quoted = below.slice(1).every((line) => line.trim() === '' || line.startsWith('>'));
  const mail = quoted ? below.map(unquoted) : below;
  const headers = [FROM_LINE, DATE_LINE, SUBJECT_LINE].map((label) =>
    mail.findIndex((line, index) => index < MAX_LINES && label.test(line.slice(0, MAX_LABEL))),
  );
  const last = Math.max(0, ...headers);
  const end = mail.findIndex((line, index) => index > last && line.trim() === '');
  const said = end < 0 ? mail.slice(last + 1) : mail.slice(last === 0 ? 1 : end);
  return { above: lines.slice(0, at).join('\n').trim(), mail: said.join('\n').trim() };
}
