import { CHANNELS } from '@mailroom/behavior/message';
import { isOutside } from '@mailroom/behavior/values/address';
import { AppError, type FieldError } from '@mailroom/behavior/values/error';
import { Type } from 'typebox';
import { ARRIVAL_FINDINGS } from './finding.ts';
import { checkLabels, LabelName, MAX_LABELS } from './label.ts';
import { MAX_ENTRY, parseEntry, showEntry } from './sender-lists.ts';

const MAX_RULES = 50;
/** Texts or entries of one condition. */
const MAX_TEXTS = 20;
/**
 * UTF-16 units of a text that is looked for. The search of V8 is linear in the text that is searched: a pattern of fewer
 * than 7 units costs at most its length a unit, a longer one falls back to Boyer-Moore, whose shifts cover 250 units.
 */
const MAX_PATTERN = 200;
/** Texts that all rules of a mailbox look for, which bounds the time that a message takes. */
const MAX_PATTERNS = 100;
/** Bytes of all rules of a mailbox as JSON. */
const MAX_BYTES = 64 * 1024;

const oneOrMore = <T extends Parameters<typeof Type.Array>[0]>(schema: T, description: string) =>
  Type.Optional(
    Type.Union([schema, Type.Array(schema, { minItems: 1, maxItems: MAX_TEXTS })], {
      description: `${description} A list of up to ${MAX_TEXTS}, of which one is enough, or one alone; shown as a list.`,
    }),
  );
const Entry = Type.String({ minLength: 1, maxLength: MAX_ENTRY });
const Pattern = Type.String({ minLength: 1, maxLength: MAX_PATTERN, pattern: '\\S' });
const Conditions = Type.Object(
  {
    from: oneOrMore(Entry, 'Its sender: an address, `*@` and a domain, or a namespace.'),
    to: oneOrMore(Entry, 'One of its To or Cc, or the address that got it: entries as in `from`.'),
    subject: oneOrMore(Pattern, 'The subject contains this text, without case.'),
    body: oneOrMore(Pattern, 'The body contains this text, without case.'),
    has: Type.Optional(Type.Literal('attachment', { description: 'It has a file.' })),
    finding: oneOrMore(Type.Enum([...ARRIVAL_FINDINGS]), 'A finding of this kind was made in it.'),
    verified: Type.Optional(
      Type.Boolean({
        description:
          'Whether its sender is proven: of a mail by SPF, DKIM and DMARC; a key and a mailbox here are, a guest is not.',
      }),
    ),
    channel: oneOrMore(Type.Enum([...CHANNELS]), 'How it came.'),
    label: oneOrMore(LabelName, 'It has this label, by the service on arrival or by an earlier rule.'),
  },
  { additionalProperties: false, description: 'All conditions must hold; without any the rule applies to everything.' },
);
const Actions = Type.Object(
  {
    label: Type.Optional(
      Type.Array(LabelName, { minItems: 1, maxItems: MAX_LABELS, uniqueItems: true, description: 'Labels to add.' }),
    ),
    forward_to: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: MAX_ENTRY,
        description:
          'An address, here or outside. One outside gets nothing before it has confirmed by the link in a mail that it is sent.',
        examples: ['ada@example.com'],
      }),
    ),
    assign: Type.Optional(
      Type.String({
        pattern: '^(?:acc|mbx)_[0-9a-hjkmnp-tv-z]{20}$',
        description:
          'The id of a member who reads the mailbox, who takes care of the conversation unless another does. Of several rules the first one counts.',
        examples: ['acc_0d8m3xk2q5v7w9y1a3c0'],
      }),
    ),
    review: Type.Optional(Type.Literal(true, { description: 'Its answer waits for a review.' })),
    answer: Type.Optional(
      Type.Literal(false, { description: 'Nothing answers it: `completed`, with `not_answered: "rule"`.' }),
    ),
    done: Type.Optional(Type.Literal(true, { description: 'No later rule is looked at.' })),
  },
  { additionalProperties: false, minProperties: 1 },
);
const RuleId = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,39}$',
  description: '1 to 40 of a-z, 0-9, _ and -, once in the list. It is on the messages to which the rule applied.',
  examples: ['invoices'],
});
const NewRule = Type.Object(
  { id: RuleId, if: Conditions, then: Actions },
  { $id: 'NewRule', additionalProperties: false },
);
export type NewRule = Type.Static<typeof NewRule>;
/** Rules as they are given; a list replaces the one before. */
export const RuleList = Type.Array(NewRule, {
  maxItems: MAX_RULES,
  description: `Up to ${MAX_RULES} rules, looked at in their order as a message arrives, before it is handled. They are replaced as a whole; [] removes them. Those with \`forward_to\` are set by a key with \`messages:read\` too that does not expire.`,
});
export const RulesView = Type.Array(
  Type.Object(
    {
      ...NewRule.properties,
      forward_confirmed: Type.Optional(
        Type.Boolean({
          description:
            'Of a rule that forwards to an address outside: whether it has confirmed. Until then nothing is forwarded.',
        }),
      ),
      forward_stopped: Type.Optional(
        Type.Literal(true, {
          description:
            'Of a rule that forwards: the key by which it does was revoked, or may not read the messages any more. Save the rules again, by another key.',
        }),
      ),
    },
    { $id: 'Rule' },
  ),
);
export type RulesView = Type.Static<typeof RulesView>;

type Names = 'from' | 'to' | 'subject' | 'body' | 'finding' | 'channel' | 'label';
/** Conditions as they are stored: entries without the mail domain, texts in lower case for the comparison only. */
export type RuleConditions = { readonly [name in Names]?: readonly string[] } & {
  readonly has?: 'attachment';
  readonly verified?: boolean;
};

/** What a rule does. `forward_to` is stored without the mail domain. */
interface RuleActions {
  readonly label?: readonly string[];
  readonly forward_to?: string;
  readonly assign?: string;
  readonly review?: true;
  readonly answer?: false;
  readonly done?: true;
}

export interface Rule {
  readonly id: string;
  readonly if: RuleConditions;
  readonly then: RuleActions;
}

/** The rules of a mailbox, as they are stored. */
export interface MailboxRules {
  readonly items: readonly Rule[];
  /** The key by which they forward; undefined where none does. */
  readonly key_id?: string;
}

/** Where the rules forward to, each address once. */
export const forwardTargets = (rules: readonly Rule[]): readonly string[] => [
  ...new Set(rules.flatMap(({ then }) => then.forward_to ?? [])),
];

const LISTS = ['from', 'to', 'subject', 'body', 'finding', 'channel', 'label'] as const;

/**
 * The rules as they are stored; `own` is the stored address of their mailbox. AppError `validation_error` that names each
 * fault with its pointer.
 */
export function parseRules(given: readonly NewRule[], mailDomain: string, own: string): readonly Rule[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  const parsed = given.map((rule, index): Rule => {
    const pointer = `/rules/${index}`;
    const fault: Fault = (place, message) => void errors.push({ pointer: `${pointer}${place}`, message });
    if (seen.has(rule.id)) fault('/id', `Another rule has the id "${rule.id}". Each rule has its own.`);
    seen.add(rule.id);
    return {
      id: rule.id,
      if: parseConditions(rule.if, mailDomain, fault),
      then: parseActions(rule.then, { mailDomain, own }, fault),
    };
  });
  const patterns = parsed.reduce((sum, { if: { subject = [], body = [] } }) => sum + subject.length + body.length, 0);
  if (patterns > MAX_PATTERNS)
    errors.push({
      pointer: '/rules',
      message: `These rules look for ${patterns} texts in subject and body; ${MAX_PATTERNS} are allowed in all. Use fewer.`,
    });
  const bytes = Buffer.byteLength(JSON.stringify(parsed));
  if (bytes > MAX_BYTES)
    errors.push({ pointer: '/rules', message: `These rules have ${bytes} bytes as JSON; ${MAX_BYTES} are allowed.` });
  const [first] = errors;
  if (first === undefined) return parsed;
  throw new AppError('validation_error', `${first.pointer}: ${first.message}`, { errors });
}

type Fault = (place: string, message: string) => void;

function parseConditions(given: NewRule['if'], mailDomain: string, fault: Fault): RuleConditions {
  const lists: { [name in Names]?: readonly string[] } = {};
  for (const name of LISTS) {
    const field = given[name];
    if (field === undefined) continue;
    const texts: readonly string[] = Array.isArray(field) ? field : [field];
    if (name !== 'from' && name !== 'to') {
      lists[name] = [...new Set(texts)];
      continue;
    }
    const entries = texts.map((text, at) => {
      const entry = parseEntry(text, mailDomain);
      if (typeof entry === 'string') return entry;
      fault(`/if/${name}${Array.isArray(field) ? `/${at}` : ''}`, entry.message);
      return '';
    });
    lists[name] = [...new Set(entries)];
  }
  return {
    ...lists,
    ...(given.has !== undefined && { has: given.has }),
    ...(given.verified !== undefined && { verified: given.verified }),
  };
}

function parseActions(
  { label, forward_to, assign, review, answer, done }: NewRule['then'],
  { mailDomain, own }: { readonly mailDomain: string; readonly own: string },
  fault: Fault,
): RuleActions {
  if (label !== undefined) {
    const place = label.indexOf('unread');
    if (place >= 0) fault(`/then/label/${place}`, 'Every message that arrives is unread. Leave this label out.');
    try {
      checkLabels(label, '/then/label');
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      for (const { pointer, message } of error.errors ?? []) fault(pointer, message);
    }
  }
  const target = forward_to === undefined ? undefined : parseTarget(forward_to, mailDomain, own, fault);
  return {
    ...(label !== undefined && { label }),
    ...(target !== undefined && { forward_to: target }),
    ...(assign !== undefined && { assign }),
    ...(review === true && { review }),
    ...(answer === false && { answer }),
    ...(done === true && { done }),
  };
}

function parseTarget(text: string, mailDomain: string, own: string, fault: Fault): string {
  const target = text.includes('@') && !text.trim().startsWith('*') ? parseEntry(text, mailDomain) : undefined;
  if (target === undefined)
    fault('/then/forward_to', `This is not an address. Write one, such as ada@example.com or ada@acme.${mailDomain}.`);
  else if (typeof target !== 'string') fault('/then/forward_to', target.message);
  else if (target === own)
    fault('/then/forward_to', 'A mailbox cannot forward to itself. Name another address, or leave forward_to out.');
  else return target;
  return '';
}

/** What is known of the forwards of a mailbox. */
export interface ForwardState {
  /** The addresses outside that have confirmed. */
  readonly confirmed: ReadonlySet<string>;
  /** The key by which its rules forward may not any more. */
  readonly stopped: boolean;
}

/** The rules as they are shown; without `state` nothing is said of their forwards. */
export const showRules = (items: readonly Rule[], mailDomain: string, state?: ForwardState): RulesView =>
  items.map(({ id, if: conditions, then }) => {
    const { from, to, ...rest } = conditions;
    const { forward_to, ...actions } = then;
    const whole = (entries: readonly string[]): string[] => entries.map((entry) => showEntry(entry, mailDomain));
    return {
      id,
      if: { ...(from && { from: whole(from) }), ...(to && { to: whole(to) }), ...rest } as RulesView[number]['if'],
      then: {
        ...actions,
        ...(forward_to !== undefined && { forward_to: showEntry(forward_to, mailDomain) }),
      } as RulesView[number]['then'],
      ...(state !== undefined &&
        forward_to !== undefined && {
          ...(isOutside(forward_to) && { forward_confirmed: state.confirmed.has(forward_to) }),
          ...(state.stopped && { forward_stopped: true as const }),
        }),
    };
  });
