/** Lines that a signature may have below a separator whose blank was lost on the way. */
const MAX_LINES = 10;
/** Characters of a line that a program adds. */
const MAX_ADDED = 120;

const DEVICE =
  '(?:iphone|ipad|ipod|mac|macbook|android|samsung|galaxy|huawei|xiaomi|pixel|handy|smartphone|mobile|mobil|tablet|blackberry|windows|outlook|yahoo|gmail|aol|gmx|web\\.de|proton ?mail|tutanota|tuta|bluemail|superhuman|spark|mailspring|thunderbird|k-9|fairemail|mail)';
/** What programs add below a text, by language; each names a device or a program. */
const ADDED = new RegExp(
  [
    `(?:sent|composed) (?:from|with|using|via) .{0,60}${DEVICE}.{0,60}`, // English
    `get (?:outlook|bluemail|yahoo mail) .{0,80}`,
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
    `(?:发自我的|傳送自我的|나의) ?.{0,40}${DEVICE}.{0,40}`, // Chinese, Korean
  ]
    .map((one) => `(?:${one})`)
    .join('|'),
  'iu',
);
/** A line of which `ADDED` may be all but marks around it. */
const isAdded = (line: string): boolean => {
  const text = line.replace(/^[\s*_>-]{1,10}/, '').trim();
  const found = text.length <= MAX_ADDED ? ADDED.exec(text) : null;
  return found !== null && found.index === 0 && text.length - found[0].length <= 60;
};

/** Where the lines of a signature begin, at the end of the lines (RFC 3676, section 4.3); their number when there is none. */
function signatureAt(lines: readonly string[]): number {
  const at = lines.indexOf('-- ');
  if (at >= 0) return at;
  // A separator of which a program cut the blank; in a long text it may be a rule.
  let found = lines.length;
  let below = 0;
  for (let line = lines.length - 1; line >= 0 && below <= MAX_LINES; line -= 1) {
    const text = (lines[line] as string).trim();
    if (text === '--') found = line;
    if (text !== '') below += 1;
  }
  return found;
}

/** The lines without the signature and without what a program added below. */
export function withoutSignature(lines: readonly string[]): readonly string[] {
  let end = signatureAt(lines);
  for (;;) {
    while (end > 0 && (lines[end - 1] as string).trim() === '') end -= 1;
    if (end === 0 || !isAdded(lines[end - 1] as string)) return lines.slice(0, end);
    end -= 1;
  }
}
