import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Frequent words of short messages: pronouns, articles, forms of "to be", greetings. They decide where letter statistics
 * cannot ("Hello", "Qui es-tu ?"), and save loading the statistics for most messages. A word of several languages is listed
 * in each.
 */
const COMMON_WORDS: Readonly<Record<string, string>> = {
  en: 'the and is are was were be been am i you he she it they we me him them us my your his her its our their this that these those there here of to in on at by for from with not no yes have has had do does did can could will would should must what who how where why when which if but or so as about than then because a an all some any please thanks thank hello hi hey dear good morning evening welcome sorry ok okay tell help name',
  fr: "le la les un une des du de et est sont suis es êtes je tu il elle nous vous ils elles on ce cette ces qui que quoi où quand comment pourquoi pas ne oui non avec pour dans sur par en au aux mon ton son ma ta sa mes bonjour bonsoir salut merci beaucoup s'il plaît ça c'est j'ai mais ou donc très bien t'es es-tu êtes-vous",
  de: 'der die das den dem ein eine einen einem und ist sind bin bist war ich du er sie es wir ihr mich dich mir dir mein dein sein nicht kein ja nein mit für in im auf von zu zum was wer wie wo wann warum aber oder auch hallo guten tag danke bitte schön haben habe hat kann wird',
  es: 'el la los las un una unos y es son soy eres está estoy yo tú él ella nosotros usted ustedes me te se lo mi tu su no sí con para por en de del que quién qué cómo dónde cuándo hola buenos buenas días gracias favor muy pero como más',
  it: 'il lo la gli le un una e è sono sei siamo io tu lui lei noi voi mi ti si non sì no con per in di del della che chi cosa come dove quando perché ciao buongiorno grazie mille prego molto ma anche',
  pt: 'o a os as um uma e é são sou és está eu tu ele ela nós você vocês me te se meu seu não sim com para por em de do da no na que quem como onde quando olá oi bom dia obrigado obrigada muito mas mais',
  nl: 'de het een en is zijn ben bent was ik jij je hij zij ze wij we u mij mijn jouw niet geen ja nee met voor in op van te wat wie hoe waar wanneer waarom maar of ook hallo goedemorgen dank wel bedankt alsjeblieft graag',
  sv: 'en ett och är var jag du han hon vi ni de dem mig dig min din inte ja nej med för i på av till vad vem hur var när varför men eller också hej tack snälla god',
  no: 'en et og er var jeg du han hun vi dere de meg deg min din ikke ja nei med for i på av til hva hvem hvordan hvor når hvorfor men eller også hei takk god hilsen',
  da: 'en et og er var jeg du han hun vi I de mig dig min din ikke ja nej med for i på af til hvad hvem hvordan hvor hvornår hvorfor men eller også hej tak god hilsen',
  fi: 'ja on ovat olen olet minä sinä hän me te he se en ei kyllä mitä kuka miten missä milloin miksi mutta tai myös hei moi kiitos hyvää',
  pl: 'i jest są jestem jesteś ja ty on ona my wy oni mnie mój twój nie tak z do na w od co kto jak gdzie kiedy dlaczego ale lub też cześć dzień dobry dziękuję proszę',
  cs: 'a je jsou jsem jsi já ty on ona my vy oni mě můj tvůj ne ano s do na v od co kdo jak kde kdy proč ale nebo také ahoj dobrý den děkuji prosím',
  tr: 've bir bu şu o ben sen biz siz onlar değil evet hayır ile için ne kim nasıl nerede neden ama veya da merhaba teşekkürler lütfen günaydın kimsin',
  ro: 'și un o este sunt ești eu tu el ea noi voi ei mă meu tău nu da cu pentru în pe de la ce cine cum unde când dar sau bună ziua mulțumesc salut',
  hu: 'a az és egy van vagyok vagy én te ő mi ti ők nem igen mit ki hogyan hol mikor miért de szia jó napot köszönöm kérem',
  id: 'yang dan di ke dari ini itu saya aku kamu anda dia kami kita mereka tidak ya dengan untuk apa siapa bagaimana mana kapan tapi atau halo selamat pagi terima kasih tolong adalah',
  ru: 'и в не на я ты он она мы вы они что это кто как где когда почему да нет с по но или привет здравствуйте спасибо пожалуйста меня тебя мой есть',
  uk: 'і в не на я ти він вона ми ви вони що це хто як де коли чому так ні з але або привіт вітаю дякую прошу мене тебе мій є',
  ca: 'el la els les un una i és són soc ets jo tu ell ella nosaltres no sí amb per a de del que qui què com on quan bon dia gràcies molt però',
};

const LANGUAGES = Object.keys(COMMON_WORDS);

/** The languages of a word, as positions in `LANGUAGES`. */
const languagesOfWord = new Map<string, number[]>();
for (const [place, language] of LANGUAGES.entries()) {
  for (const word of (COMMON_WORDS[language] as string).split(' ')) {
    const places = languagesOfWord.get(word);
    if (places === undefined) languagesOfWord.set(word, [place]);
    else if (!places.includes(place)) places.push(place);
  }
}

interface Statistics {
  detect(text: string): { language: string; isReliable(): boolean; getScores(): Record<string, number> };
}

let statistics: Statistics | undefined;

/**
 * Loaded on first use, because it takes 0.4 s and 75 MB; by `require`, so that detection stays synchronous, as eld names no
 * CommonJS entry.
 */
function loadStatistics(): Statistics {
  const path = fileURLToPath(import.meta.resolve('eld/small'));
  statistics ??= (createRequire(import.meta.url)(path) as { eld: Statistics }).eld;
  return statistics;
}

/** Scripts used by only one common language. */
const SCRIPTS: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Greek}{2}/u, 'el'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Thai}/u, 'th'],
  [/\p{Script=Devanagari}/u, 'hi'],
  [/\p{Script=Armenian}/u, 'hy'],
  [/\p{Script=Georgian}/u, 'ka'],
];

/** How much of a text is examined, in UTF-16 code units. */
export const SAMPLE = 1_000;

/** From this many clear words on, the statistics are not needed. */
const CLEAR_WORDS = 5;
const CLEAR_LEAD = 3;

/**
 * Every character outside ASCII and Latin-1 signs, spaces and punctuation counts as a letter. By its code, as an expression
 * for words takes three times as long.
 */
const isLetter = (code: number): boolean =>
  code < 0x80
    ? (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a
    : code >= 0xc0 && (code < 0x2000 || code > 0x206f) && (code < 0x3000 || code > 0x303f);
/** What joins two parts of a word: an apostrophe, straight or curved, and a hyphen. */
const isJoint = (code: number): boolean => code === 0x27 || code === 0x2019 || code === 0x2d;

function hasLetter(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (isLetter(text.charCodeAt(at))) return true;
  return false;
}

/** The position after the word that begins at `at`. */
function endOfWord(text: string, at: number): number {
  let end = at + 1;
  for (;;) {
    while (isLetter(text.charCodeAt(end))) end++;
    if (!isJoint(text.charCodeAt(end)) || !isLetter(text.charCodeAt(end + 1))) return end;
    end += 2;
  }
}

/**
 * The language of a text as ISO 639-1, or null when it is uncertain because there are too few words. Works for short
 * messages and for English with mistakes. Loading the statistics blocks the thread.
 */
export function detectLanguage(text: string): string | null {
  const sample = text.slice(0, SAMPLE);
  const known = languageByWords(sample);
  if (known !== undefined) return known;
  const { votes, words } = countVotes(sample.toLowerCase());
  const found = loadStatistics().detect(sample);
  const given = LANGUAGES.flatMap((language, place) => {
    const vote = votes[place] as number;
    return vote > 0 ? [[language, vote] as const] : [];
  });
  return weigh(found, new Map(given), words);
}

/** Whether a text has more than ids and figures, such as `order-7f3a9c`, which are of no language. */
const hasWords = (text: string): boolean =>
  text.split(/\s+/).some((part) => hasLetter(part) && (!/\d/.test(part) || /[^ -~]/.test(part)));

/** The language by scripts and common words alone; undefined when the statistics are needed. */
export function languageByWords(text: string): string | null | undefined {
  const sample = text.slice(0, SAMPLE);
  if (!/[a-z]/i.test(sample)) {
    const script = SCRIPTS.find(([letters]) => letters.test(sample));
    if (script !== undefined) return script[1];
  }
  const { votes, words, first, lead } = countVotes(sample.toLowerCase());
  if (words === 0) return null;
  // A text such as "Hello" may have words of one language alone.
  if (lead >= Math.max(1.5, words * 0.15) || votes[first] === words) return LANGUAGES[first] as string;
  return hasWords(sample) ? undefined : null;
}

/** The votes of the text that is counted, kept because making such a list takes longer than counting. */
const VOTES = new Float64Array(LANGUAGES.length);

/** Shares each word's one vote among its languages; `votes` are those of this text until the next one. `lead`: how far the first language is ahead of the second. */
function countVotes(text: string): { votes: Float64Array; words: number; first: number; lead: number } {
  const votes = VOTES.fill(0);
  let words = 0;
  let first = 0;
  for (let index = 0, end = 0; index < text.length; index = end) {
    end = index + 1;
    if (!isLetter(text.charCodeAt(index))) continue;
    end = endOfWord(text, index);
    words++;
    const word = text.slice(index, end);
    const places = languagesOfWord.get(word.includes('’') ? word.replace('’', "'") : word);
    if (places === undefined) continue;
    for (const place of places) {
      votes[place] = (votes[place] as number) + 1 / places.length;
      if ((votes[place] as number) > (votes[first] as number)) first = place;
    }
    if (words >= CLEAR_WORDS && (votes[first] as number) >= CLEAR_LEAD) {
      const lead = leadOf(votes, first);
      if (lead >= CLEAR_LEAD) return { votes, words, first, lead };
    }
  }
  return { votes, words, first, lead: leadOf(votes, first) };
}

function leadOf(votes: Float64Array, first: number): number {
  let second = 0;
  for (let place = 0; place < votes.length; place++) {
    if (place !== first && (votes[place] as number) > second) second = votes[place] as number;
  }
  return (votes[first] as number) - second;
}

/** Combines statistics and votes; a language is certain when its score is good and clearly better than the next. */
function weigh(found: ReturnType<Statistics['detect']>, votes: Map<string, number>, words: number): string | null {
  const scores = new Map(Object.entries(found.getScores()));
  for (const [language, vote] of votes) {
    scores.set(language, (scores.get(language) ?? 0.4) + (0.6 * vote) / Math.min(words, 6));
  }
  const [first, second] = [...scores].sort((a, b) => b[1] - a[1]);
  if (first === undefined) return null;
  const [language, score] = first;
  const lead = score - (second?.[1] ?? 0);
  if (score < 0.55 || lead < 0.03) return null;
  return votes.has(language) || (found.language === language && found.isReliable()) ? language : null;
}
