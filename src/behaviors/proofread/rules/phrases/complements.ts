import { group, type Patterns } from '../pattern.ts';
import { NOT_BE } from './words.ts';

/** What follows a verb, an adjective or a preposition: “to” and a base form, a base form alone, or a form in -ing. */
export const COMPLEMENTS: readonly Patterns[] = [
  group('verb_form', 'Here the verb takes the form “$2”.', [
    `i|you|he|she|we|they|NOUN|PROPN|never|finally|has succeed~ to_*>in_*ing`,
    `${NOT_BE} insist~ to_*>on_*ing`,
    `${NOT_BE} deny~ to_*>*ing`,
    'prevent~|discourage~|dissuade~ me|him|her|us|them|you|people|users|it to_*>from_*ing',
    "you|i|they|we|he|she|n't mind|minds to_*>*ing",
    'look~ forward to *>*ing DET|PRON|with|in|from|at',
    'dislike~|postpone~ to_*>*ing',
    'no point to_*>in_*ing',
    'have|has|had trouble to_{find,understand,get,sleep,hear,see,read,follow,make}>{:ing}',
    'tired|afraid|scared|sick|fond|capable|proud|bored|ashamed of *>*ing $|DET|PRON|ADP|ADV|home',
    'dedicated|devoted|addicted|opposed to_{improve,help,provide,make,work,drink,smoke,play,use,do,have,go,eat,change,build,get,be}>to_{:ing}',
    '^|and|, before|after *>*ing the|a|to|my|your|it|them|in|with|home|for',
  ]),
  group('verb_form', '“$2” is the form that fits here.', [
    "'d|would rather to_*>*",
    "had|'d|have better to_*>*",
    'hear|heard me|him|us|them to_*>*',
    'seem~ be>to_be',
    "would|'d like {invite,ask,know,have,see,buy,go,make,thank,inform,order,book,apply,meet,get,say,tell,talk,speak,visit,change,cancel,return}>to_{} you|DET|PRON|NOUN|for|about|with|if|when|how|what|a",
    'want~|need|needs|needed|hope~|decide~|plan~|refuse~|try~ go>to_go home|out|there|to|back|away|outside|for',
    'allow~|permit~|enable~|force~|invite~|encourage~|persuade~|order~ me|him|us|them *>to_*',
    'ask|asks|asked|asking|told me|him|us|them {come,go,leave,wait,help,do,send,call,bring,take,give,pay,buy,write,sign,check,stay,join,meet,find,make,be,get}>to_{} $|ADP|DET|PRON|ADV|NOUN|home',
    "am|'m|is|are|'re|was|were|not going {be,buy,see,have,make,take,get,tell,ask,try,start,help,call,send,visit,meet,study,learn}>to_{}",
    `is|are|was|were|'m|'re|be|been|not supposed|allowed|forced|required|willing|unable|expected *>to_*`,
    'in order *>to_*',
    "n't|not want *>to_* $|ADP|ADV|DET|PRON|NOUN",
    'would|could|should|might|must have *>*ed you|me|him|her|us|them|it|the|a|this|that',
    'best|easiest|only|fastest|right way *>to_*',
    'know~|learn~|explain~|teach~|show me|him|us|them|you how do>to_do it|this|that|the',
    'know|learn|learned how do>to_do it|this|that|the|my',
    "n't|not know what do>to_do $|,|next|now|about|with",
    '^|, please *ed>* me|us|the|my|your|a|an|it|this|them|him|her|that|if|to',
  ]),
];
