/** The dialects a mailbox can be set to, in the order of Harper's own numbers. */
export const DIALECTS = ['american', 'british', 'australian', 'canadian', 'indian'] as const;
export type Dialect = (typeof DIALECTS)[number];

export const DIALECT_NAMES: Readonly<Record<Dialect, string>> = {
  american: 'American English',
  british: 'British English',
  australian: 'Australian English',
  canadian: 'Canadian English',
  indian: 'Indian English',
};

const BRITISH_STEMS =
  String.raw`(?:colou|favou|behaviou|honou|labou|neighbou|flavou|humou|rumou|harbou|endeavou|vapou|armou|odou|parlou|savou|vigou|rigou)r\w* (?:cent|met|theat|lit|fib|calib|manoeuv|lust|spect|somb|kilomet|centimet)re[sd]? (?:travel|cancel|model|label|level|signal|fuel|channel|counsel|marvel|quarrel|total|tunnel|dial|jewel|initial)l(?:ed|ing|er|ers|ery) (?:organ|recogn|real|minim|maxim|optim|summar|util|priorit|normal|final|general|special|visual|custom|initial|serial|synchron|author|categor|character|critic|emphas|apolog|memor|modern|neutral|popular|standard|stabil|symbol|sympath|central|capital|digit|familiar|global|harmon|local|mobil|national|personal|privat|public|rational|social|subsid|material|industrial|civil|fertil|steril|jeopard|scrutin|revital|crystall|anonym|token|container|sanit|monet|formal|equal|internal|external|decentral|raster|item)is(?:e|ed|es|er|ers|ing|ations?) (?:anal|paral|catal)ys(?:e|ed|er|ers|ing) catalogues? (?:defen|offen|preten)ces? licences? practis(?:e|ed|es|ing) grey\w* whilst amongst programmes? tyres? kerbs? cheques? aluminium fulfil(?:s|ment)? enrol(?:s|ment)? skilful\w* wilful\w* jewellery maths mums? learnt spelt ageing sceptic\w* plough\w* pyjamas storeys? anaesth\w* paediatr\w* encyclopaedia haem\w+ oestr\w+ draught\w* mould\w* moustache cosy petrol lorry lorries`.split(
    ' ',
  );
/** Stems of spellings used on only one side of the Atlantic; "-ize" is British too (Oxford). */
const BRITISH_WORDS = new RegExp(String.raw`\b(?:${BRITISH_STEMS.join('|')})\b`, 'gi');
const AMERICAN_STEMS =
  String.raw`(?:colo|favo|behavio|hono|labo|neighbo|flavo|humo|rumo|harbo|endeavo|vapo|armo|odo|savo|vigo)r(?:s|ed|ing|s?able|ites?|ful|hoods?|al)? (?:cent|theat|lit|fib|calib|maneuv|kilomet|centimet)ers? (?:travel|cancel|model|label|level|signal|fuel|channel|counsel|marvel|quarrel|total|tunnel|dial)(?:ed|ing|er|ers) (?:anal|paral|catal)yz(?:e|ed|es|er|ers|ing) catalogs? defenses? offenses? gray\w* curbs? aluminum fulfills? fulfillment enrolls? enrollment skillful\w* jewelry math moms? skeptic\w* plow\w* pajamas anesth\w* pediatr\w* mold\w* mustache cozy`.split(
    ' ',
  );
const AMERICAN_WORDS = new RegExp(String.raw`\b(?:${AMERICAN_STEMS.join('|')})\b`, 'gi');
/** How much of a text is examined, in UTF-16 code units. */
const SAMPLE = 20_000;

/** The English that a text is read as. `inferred`: it was inferred from the text rather than set. */
export interface English {
  readonly dialect: Dialect;
  readonly inferred: boolean;
}

/** The dialect that a mailbox is set to, or else that of the text. */
export const englishOf = (set: Dialect | undefined, text: string): English =>
  set === undefined ? { dialect: inferDialect(text), inferred: true } : { dialect: set, inferred: false };

/** American or British English by the spellings in a text; American when they are inconclusive. */
export function inferDialect(text: string): Dialect {
  const sample = text.slice(0, SAMPLE);
  const british = sample.match(BRITISH_WORDS)?.length ?? 0;
  if (british === 0) return 'american';
  return british > (sample.match(AMERICAN_WORDS)?.length ?? 0) ? 'british' : 'american';
}
