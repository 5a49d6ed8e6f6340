import { quotationsIn } from '@mailroom/english-instructions/language/quotations';

/** A message whose language is not English gets the answer in its own: what works is English and structured steps. */
interface Language {
  /** Words of instructions that English does not have, by which a language in Latin letters is known. */
  readonly words?: string;
  /** Letters that only this language has among those listed, or its script. */
  readonly letters?: RegExp;
  /** That only English is understood, what works in any language, and that nothing was done, separated by `|`. */
  readonly answer: string;
}

const ENGLISH = '`remind me tomorrow at 9 to call Ann`, `what is 15% of 80`';
const STEPS = '`{"steps": [{"task": "calculate", "input": {"expression": "15% of 80"}}]}`';

const LANGUAGES: readonly Language[] = Object.values({
  de: {
    words:
      'erinnere mich morgen heute bitte wie wieviel viel ist sind sortiere liste rechne berechne konvertiere wandle sende schicke schreibe zeige merke vergiss für und oder nicht der das dem des eine einen einem uhr von zum zur über mir welche welcher wann warum kannst du ich auf mit nach wort wörter zähle lösche spät übersetze diese diesen dieser meine meinen gib',
    letters: /ß/,
    answer:
      'Ich verstehe Anweisungen nur auf Englisch, zum Beispiel|In jeder Sprache gehen fertige Schritte in den Daten der Nachricht (`data`):|Es wurde nichts getan.',
  },
  fr: {
    words:
      "rappelle rappelez moi en demain aujourd'hui combien fait est sont trie triez cette ce ces liste calcule calculez convertis convertir envoie envoyez bonjour montre quelle quel quelles heure pour avec dans les des une le la du et ou pas à mon ma mes s'il vous plaît peux tu je fois mots compte supprime souviens oublie écris",
    answer:
      "Je ne comprends que les instructions en anglais, par exemple|Dans toute langue, des étapes structurées fonctionnent dans les données du message (`data`) :|Rien n'a été fait.",
  },
  es: {
    words:
      'recuérdame recuerda en mañana hoy cuánto cuánta cuántos cuántas ordena esta este lista calcula convierte envía envíale hola muestra qué hora para con los las una el del por puedes mis llamar ciento millas veces palabras cuenta borra olvida escribe cuál dónde cuándo es',
    letters: /[¿¡ñ]/i,
    answer:
      'Solo entiendo instrucciones en inglés, por ejemplo|En cualquier idioma funcionan los pasos estructurados en los datos del mensaje (`data`):|No se ha hecho nada.',
  },
  it: {
    words:
      'ricordami domani oggi quanto quanta quanti fa ordina questa questo lista calcola converti invia manda ciao mostra che ora ore con gli una il lo della del e alle di favore puoi mio mia chiamare volte parole conta cancella dimentica scrivi sono qual dove quando è',
    answer:
      'Capisco solo istruzioni in inglese, per esempio|In ogni lingua funzionano i passi strutturati nei dati del messaggio (`data`):|Non è stato fatto nulla.',
  },
  pt: {
    words:
      'lembre lembra-me lembre-me amanhã hoje quanto quantos quantas ordene ordena esta este lista calcule calcula converta converte envie envia olá mostre que horas para com os uma um da e às por pode meu minha ligar vezes palavras conte apague esqueça escreva são qual onde quando é',
    letters: /[ãõ]/i,
    answer:
      'Só entendo instruções em inglês, por exemplo|Em qualquer idioma funcionam passos estruturados nos dados da mensagem (`data`):|Nada foi feito.',
  },
  nl: {
    words:
      'herinner mij morgen vandaag hoeveel hoe laat sorteer deze dit lijst bereken reken zet stuur verstuur hallo toon zien wat welke uur voor het een van en aan de om te mijn bellen keer woorden tel verwijder vergeet schrijf zijn wanneer waar kun je alsjeblieft naar',
    answer:
      'Ik begrijp alleen opdrachten in het Engels, bijvoorbeeld|In elke taal werken gestructureerde stappen in de gegevens van het bericht (`data`):|Er is niets gedaan.',
  },
  pl: {
    words:
      'przypomnij jutro dzisiaj dziś ile jest posortuj tę listę oblicz policz przelicz zamień wyślij cześć pokaż która godzina dla z na żeby proszę moje mój zadzwonić razy słowa usuń zapomnij napisz są jaki jaka gdzie kiedy',
    letters: /[łżźćśęą]/i,
    answer:
      'Rozumiem tylko polecenia po angielsku, na przykład|W każdym języku działają ustrukturyzowane kroki w danych wiadomości (`data`):|Nic nie zostało zrobione.',
  },
  sv: {
    words:
      'påminn mig imorgon idag hur mycket många är sortera denna den här listan beräkna räkna konvertera skicka hej vad vilken klockan för med och att en ett av snälla mitt ringa gånger ord ta bort glöm skriv var när',
    letters: /å/i,
    answer:
      'Jag förstår bara instruktioner på engelska, till exempel|På alla språk fungerar strukturerade steg i meddelandets data (`data`):|Inget har gjorts.',
  },
  tr: {
    words:
      'yarın bugün bana hatırlat saat kaç nedir sırala bu listeyi hesapla çevir dönüştür gönder merhaba göster için ile ve bir lütfen kelime sil unut yaz nerede zaman kadar eder',
    letters: /[ığş]/,
    answer:
      'Yalnızca İngilizce talimatları anlıyorum, örneğin|Her dilde, iletinin verisindeki (`data`) yapılandırılmış adımlar çalışır:|Hiçbir şey yapılmadı.',
  },
  ja: {
    letters: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
    answer:
      '英語の指示だけを理解します。例：|どの言語でも、メッセージのデータ（`data`）に構造化した手順を書けば動きます：|何も実行していません。',
  },
  zh: {
    letters: /\p{Script=Han}/u,
    answer: '我只能理解英文指令，例如|任何语言都可以在消息的数据（`data`）中使用结构化步骤：|尚未执行任何操作。',
  },
  ko: {
    letters: /\p{Script=Hangul}/u,
    answer:
      '영어로 된 지시만 이해합니다. 예:|어떤 언어에서든 메시지 데이터(`data`)에 구조화된 단계를 쓰면 동작합니다:|아무것도 실행하지 않았습니다.',
  },
  uk: {
    letters: /[іїєґ]/i,
    answer:
      'Я розумію вказівки лише англійською, наприклад|Будь-якою мовою працюють структуровані кроки в даних повідомлення (`data`):|Нічого не зроблено.',
  },
  ru: {
    letters: /\p{Script=Cyrillic}/u,
    answer:
      'Я понимаю указания только на английском, например|На любом языке работают структурированные шаги в данных сообщения (`data`):|Ничего не сделано.',
  },
  ar: {
    letters: /\p{Script=Arabic}/u,
    answer:
      'أفهم التعليمات بالإنجليزية فقط، مثل|وتعمل بأي لغة الخطوات المنظمة في بيانات الرسالة (`data`):|لم يُنفَّذ أي شيء.',
  },
  hi: {
    letters: /\p{Script=Devanagari}/u,
    answer:
      'मैं केवल अंग्रेज़ी के निर्देश समझता हूँ, जैसे|किसी भी भाषा में संदेश के डेटा (`data`) में संरचित चरण काम करते हैं:|कुछ भी नहीं किया गया।',
  },
});

const WORDS: ReadonlyMap<string, readonly Language[]> = (() => {
  const found = new Map<string, Language[]>();
  for (const language of LANGUAGES)
    for (const word of language.words?.split(' ') ?? []) found.set(word, [...(found.get(word) ?? []), language]);
  return found;
})();
/** English words of instructions, among which one of another language is a name or a text. */
const OF_ENGLISH = new Set(
  'the a an of in to me my is are what how many much please and with for from by at on it this that convert remind send tell sort count calculate translate into who'.split(
    ' ',
  ),
);
const MAX_TEXT = 1_000;
const MAX_WORDS = 60;
const SHARE = 0.34;

/** The text without what is quoted, addresses and URLs, which may be in any language. */
function ownWords(text: string): string {
  let plain = '';
  let done = 0;
  for (const [from, to] of quotationsIn(text)) {
    plain += `${text.slice(done, from)} `;
    done = to;
  }
  const words = (plain + text.slice(done)).split(/\s/);
  return words.filter((word) => !word.includes('@') && !word.includes('://')).join(' ');
}

/** The language in which the words of a text are, where that is not English. */
function languageOf(text: string): Language | undefined {
  const plain = ownWords(text.slice(0, MAX_TEXT));
  const letters = plain.match(/\p{L}/gu)?.length ?? 0;
  const latin = plain.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (letters > 0 && latin < letters / 2)
    return LANGUAGES.find((one) => one.words === undefined && one.letters?.test(plain));
  const words = (plain.toLowerCase().match(/\p{L}+(?:['’-]\p{L}+)*/gu) ?? []).slice(0, MAX_WORDS);
  const forms = words.flatMap((word) =>
    word.includes('-') ? [word, ...word.split('-')] : [word.replace(/^[dl]['’]/, '')],
  );
  const scores = new Map<Language, number>();
  for (const word of forms) for (const one of WORDS.get(word) ?? []) scores.set(one, (scores.get(one) ?? 0) + 1);
  for (const one of LANGUAGES)
    if (one.words !== undefined && one.letters?.test(plain)) scores.set(one, (scores.get(one) ?? 0) + 1);
  // A verb of the language at the beginning says most.
  for (const one of WORDS.get(forms[0] ?? '') ?? []) scores.set(one, (scores.get(one) ?? 0) + 1);
  const english = forms.filter((word) => OF_ENGLISH.has(word)).length;
  const [best] = [...scores].sort((a, b) => b[1] - a[1]);
  if (best === undefined || best[1] <= english || best[1] < 2) return undefined;
  return best[1] / words.length >= SHARE ? best[0] : undefined;
}

/** The question about an instruction in another language, in that language: what works; undefined for English. */
export function questionInLanguage(text: string): string | undefined {
  const language = languageOf(text);
  if (language === undefined) return undefined;
  const [english, steps, nothing] = language.answer.split('|');
  return [`${english} ${ENGLISH}.`, `${steps} ${STEPS}`, nothing].join('\n\n');
}
