/** Words of sums and lengths of time in German, French, Spanish, Italian, Portuguese, Dutch and Polish, by what they mean in English. */
const WORDS: Readonly<Record<string, string>> = {
  'what is':
    'wie viel ist|wieviel ist|wie viel sind|wieviel sind|was ist|was sind|was ergibt|wie viel macht|wieviel macht|berechne|rechne|combien font|combien fait|combien vaut|calcule|calculez|cuánto es|cuanto es|cuánto son|cuanto son|cuántos son|calcula|quanto fa|quanto è|quanto fanno|quanto é|quanto dá|quanto são|calcola|calcule|hoeveel is|wat is|bereken|ile to jest|ile jest|ile to|oblicz',
  '': "bitte|zusammen|s ' il vous plaît|s ' il te plaît|en tout|por favor|en total|per favore|in tutto|alsjeblieft|samen|proszę|razem",
  '%': 'prozent|pour cent|pourcent|por ciento|per cento|por cento|procent',
  of: 'von|vom|de|del|di|van|z',
  '+': 'plus|und|et|más|mas|più|piu|e|mais|en|y',
  '-': 'minus|weniger|moins|menos|meno|min',
  '*': 'mal|fois|por|per|vezes|keer|maal|razy|multiplié par|multipliziert mit|multiplicado por|moltiplicato per',
  '/': 'geteilt durch|durch|divisé par|dividido por|dividido entre|diviso|diviso per|gedeeld door|podzielić przez|podzielone przez',
  'how many': 'wie viele|wieviele|combien de|cuántos|cuantos|cuántas|cuantas|quanti|quante|quantos|quantas|hoeveel|ile',
  'are in':
    'sind in|hat|gibt es in|il y a dans|il y a en|hay en|ci sono in|sono in|há em|tem|zitten in|zitten er in|er in|jest w|ma',
  seconds: 'sekunden|secondes|segundos|secondi|seconden|sekund',
  minutes: 'minuten|minutes|minutos|minuti|minut',
  hours: 'stunden|heures|horas|ore|uur|uren|godzin|godzinach|godziny',
  days: 'tage|tagen|jours|días|dias|giorni|dagen|dni|dniach',
  day: 'tag|jour|día|dia|giorno|dag|dzień|dobę',
  week: 'woche|semaine|semana|settimana|week|tydzień',
  hour: 'stunde|heure|hora|ora|godzina',
  weeks: 'wochen|semaines|semanas|settimane|weken|tygodni|tygodniach',
  '1': 'ein|un|eine|einer|einem|une|una|uma|één',
  '2': 'zwei|deux|dos|due|dois|duas|twee|dwie|dwóch',
  '3': 'drei|trois|tres|tre|três|drie|trzy|trzech',
  '4': 'vier|quatre|cuatro|quattro|quatro|cztery|czterech',
  '5': 'fünf|cinq|cinco|cinque|vijf|pięć|pięciu',
  '10': 'zehn|dix|diez|dieci|dez|tien|dziesięć|dziesięciu',
  'square root of':
    'wurzel aus|die wurzel aus|quadratwurzel aus|die quadratwurzel von|wurzel von|racine carrée de|la racine carrée de|raíz cuadrada de|la raíz cuadrada de|radice quadrata di|la radice quadrata di|raiz quadrada de|a raiz quadrada de|de wortel van|wortel van',
};
const MEANINGS: ReadonlyMap<string, string> = new Map(
  Object.entries(WORDS).flatMap(([english, words]) => words.split('|').map((word) => [word, english])),
);
const MOST_WORDS = Math.max(...[...MEANINGS.keys()].map((words) => words.split(' ').length));
const MAX_TOKENS = 60;
const SIGN = /^(?:[-+*/×÷x%()^=:]|\d+(?:[.,]\d+)*)$/;

/** A number whose comma separates its decimals; undefined where a point may separate thousands or decimals. */
function figureOf(text: string): string | undefined {
  if (/^\d+(?:,\d+)?$/.test(text)) return text.replace(',', '.');
  if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(text)) return text.replaceAll('.', '').replace(',', '.');
  return /^\d+\.\d+$/.test(text) && !/\.\d{3}$/.test(text) ? text : undefined;
}

/**
 * An arithmetic question in one of these languages in English: "Wie viel ist 15% von 80?" is
 * "what is 15 % of 80". Undefined where any word of it is another.
 */
export function sumInEnglish(text: string): string | undefined {
  const tokens = text.toLowerCase().match(/\d+(?:[.,]\d+)*|\p{L}+|[^\s\p{L}\d]/gu) ?? [];
  while (/^[?.!:¿]$/.test(tokens.at(-1) ?? '')) tokens.pop();
  if (tokens[0] === '¿') tokens.shift();
  if (tokens.length > MAX_TOKENS) return undefined;
  const english: string[] = [];
  let foreign = 0;
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index] as string;
    const sign = SIGN.test(token) ? (/^\d/.test(token) ? figureOf(token) : token) : undefined;
    if (sign !== undefined) {
      english.push(sign);
      // No English number is written so.
      if (token.includes('.') && token.includes(',')) foreign++;
      index++;
      continue;
    }
    const length = Array.from({ length: MOST_WORDS }, (_, less) => MOST_WORDS - less).find((count) =>
      MEANINGS.has(tokens.slice(index, index + count).join(' ')),
    );
    if (length === undefined) return undefined;
    english.push(MEANINGS.get(tokens.slice(index, index + length).join(' ')) as string);
    foreign++;
    index += length;
  }
  return foreign > 0 && english.some((one) => /^\d/.test(one))
    ? english.filter((one) => one !== '').join(' ')
    : undefined;
}
