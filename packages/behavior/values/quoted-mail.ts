/** The labels of the headers that Outlook and others put above a mail that they quote, by language. */
const FROM =
  'from|von|de|van|da|od|från|fra|lähettäjä|от|від|kimden|feladó|odesílatel|差出人|发件人|寄件者|보낸 사람|від|από|מאת|من|expeditor|de la|odosielateľ|pošiljatelj|nuo|saatja|no|từ|จาก|dari|daripada|प्रेषक|šalje|از|frá|nork';
/** What Outlook calls the date, as no one else does. */
const SENT =
  'sent|message du|gesendet|envoyé|enviado|enviada|enviado em|enviada em|enviado el|verzonden|inviato|wysłano|skickat|sendt|lähetetty|отправлено|отправленные|odesláno|送信日時|发送时间|寄件日期|傳送日期|보낸 날짜|gönderildi|elküldve|küldve|trimis|odoslané|poslano|poslato|послато|išsiųsta|nosūtīts|saadetud|изпратено|надіслано|στάλθηκε|enviat|bidaltze-data|נשלח|تم الإرسال|ارسال|đã gửi|ส่ง|dikirim|dihantar|भेजा गया';
const DATE = `${SENT}|date|datum|fecha|data|дата|дата и час|dátum|tarih|日時|日付|日期|날짜|التاريخ|תאריך|วันที่|tanggal|ngày|ημερομηνία`;
const SUBJECT =
  'subject|betreff|objet|sujet|asunto|onderwerp|oggetto|assunto|temat|ämne|emne|aihe|тема|konu|tárgy|předmět|predmet|предмет|件名|主题|主旨|제목|subiect|zadeva|tema|tēma|teema|относно|θέμα|gaia|efni|נושא|الموضوع|موضوع|chủ đề|เรื่อง|perihal|subjek|विषय';

/** A label may be bold, which text shows by stars, and French has a space before its colon. */
const labelled = (labels: string): RegExp =>
  new RegExp(`^[*_ \\t]{0,4}(?:${labels})[*_]{0,2}[ \\u00a0]?[:：][*_]{0,2}`, 'iu');
/** Where an answer goes, which no form names. */
const REPLY =
  'reply-to|risposta|rispondi a|antwort an|répondre à|responder a|responder para|antwoord aan|odpowiedz do|svar till|svar til|返信先|回复地址';
const FROM_LINE = labelled(FROM);
const DATE_LINE = labelled(DATE);
const SUBJECT_LINE = labelled(SUBJECT);
const MAIL_LINE = labelled(`${SENT}|${REPLY}`);
const CLOCK = String.raw`(?<![\d.])\d{1,2}(?:[:.時时点點시]| ?h) ?\d{2}(?![\d.]*\.\d)`;
const DAY = String.raw`(?:\d{4}|\d{1,2}[./-]\d{1,2}[./-]\d{2}\b)`;
/** A day of a year, and a time of it. */
const MOMENT = new RegExp(`${DAY}.{0,40}?${CLOCK}|${CLOCK}.{0,40}?${DAY}`);
const YEAR = /\d{4}|\d{1,2}[./-]\d{1,2}[./-]\d{2}\b/;
const ADDRESS = /\S@\S/;

/** A header of any language: a few words, a colon, and a value. */
const ANY_LINE = /^[*_ \t]{0,4}\p{L}[\p{L}\p{M}\p{Pd} .'’]{0,30}[*_]{0,2}[ \u00a0]?[:：][*_]{0,2}[ \t\u00a0]{0,4}\S/u;
const MAILBOX = /[<[](?:mailto:)?[^\s<>@[\]]{1,100}@[^\s<>@[\]]{1,200}[>\]]/;
/** The line that Outlook draws above what it quotes. */
const OUTLOOK_RULE = /^_{32}$/;
/** Marks of direction, which stand around labels and names in Arabic and Hebrew. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Without marks of direction, and with the digits of ASCII for those of other scripts, ten of which begin at 0 or 6 of 16. */
export const plainDigits = (line: string): string =>
  line
    .replace(DIRECTION, '')
    .replace(/(?!\d)\p{Nd}/gu, (digit) =>
      digit.length > 1 ? digit : String((digit.charCodeAt(0) & 15) - (/[\u0966-\u0def]/.test(digit) ? 6 : 0)),
    );

/** Lines that the headers take, with long lists of recipients. */
const MAX_LINES = 14;
/** Characters of a line that are looked at for its label, its date, and an address. */
const MAX_LABEL = 60;
const MAX_DATE = 120;
const MAX_ADDRESSED = 400;

const SEPARATORS = [
  '(?:original|reply) message',
  'original ?e-?mail',
  'originalnachricht',
  'původní e-mail',
  'pôvodná správa',
  'originalmeddelande',
  'opprinnelig melding',
  'alkuperäinen (?:viesti|sähköposti)',
  'eredeti üzenet',
  'mesaj(?:ul)? original',
  'orijinal (?:mesaj|ileti)|özgün ileti',
  'αρχικό μήνυμα',
  '(?:оригінальне|вихідне|початкове) повідомлення',
  'оригинално съобщение',
  '(?:izvirno|prvotno) sporočilo',
  '(?:izvorna|originalna) poruka|оригинална порука',
  'הודעה מקורית',
  'الرسالة الأصلية|رسالة أصلية',
  'پیام اصلی',
  'ข้อความต้นฉบับ',
  'thư gốc',
  'pesan asli|mesej asal',
  'मूल संदेश',
  'missatge original',
  '(?:原始|原)(?:郵件|信件|邮件|消息)',
  'オリジナルメッセージ',
  '원본 ?(?:이메일|메일|메세지)',
  'original-nachricht',
  'original appointment',
  'ursprüngliche nachricht',
  'weitergeleitete nachricht',
  "message d['’]origine",
  'message original',
  'mensaje original',
  'oorspronkelijk bericht',
  'originele bericht',
  'messaggio originale',
  'mensagem original',
  'oryginalna wiadomość',
  'wiadomość oryginalna',
  'ursprungligt meddelande',
  'oprindelig meddelelse',
  'исходное сообщение',
  'původní zpráva',
  '元のメッセージ',
  '原始邮件',
  '원본 메시지',
];
/** Words between dashes above a quoted mail, by language. */
const SEPARATOR = new RegExp(`^-{2,20} ?(?:${SEPARATORS.join('|')}) ?-{0,20}$`, 'iu');
/** What Apple Mail writes above a mail that it forwards, by language. */
const FORWARD_LINES = [
  'begin forwarded message',
  'anfang der weitergeleiteten (?:nachricht|e-mail)',
  'début du (?:message|courriel) (?:réexpédié|transféré)',
  'inicio del mensaje reenviado',
  'inici del missatge reenviat',
  'inizio messaggio inoltrato',
  'begin doorgestuurd bericht',
  'início da mensagem (?:reencaminhada|encaminhada)',
  'początek przekazywanej wiadomości',
  'vidarebefordrat (?:mejl|brev)',
  'videresendt melding',
  'start på videresendt besked',
  'välitetty viesti alkaa',
  'začátek přeposílané zprávy',
  'začiatok preposlanej správy',
  'továbbított levél kezdete',
  'începe mesajul redirecționat',
  'započni proslijeđenu poruku',
  'έναρξη προωθημένου μηνύματος',
  'начало переадресованного сообщения',
  'початок листа, що пересилається',
  '[iİ]leti başlangıcı',
  'bắt đầu thư được chuyển tiếp',
  'awal pesan terusan',
  'تم تمرير الرسالة التالية|بداية الرسالة المُعاد توجيهها',
  'תחילת ההודעה המועברת',
  'เริ่มข้อความที่ส่งต่อ',
  '以下是转发的邮件|开始转发的邮件|開始轉寄郵件|以下是轉寄的郵件',
  '転送されたメッセージ',
  '전달된 메시지',
];
const FORWARD_LINE = new RegExp(`^(?:${FORWARD_LINES.join('|')}) ?[:：]$`, 'iu');
/** Whether this line stands above the headers of a forwarded mail. */
export const isForwardLine = (line: string): boolean => line.length <= MAX_LABEL && FORWARD_LINE.test(line.trim());

const RULE = /^[_-]{8,80}$/;
/** Any words between dashes, which say something about a mail that follows. */
const LABEL = /^-{4,20} ?(?!-)(?:[^-]|-(?!-)){3,60}-{4,20}$/u;
/** The line of Lotus Notes above the headers of what it quotes. */
const SUMMARY = /^[^-]{1,80} ?-{3}\d[^-]{8,40}-{3}/;
/** Where ticket systems ask for an answer above their own text. */
const ABOVE_LINE =
  /^[#=*_-]{2,20} ?.{0,20}(?:repl|respon|answer|antwort|antwoord|répon|respuesta|respost|rispo).{0,30}(?:above this line|(?:über|oberhalb) dieser (?:zeile|linie)|au-dessus de cette ligne|(?:encima de|sobre) esta línea|acima desta linha|boven deze (?:lijn|regel)|sopra questa (?:riga|linea)).{0,20} ?[#=*_-]{2,20}$/iu;

/** Whether this line stands above a quoted mail. */
const isSeparator = (line: string): boolean =>
  line.length <= 100 &&
  /^(?:[*_]?--|[#=*_]{2})/.test(line) &&
  (SEPARATOR.test(line.trim().replace(/^[*_]|[*_]$/g, '')) || ABOVE_LINE.test(line.trim()));

/** What the headers of a quoted mail name beside its sender, date and subject. */
interface Headers {
  /** A day with its year, and with a time too. */
  readonly dated: boolean;
  readonly timed: boolean;
  /** The date is named as Outlook does, or an address for answers is named. */
  readonly sent: boolean;
  readonly addressed: boolean;
  readonly subject: string;
}

/** The headers of a quoted mail that begin at this line: its sender, date and subject, of which the date may be first. */
function headersAt(lines: readonly string[], start: number): Headers | undefined {
  const first = (lines[start] ?? '').slice(0, MAX_LABEL);
  if (!FROM_LINE.test(first) && !DATE_LINE.test(first)) return undefined;
  let [named, addressed, sent, empty] = [false, false, false, 0];
  let [date, subject]: (string | undefined)[] = [];
  for (const whole of lines.slice(start, start + MAX_LINES)) {
    const line = whole.slice(0, MAX_LABEL);
    named ||= FROM_LINE.test(line);
    if (DATE_LINE.test(line)) date ??= plainDigits(whole.slice(0, MAX_DATE));
    sent ||= MAIL_LINE.test(line);
    if (SUBJECT_LINE.test(line)) subject ??= whole.replace(SUBJECT_LINE, '').trim();
    addressed ||= ADDRESS.test(whole.slice(0, MAX_ADDRESSED));
    if (line.trim() !== '') continue;
    // Made from HTML, each header may be a paragraph.
    if ((named && date !== undefined && subject !== undefined) || ++empty > 4) break;
  }
  if (!named || date === undefined || subject === undefined) return undefined;
  return { dated: YEAR.test(date), timed: MOMENT.test(date), sent, addressed, subject };
}

/** Whether no author would write such headers of a form of their own; `ruled`: below a line of dashes. */
function isCertain({ dated, timed, sent, addressed, subject }: Headers, ruled: boolean, answered: string): boolean {
  const repeats = subject !== '' && answered.toLowerCase().endsWith(subject.toLowerCase());
  return (timed && (addressed || sent || repeats)) || (ruled && dated && addressed);
}

/** Prefixes of a subject in any language. */
const PREFIXES = /^(?:\s{0,4}\p{L}{1,8}(?:\[\d{1,3}\])? ?[:：]){1,4}/u;

/**
 * Whether headers of a language that is not known here begin at a line, by their shape: three to seven, of which one names
 * an address and one a day and a time. A form of the author's own has neither a line above nor the subject.
 */
function areShaped(lines: readonly string[], start: number, above: string, answered: string | undefined): boolean {
  const headers: string[] = [];
  for (const line of lines.slice(start, start + MAX_LINES)) {
    const text = plainDigits(line.slice(0, MAX_ADDRESSED));
    if (text.trim() === '') break;
    if (ANY_LINE.test(text)) headers.push(text);
    else if (!ADDRESS.test(text)) break;
  }
  if (headers.length < 3 || headers.length > 7 || !headers.some((line) => MOMENT.test(line))) return false;
  if (OUTLOOK_RULE.test(above)) return true;
  const repeats = (line: string): boolean => {
    const value = line
      .replace(/^[^:：]*[:：][*_]{0,2}/, '')
      .replace(PREFIXES, '')
      .trim()
      .toLowerCase();
    return value.length > 1 && answered?.toLowerCase().endsWith(value) === true;
  };
  // A subject of nothing is repeated by nothing.
  const [first = '', second = ''] = headers;
  if (answered !== undefined && answered.replace(PREFIXES, '').trim().length < 2)
    return MAILBOX.test(first) || (MOMENT.test(first) && MAILBOX.test(second));
  return headers.some((line) => ADDRESS.test(line)) && (/^_{20,80}$/.test(above) || headers.some(repeats));
}

/** A header without a colon, as eM Client writes them. */
const UNMARKED_LINE = /^\p{L}[\p{L}\p{M} ]{0,20} \S/u;

/** Whether headers without colons begin at a line below words between dashes. */
function areUnmarked(lines: readonly string[], start: number, above: string): boolean {
  if (!LABEL.test(above)) return false;
  const block = lines.slice(start, start + MAX_LINES).map((line) => plainDigits(line.slice(0, MAX_ADDRESSED)));
  const end = block.findIndex((line) => !UNMARKED_LINE.test(line));
  const headers = end < 0 ? block : block.slice(0, end);
  return headers.length > 2 && headers.some((line) => MAILBOX.test(line)) && headers.some((line) => MOMENT.test(line));
}

/**
 * The line where a mail quoted below its headers begins, with its separator; undefined when there is none. `answered`:
 * the subject of the answer that quotes it; then what may be a form that its author wrote is none.
 */
export function quotedMailAt(lines: readonly string[], answered?: string): number | undefined {
  let aboveIndex = -1;
  for (const [index, line] of lines.entries()) {
    if (isSeparator(line)) return index;
    if (line.trim() === '') continue;
    const above = aboveIndex < 0 ? '' : (lines[aboveIndex] as string).trim().slice(0, 110);
    const ruled = [RULE, LABEL, SUMMARY].some((one) => one.test(above)) || isForwardLine(above);
    if (areHeaders(lines, index, { above, ruled, answered })) return ruled ? aboveIndex : index;
    aboveIndex = index;
  }
  return undefined;
}

/** Whether headers of a quoted mail begin at a line. */
function areHeaders(
  lines: readonly string[],
  start: number,
  {
    above,
    ruled,
    answered,
  }: { readonly above: string; readonly ruled: boolean; readonly answered: string | undefined },
): boolean {
  const headers = headersAt(lines, start);
  if (headers !== undefined && (answered === undefined || isCertain(headers, ruled, answered))) return true;
  if (areUnmarked(lines, start, above)) return true;
  return (
    ANY_LINE.test(plainDigits((lines[start] as string).slice(0, MAX_LABEL))) && areShaped(lines, start, above, answered)
  );
}

const unquoted = (line: string): string => line.replace(/^> ?/, '');

/** The line where a forwarded mail begins, with what says so: words between dashes, or a line with a colon above a quote. */
export function forwardedAt(lines: readonly string[]): number | undefined {
  const below = quotedMailAt(lines) ?? lines.length;
  const labelIndex = lines.slice(0, below).findIndex((line, index) => {
    const text = line.length > 110 ? '' : line.trim();
    if (LABEL.test(text)) return true;
    const next = text.endsWith(':') ? lines.slice(index + 1, index + 4).find((one) => unquoted(one).trim() !== '') : '';
    return next?.startsWith('>') === true && FROM_LINE.test(unquoted(next.slice(0, MAX_LABEL)));
  });
  const found = labelIndex < 0 ? below : labelIndex;
  return found < lines.length ? found : undefined;
}

/** What is said above a forwarded mail, and what that says below its headers; undefined where none is forwarded. */
export function forwardedIn(text: string): { readonly above: string; readonly mail: string } | undefined {
  const lines = text.split(/\r\n?|\n/);
  const start = forwardedAt(lines);
  if (start === undefined) return undefined;
  const below = lines.slice(start);
  // Apple Mail quotes what it forwards.
  const quoted = below.slice(1).every((line) => line.trim() === '' || line.startsWith('>'));
  const mail = quoted ? below.map(unquoted) : below;
  const headers = [FROM_LINE, DATE_LINE, SUBJECT_LINE].map((label) =>
    mail.findIndex((line, index) => index < MAX_LINES && label.test(line.slice(0, MAX_LABEL))),
  );
  const last = Math.max(0, ...headers);
  const end = mail.findIndex((line, index) => index > last && line.trim() === '');
  const said = end < 0 ? mail.slice(last + 1) : mail.slice(last === 0 ? 1 : end);
  return { above: lines.slice(0, start).join('\n').trim(), mail: said.join('\n').trim() };
}
