import type { ReceivedEmail } from '../../ports/email-transport.ts';
import type { Decision } from '../../runs/approve.ts';

/** What an answer to the question of an approval says. */
export interface WrittenDecision {
  readonly decision: Decision;
  /** Of a refusal: what was written beside it. */
  readonly reason?: string;
}

/** The longest answer that is read: a longer one is a text, not a yes. */
const MAX_ANSWER = 5_000;
const MAX_REASON = 500;

/** In English, German, French, Spanish, Italian, Portuguese and Dutch; each must be all of what stands between commas. */
const YES = new Set(
  `yes|y|yep|yeah|yes please|ok|okay|approve|approved|i approve|approve it|go ahead|please go ahead|do it|please do it|do so|
  please do|yes do it|yes go ahead|ok do it|ok go ahead|confirm|confirmed|i confirm|agreed|i agree|sure|run it|please run it|
  fine|fine by me|sounds good|sounds good to me|looks good|looks good to me|👍
  ja|gern|gerne|ja bitte|ja mach es|machen|ja machen|mach es|mach das|bitte machen|genehmigt|genehmige|ich genehmige|freigegeben|einverstanden|
  in ordnung|bestätigt|ich bestätige|ich stimme zu
  oui|d'accord|approuvé|approuvée|approuver|j'approuve|je confirme|confirmé|vas-y|allez-y|fais-le|faites-le|c'est bon
  sí|si|de acuerdo|aprobado|apruebo|lo apruebo|aprobar|adelante|hazlo|hágalo|confirmo|confirmado|vale
  sì|va bene|approvato|approvo|lo approvo|approvare|procedi|proceda|fallo pure|confermo|confermato
  sim|pode|aprovado|aprovo|aprovar|pode fazer|pode avançar|autorizo|faça|avance
  akkoord|graag|goedgekeurd|ik ga akkoord|ik keur het goed|doe maar|doe het|is goed|ga je gang|bevestigd`
    .split(/[|\n]/)
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== ''),
);
const NO = new Set(
  `no|n|nope|👎|no thanks|no thank you|reject|rejected|reject it|i reject|refuse|refused|i refuse|refuse it|deny|denied|decline|
  declined|i decline|don't|do not|don't do it|do not do it|please don't|no don't
  nein|nein danke|nein nicht|ablehnen|abgelehnt|ich lehne ab|nicht genehmigt|nicht machen|bitte nicht|verweigert
  non|non merci|refuser|refusé|refusée|je refuse|rejeter|rejeté|ne le fais pas|ne le faites pas
  no gracias|rechazar|rechazado|rechazo|lo rechazo|no lo hagas|denegado
  no grazie|rifiuta|rifiuto|rifiutare|rifiutato|lo rifiuto|non farlo|respinto
  não|nao|não obrigado|não obrigada|recusar|recusado|recuso|rejeitar|rejeitado|rejeito|não faça
  nee|nee bedankt|nee dank je|weigeren|geweigerd|ik weiger|afgewezen|afwijzen|niet doen`
    .split(/[|\n]/)
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== ''),
);
/** What may stand beside a yes without changing it. */
const COURTESY = new Set(
  `please|thanks|thank you|thank you very much|many thanks|thx|cheers|best|best regards|kind regards|regards|warm regards|sincerely|
  all the best|best wishes|bitte|danke|vielen dank|danke schön|gruß|grüße|viele grüße|liebe grüße|lg|vg|mfg|beste grüße|
  mit freundlichen grüßen|merci|merci beaucoup|s'il te plaît|s'il vous plaît|cordialement|bien cordialement|bien à vous|
  gracias|muchas gracias|por favor|saludos|un saludo|saludos cordiales|grazie|grazie mille|per favore|saluti|
  cordiali saluti|obrigado|obrigada|muito obrigado|muito obrigada|cumprimentos|atenciosamente|abraço|
  dank je|dank u|bedankt|alvast bedankt|groet|groeten|met vriendelijke groet|vriendelijke groeten|mvg`
    .split(/[|\n]/)
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== ''),
);

/** The parts of a line between commas and at its end, in lower case, as they are looked up. */
const partsOf = (line: string): string[] =>
  line
    .normalize('NFC')
    .toLowerCase()
    .replace(/[’‘`´]/g, "'")
    .replace(/[\u200b-\u200f\ufeff]|\ufe0f|\p{Emoji_Modifier}/gu, '')
    .split(/[,.;:!–—]+|\s-\s/)
    .map((part) =>
      part
        .trim()
        .replace(/\s+/g, ' ')
        .replace(/^["“”„«»*_]{1,4}|["“”„«»*_]{1,4}$/g, ''),
    )
    .filter((part) => part !== '');

/** Whether a part says yes, with a courtesy and no comma behind it as well. */
function isYes(part: string): boolean {
  if (YES.has(part)) return true;
  for (let at = part.indexOf(' '); at > 0; at = part.indexOf(' ', at + 1)) {
    const rest = part.slice(at + 1);
    if (YES.has(part.slice(0, at)) && (YES.has(rest) || COURTESY.has(rest))) return true;
  }
  return false;
}

/** Whether every word of a line is one of the author's name, or its initial. */
function isName(line: string, name: string): boolean {
  const words = (text: string): string[] =>
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}]+/gu) ?? [];
  const nameWords = words(name);
  const written = words(line);
  return (
    written.length > 0 &&
    written.every((word) => nameWords.some((one) => one === word || (word.length === 1 && one.startsWith(word))))
  );
}

/**
 * What the new text of an answer decides: its first line, all of it, is one of the words above. A yes has nothing beside it
 * but courtesies and the author's name; what stands beside a no is its reason. Undefined for every other text, in
 * particular for a yes with a condition.
 */
export function decisionIn(text: string, name: string): WrittenDecision | undefined {
  if (text.length > MAX_ANSWER) return undefined;
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const [first = '', ...others] = lines;
  if (/[?？]/.test(first)) return undefined;
  const [firstWords = '', ...beside] = partsOf(first);
  if (isYes(firstWords)) {
    const plain = beside.every((part) => isYes(part) || COURTESY.has(part) || isName(part, name));
    const rest = others.every(
      (line) => isName(line, name) || partsOf(line).every((part) => COURTESY.has(part) || isName(part, name)),
    );
    return plain && rest ? { decision: 'approve' } : undefined;
  }
  if (!NO.has(firstWords)) return undefined;
  const contradicts = beside.some(isYes) || others.some((line) => partsOf(line).some(isYes));
  if (contradicts) return undefined;
  const reason = reasonIn(first, others, name);
  return { decision: 'refuse', ...(reason !== '' && { reason }) };
}

/** What a mail decides: its text and its HTML say the same, since its author saw one of them. Undefined as above. */
export function mailedDecision(email: Pick<ReceivedEmail, 'body' | 'html_body' | 'from'>): WrittenDecision | undefined {
  const { body, html_body, from } = email;
  const written = decisionIn(body, from.name);
  if (html_body === null || written === undefined) return written;
  return decisionIn(html_body, from.name)?.decision === written.decision ? written : undefined;
}

/** What stands beside a no, without the courtesies at the end. */
function reasonIn(first: string, others: readonly string[], name: string): string {
  const at = first.search(/[,.;:!–—]|\s-\s/);
  const lines = [at < 0 ? '' : first.slice(at).replace(/^[\s,.;:!–—-]+/, ''), ...others];
  const last = lines.findLastIndex((line) => !isName(line, name) && partsOf(line).some((part) => !COURTESY.has(part)));
  return lines
    .slice(0, last + 1)
    .filter((line) => line !== '')
    .join('\n')
    .slice(0, MAX_REASON)
    .toWellFormed()
    .trim();
}
