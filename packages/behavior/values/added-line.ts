/** Characters of a line that a program adds. */
const MAX_ADDED = 120;

const DEVICE =
  '(?<![a-z])(?:iphone|ipad|phone|cell|htc|nokia|airmail|mailbox|ipod|mac|macbook|android|samsung|galaxy|huawei|xiaomi|pixel|handy|smartphone|mobile|mobil|mobilgerät|mobiltelefon|tablet|blackberry|windows|outlook|yahoo|gmail|aol|gmx|web\\.de|proton ?mail|tutanota|tuta|bluemail|superhuman|spark|mailspring|thunderbird|k-9|fairemail|mail app|mail\\.com|(?:zoho|fast|aqua|apple|gmx)[ -]?mail)(?![a-z])';
/** What programs add below a text, by language; each names a device or a program. */
const ADDED = new RegExp(
  [
    `(?:sent|composed) (?:from|with|using|via|by) [^,;!]{0,60}${DEVICE}.{0,60}`, // English
    `sent from my (?:[\\p{L}\\d-]{1,20} ){0,2}[\\p{L}\\d-]{1,20}[.!]?$`,
    `\\p{Lu}\\p{L}{1,20} from mobile$`,
    `from my .{0,20}${DEVICE}.{0,20}`,
    `get \\[?(?:outlook|bluemail|yahoo mail) (?:for|from|on) .{0,80}`,
    `(?:von|mit) .{0,40}${DEVICE}.{0,40} (?:gesendet|gesandt)`, // German
    `(?:gesendet|diese nachricht wurde) (?:von|mit|über) .{0,60}${DEVICE}.{0,60}`,
    `outlook für .{0,40} (?:beziehen|herunterladen|holen).{0,60}`,
    `holen sie sich outlook .{0,80}`,
    `(?:envoyé|envoye) (?:de|depuis|à partir de|avec) .{0,60}${DEVICE}.{0,60}`, // French
    `(?:obtenir|obtenez|téléchargez|télécharger) outlook .{0,80}`,
    `enviado (?:desde|do|da|de|a partir do|con|com) .{0,60}${DEVICE}.{0,60}`, // Spanish, Portuguese
    `(?:obtener|obtenga|obter|obtenha|baixar|descargar) o? ?outlook .{0,80}`,
    `(?:verzonden|verstuurd) (?:vanaf|met|via|vanuit) .{0,60}${DEVICE}.{0,60}`, // Dutch
    `(?:outlook voor .{0,40} (?:downloaden|ophalen)|download outlook voor) ?.{0,60}`,
    `inviat[oa] (?:da|dal|con|tramite) .{0,60}${DEVICE}.{0,60}`, // Italian
    `(?:scarica|ottieni) outlook .{0,80}`,
    `wysłan[eoy] (?:z|za pomocą|przez) .{0,60}${DEVICE}.{0,60}`, // Polish
    `(?:pobierz|uzyskaj) (?:aplikację )?outlook .{0,80}`,
    `(?:skickat från|sendt fra|lähetetty|отправлено с|odesláno z) .{0,60}${DEVICE}.{0,60}`, // Nordic, Russian, Czech
    `(?:hämta|hent|få|hanki|получить|скачать|získat|získejte) outlook .{0,80}`,
    `.{0,40}${DEVICE}.{0,20} gönderildi`, // Turkish
    `${DEVICE}から送信.{0,20}`, // Japanese
    `(?:outlook for .{0,20}|(?:ios|android) ?版 ?outlook ?)を(?:入手|取得).{0,60}`,
    `(?:(?:获取|取得|下载|下載) ?.{0,20}outlook|(?:ios|android)용 ?outlook) ?.{0,80}`,
    `(?:发自我的|傳送自我的|從我的|나의) ?.{0,40}${DEVICE}.{0,40}`, // Chinese, Korean
  ]
    .map((one) => `(?:${one})`)
    .join('|'),
  'iu',
);
/** A mark of a question, which links have within. */
const QUESTION = /[?？](?:[\s"')*_]|$)/;
/** Whether a line is what a phone or a program adds below a mail, as “Sent from my phone”, with marks around it at most. */
export const isAddedLine = (line: string): boolean => {
  const text = line
    .normalize()
    .replace(/^[\s*_>(<-]{1,10}/, '')
    .trim();
  const found = text.length <= MAX_ADDED && !QUESTION.test(text) ? ADDED.exec(text) : null;
  return found !== null && found.index === 0 && text.length - found[0].length <= 60;
};
