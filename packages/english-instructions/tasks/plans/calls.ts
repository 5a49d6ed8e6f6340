/** What a reminder is called; a timer and an alarm have texts of their own. */
const NOUN =
  '(?:(?:an?|the|another|this|my) )?(?:(?:new|quick|little|short|gentle|friendly|daily|weekly|monthly|yearly|regular|repeating|recurring) )*(?:reminder|nudge|heads[- ]?up|shout|ping|buzz|prod|alarm|timer)';
const VERBS = '(?:remind|nag|ping|nudge|alert|notify|poke|prod|prompt|buzz|warn)';
/** Slips in "remind", which nothing else begins with. */
const SLIPS = '(?:rmd|rmnd|rmind|remnd|remid|rimind|reming|remmind|remined|remimd|remaind|remindd)';
const HEADS = [
  `(?:${VERBS}|${SLIPS}) (?:me|us|myself)`,
  `(?:(?:set|start|create|add|make|put in|schedule)(?: (?:me|us))?|(?:give|send|drop|get|put|sign) (?:me|us))(?: up| down)?(?: with| for)? ${NOUN}`,
  "(?:do not|don['’]?t|never) let me forget",
  'wake me(?: up)?',
  `(?:i|we)(?:['’]d| would|['’]ll| will)? ?(?:(?:really |kindly )?(?:need|want|like|love|appreciate)) (?:(?:to (?:get|have|receive|be given) )?${NOUN}|to be reminded|reminding)`,
  `(?:can|could|may|might) (?:i|we) (?:please )?(?:(?:get|have) ${NOUN}|be reminded)`,
  `(?:please )?be reminded|${NOUN}|make sure (?:that )?i(?= )`,
  'tell me(?= to .)',
];
/** How people ask to be reminded, without when and of what. */
export const CALL = `(?:${HEADS.join('|')})(?: again| for me| please| pls| of (?:it|this|that)(?! ))*`;

/** Of which "let me know" asks only where a time follows. */
export const LET_KNOW = /^let (?:me|us) know (?=(?:on|at|in|by|tomorrow|tonight|today|every|each|next|this|\d)\b)/i;
