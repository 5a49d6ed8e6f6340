import { closed } from '@mailroom/behavior/values/closed';
import { BLANKS, withoutTrailing } from '@mailroom/behavior/values/trailing';
import { Type } from 'typebox';
import { accounting, behindThat, type Clause, placeholder, type Reading, unquote, wording } from '../clause.ts';
import { TaskError, task } from '../task.ts';
import { COURTESY, isCourtesy } from '../words/courtesies.ts';
import { firstWords, INSTRUCTION_LENGTH, KEPT, noteName, spokenName } from './name.ts';

const Input = closed({
  name: Type.String({ minLength: 1, description: 'What the note is called, up to 100 characters, in any case.' }),
  text: Type.String({ description: 'What to remember, up to 8 KiB.' }),
  'append?': Type.Boolean({ description: 'Adds it below what the note has already.' }),
});
const Output = closed({
  result: Type.String({ description: 'A sentence that says it is done.' }),
  name: Type.String({ description: 'The name as it is kept.' }),
  text: Type.String(),
});

const KEEPING_VERBS = [
  'remember|memori[sz]e|note to (?:self|myself)|note for later|note(?: down)?|keep in mind|bear in mind',
  "(?:do not|don['’]t|never) forget",
  '(?:make|take|add|create|write|leave|save|keep|new)(?: me)?(?: down)? (?:a )?(?:(?:new|quick|short|mental) )?(?:note|memo)',
  'jot(?: down)?|write down|save|store|keep|memo|log|record|file|retain|hold on to|take note of',
  '(?:add|put|write|save)(?: (?:this|it|that|these))?(?: down)?(?: (?:in|into|to|on))? (?:my|your|the) (?:notes|notebook)',
  'write (?:this|it|that|these) down',
];
const VERB = new RegExp(
  String.raw`^(?:(?:fyi|also|and|so|ok|okay|now),? )?(?:i(?:['’]d| would)? (?:want|like|need) you to )?(?:${KEEPING_VERBS.join('|')})(?: (this|it|that|these|those) down| down)?(?=$|[\s,])[\s,]*`,
  'i',
);
const NAMED = /^(?:called|named|titled|with the name|under the name) (.{1,120})$/i;
/** "called report with the text …". */
const TEXTED =
  /^(?:called|named|titled|with the name|under the name) (.{1,100}?),? (?:(?:and |with )?(?:the )?(?:text|content|body)(?: of)?|saying|(?:that|which) (?:says|reads)|containing) (.+)$/i;
const PAST = /^(?:when|how|where|why|the (?:time|day)|that (?:time|day|one)(?: when)?) (?:we|you|they|he|she)\b/i;
/** "… as report", "… under the name report". */
const AS = /^(.*?)(?:^| )(?:as|under|by)(?: the name| my| the)? (["'“‘«]?[\p{L}\p{N}][^"”»]{0,100}["'”’»]?)$/iu;
const IS = /^(.{1,100}?)(?:, (?:it|that|this|which|they))?(?: (?:is|are|equals)| ?=) (.+)$/i;
/** Words that say who or that something is, which are no names. */
const PRONOUN =
  /^(?:it|this|that|these|those|there|here|he|she|they|we|you|i|who|what|when|where|why|how|to|if|which)\b/i;
const ITSELF =
  /^(?:it|this|that|these|those|them|this note|the following|the (?:following |last |previous )?(?:result|output|answer|text|value|count|total|sum|average|outcome|product|difference)s?)$/i;
/** Targets of conversions and files, which are no names of notes. */
const FORMAT =
  /^(?:an? )?(?:(?:\w+ )?(?:pdf|csv|json|xml|yaml|html|markdown|image|png|jpe?g|svg|file|zip|base64)|(?:(?:plain|sorted|numbered|bulleted|comma-separated|html|markdown|single|flat) )?(?:text|list|table|string))$/i;
const ONLY_WHERE = /^(?:save|store|keep(?! in mind)|leave|log|record|file|retain|hold)/i;

/** The name and text of a note: "the door code is 4711" names its subject; otherwise the first words are the name. */
function noteOf(plain: string): { readonly name: string; readonly text: string } {
  const quoted = unquote(plain);
  if (quoted !== plain) return { name: firstWords(quoted), text: quoted };
  const line = !plain.includes('\n') && plain.length <= INSTRUCTION_LENGTH;
  const [, about = '', is = ''] = (line && IS.exec(plain)) || [];
  const name = PRONOUN.test(about) || /[,;:.!?] /.test(about) ? '' : spokenName(about);
  return name !== '' ? { name, text: unquote(is) } : { name: firstWords(plain), text: unquote(plain) };
}

/** The words of a note behind the "that" or "to" that links them. */
const linkedTo = (rest: string): string => (/^to (?=\S)/i.test(rest) ? rest.slice(3) : behindThat(rest));

const TO_NOTES =
  /^(?:add|put|write|save|note|store) (?!(?:this|it|that|these)\b)(.+?) (?:in|into|to|on) (?:my|your|the) (?:notes|notebook|memory)$/i;

/** A new value for what people note: "change my door code to 1111", and nothing that other tasks set. */
const CHANGED = new RegExp(
  `^(?:change|update|correct)(?: the note(?: about| on| of)?)? ((?:my|our|the) (?:[\\p{L}'’-]+ ){0,2}${KEPT}) to (.+)$`,
  'iu',
);

/** A mail behind a note, which may be something else to do: "and email it to ann@x.example". */
const SENT_TOO =
  /,? and ((?:then |also )?(?:e-?mail|mail|send|forward|message) (?:it|that|this|them)\b[^"“]{0,60}\S@\S+)$/i;

/** Everything in a note belongs to its text. */
function read(clause: Clause): Reading | undefined {
  const found = noted(clause);
  const sent = found === undefined || clause.data !== undefined ? null : SENT_TOO.exec(clause.text);
  if (sent === null) return accounting(found, clause.text);
  return {
    sure: 0.95,
    ask: `Is “${sent[1]}” something to do, or part of the note? Put the note in quotation marks, or write two lines.`,
    answered: (answer) => answer,
  };
}

function noted(clause: Clause): Reading | undefined {
  const { data, it } = clause;
  const text =
    data === undefined
      ? clause.text.replace(TO_NOTES, 'note $1').replace(CHANGED, 'remember that $1 is $2')
      : clause.text;
  if (text.length > INSTRUCTION_LENGTH) return undefined;
  const verb = VERB.exec(text);
  if (verb === null) return undefined;
  // "Save", "keep" and similar words mean notes only with a name.
  const weak = ONLY_WHERE.test(text) && !/\b(?:notes?|memo|notebook)\b/i.test(verb[0]);
  const words = text.slice(verb[0].length).replace(/^[-–—] /, '');
  const rest = (
    (verb[1] === undefined ? '' : `${verb[1]} `) +
    (isCourtesy(text.slice(withoutTrailing(verb[0], `${BLANKS},`).length)) ? '' : words)
  ).trim();
  // "Remember when we went to Spain" stores nothing.
  if (data === undefined && PAST.test(rest)) return undefined;
  const [, called = '', texted = ''] = TEXTED.exec(rest) ?? [];
  if (spokenName(called) !== '') {
    const said = data === undefined ? unquote(wording(texted, clause)) : `${texted}: ${data}`;
    return { sure: 0.95, input: { name: spokenName(called), text: said } };
  }
  const named = NAMED.exec(rest);
  if (named !== null) {
    const name = spokenName(named[1] as string);
    if (data !== undefined) return { sure: 0.95, input: { name, text: data } };
    return {
      sure: 0.8,
      ask: `What should I remember as ${name}?`,
      answered: (answer) => `remember as ${name}: ${answer}`,
    };
  }
  const as = AS.exec(rest);
  // "That I work as a cook" is no name.
  if (
    as !== null &&
    !FORMAT.test(as[2] as string) &&
    (weak || ITSELF.test((as[1] as string).trim()) || !/^(?:that|to|i|we|he|she|they)\b/i.test(as[1] as string))
  ) {
    const name = spokenName(as[2] as string);
    const what = (as[1] as string).replace(/ (?:in|into|to|on) (?:my|your|the) (?:notes|notebook|memory)$/i, '').trim();
    const quotedName = /^["“«'‘]/.test(as[2] as string);
    // "Dress as a pirate" and "it is under the bridge" name nothing.
    const isNamed =
      quotedName ||
      ITSELF.test(what) ||
      (NAMES.test(rest) && (what === '' || (/\d/.test(what) && !/[\s"“]/.test(what)) || unquote(what) !== what));
    if (data !== undefined && what !== '' && !ITSELF.test(what)) return undefined;
    if (data === undefined && !isNamed && !weak) return noteNamed(rest, what, as[2] as string);
    const content =
      data ??
      (what === '' || ITSELF.test(what)
        ? it === undefined
          ? undefined
          : placeholder(it)
        : unquote(wording(what, clause)));
    const sure = ITSELF.test(what) || what === '' || !weak ? 0.95 : 0.6;
    if (name !== '' && content !== undefined) return { sure, input: { name, text: content } };
    if (name !== '') {
      return {
        sure,
        ask: `What should I remember as ${name}?`,
        answered: (answer) => `remember as ${name}: ${answer}`,
      };
    }
  }
  // "Save this: …" says what is saved.
  if (weak && !(data !== undefined && ITSELF.test(rest))) return undefined;
  if (data === undefined && /^(?:everything|anything|something|nothing|all(?: of (?:it|this|that))?)$/i.test(rest))
    return { sure: 0.9, ask: 'What should I remember?', answered: (answer) => `remember: ${answer}` };
  if (rest === '' || ITSELF.test(rest)) {
    if (data !== undefined) return { sure: 0.95, input: noteOf(data) };
    if (it !== undefined) return { sure: 0.8, input: { name: 'last result', text: placeholder(it) } };
    return { sure: 0.9, ask: 'What should I remember?', answered: (answer) => `remember: ${answer}` };
  }
  if (data !== undefined) {
    const about = rest.replace(/^(?:that|about|for|on) /i, '');
    const name = spokenName(about);
    // "That Bob says: no" is one statement.
    if (/^(?:that|to) /i.test(rest))
      return { sure: 0.9, input: { name: name || firstWords(data), text: `${linkedTo(rest)}: ${data}` } };
    return { sure: about.length <= 100 ? 0.95 : 0.7, input: { name: name || firstWords(data), text: unquote(data) } };
  }
  const lacking = /^(my|the|our) ([\p{L}'’-]+(?: [\p{L}'’-]+){0,2} ?)$/iu.exec(rest);
  if (lacking !== null && !IS.test(rest)) {
    const whose = /my/i.test(lacking[1] as string) ? 'your' : lacking[1];
    return {
      sure: 0.8,
      ask: `What is ${whose} ${lacking[2]}?`,
      answered: (answer) => `remember ${rest}: ${answer}`,
    };
  }
  // "Write a note to my list" says where, and not what.
  if (
    /\b(?:note|memo)\b/i.test(verb[0]) &&
    /^(?:to|for|on|in) (?:my|our|the) [\p{L}'’-]+(?: [\p{L}'’-]+)?$/iu.test(rest)
  )
    return { sure: 0.9, ask: 'What should the note say?', answered: (answer) => `remember: ${answer}` };
  // "Note that …" and "remember me" also occur in ordinary text.
  const { name, text: content } = noteOf(linkedTo(rest));
  return {
    sure: /^(?:me|when|the time|how|what|who|where)\b/i.test(rest) ? 0.5 : 0.9,
    input: { name, text: wording(content, clause) },
  };
}

const NAME_ENDINGS = [
  String.raw`\s+(?:as|under|by)(?: the name| my| the)? [^\n]{1,110}`,
  String.raw`\s+(?:in|into|to|on) (?:my|your|the) (?:notes|notebook|memory)[.!]?`,
  String.raw`[\s,;.!–-]+(?:(?:please|pls|so|and|kindly|can you|could you) )*(?:(?:remember|memori[sz]e|note|keep in mind|don['’]t forget|write down|jot down|save) (?:that|this|it)(?: down)?|(?:keep|bear) (?:that|this|it) in mind)(?: for me| please)*[.!]?`,
];
/** The name of a note, where it is kept, or that it is to be kept. */
const BEHIND = new RegExp(`^["”»'’]?(?:${NAME_ENDINGS.join('|')})$`, 'iu');

const NAMES = / as (?:the name |my |the )?["'“‘«]?[\p{L}\p{N}][^"”»]{0,100}["'”’»]?$/iu;
/** A note that may have a name at its end, as in "the number 555 as office"; "under" and "by" belong to its text. */
function noteNamed(rest: string, what: string, name: string): Reading {
  const whole = linkedTo(rest);
  if (!NAMES.test(rest)) return { sure: 0.9, input: noteOf(whole) };
  return {
    sure: 0.9,
    ask: `Is “${name}” the name of the note, or part of its text? Answer “name” or “text”.`,
    answered: (answer) =>
      /^(?:(?:the |a )?name|y|yes)\b/i.test(answer.trim())
        ? `remember as ${spokenName(name)}: ${what}`
        : /^(?:(?:the |its |part of the |part of its )?text|no?)\b/i.test(answer.trim())
          ? `remember: ${whole}`
          : answer,
  };
}

const IT = '(?:that|this|it)';
const WHERE = '(?:in|into|to|on|among|with) (?:my|your|the) (?:notes?|notebook|memory|records?)';
const KEEP_IT = `(?:(?:remember|memori[sz]e|note|keep|save|store|retain|record|log|file|keep hold of|hold on to|hang on to|(?:make|take|keep) (?:a )?(?:note|record) of|do not forget|don['’]?t forget|keep in mind|(?:write|jot|take|put) down) ${IT}(?: down)?(?: ${WHERE})?|(?:put|add|enter|write|get) ${IT}(?: down)? ${WHERE}|(?:write|jot|take|put|get) ${IT} down(?: ${WHERE})?|(?:keep|bear) ${IT} in mind)`;
const SOFT = '(?:(?:and|so|please|pls|plz|kindly|can you|could you|would you|will you),? )*';
/** What is known, and that it is to be kept. */
const STATED = new RegExp(
  `^(.{3,500}?)(?:[,;.!]{1,3} | [-–—] |[.!,]?\\n)\\s{0,3}${SOFT}${KEEP_IT}(?:,? ${COURTESY})*[.!?]*$`,
  'is',
);
/** Why something is to be kept, and what. */
const TO_KEEP = new RegExp(
  `^([^\\d:]{3,120}?)[,.!;] ${SOFT}${KEEP_IT}(?: for (?:me|us|later))*:\\s+(\\S.{2,500})$`,
  'is',
);
const NO_NOTE = /^(?:i|we) (?:do not|don['’]?t) (?:forget|want|need)|\?$/i;
const FOR_RECORD =
  /^(?:(?:nb|n\.b\.|fyi|for the record|(?:so )?(?:that )?(?:i|we) (?:do not|don['’]?t|won['’]?t) forget)[,:]? )+/i;

/** The note that a message states first: "my locker is 212. Save that, please". `isDone`: whether an instruction is clear. */
export function statedIn(text: string, isDone: (text: string) => boolean): string | undefined {
  if (text.length > 700) return undefined;
  const [, why = '', kept = ''] = TO_KEEP.exec(text) ?? [];
  const stated = kept === '' ? (STATED.exec(text)?.[1] ?? '').replace(FOR_RECORD, '') : kept;
  const isNote = stated !== '' && !NO_NOTE.test(stated) && !isDone(kept === '' ? stated : why);
  return isNote ? `remember that ${stated}` : undefined;
}

const MAX_SHOWN = 200;

/** Stores a text under a name, for this sender in this mailbox. */
export const remember = task({
  name: 'remember',
  description:
    'Remembers a text under a name, to be recalled in later messages. A name that is known gets the new text.',
  input: Input,
  output: Output,
  effects: 'writes',
  words: { input: 'text', behind: BEHIND },
  repeatable: true,
  examples: ['remember that the door code is 4711', 'note: call Ann back', 'remember my shoe size: 42'],
  read,
  async run(input, { notes }) {
    const name = noteName(input.name);
    if (name === '') throw new TaskError('The note needs a name.');
    if (input.text.trim() === '') throw new TaskError(`There is nothing to remember as “${name}”: its text is empty.`);
    const before = input.append === true ? await notes.get(name) : undefined;
    const text = before === undefined ? input.text : `${before.text}\n${input.text}`;
    await notes.put(name, text);
    return { result: `I will remember “${name}”.`, name, text };
  },
  says: ({ name, text, append }) => ({
    does: append === true ? `Add to the note “${name}”` : `Remember as “${name}”`,
    text,
  }),
  show: ({ result, text }) => (text.length > MAX_SHOWN ? result : `${result.slice(0, -1)}: ${text}`),
});
