import { group, type Patterns } from '../pattern.ts';
import { OBJECT } from './words.ts';

/** Verb forms in fixed phrases. */
export const VERBS: readonly Patterns[] = [
  group('verb_form', '“$2” is the form that fits here.', [
    'said>told me|us|him|her|them that|to|the|a|he|she|they|i|we|you|it',
    'i|he|she|we|they told>said that PRON|DET',
    "please|can|could|you|will|would|to|pls|not|n't borrow>lend me|us|him|them",
    'learn>teach me|us|him|them',
    'says>tells me|us|him|them that|to',
    'locates|locate>is_located in|at|on|near',
    'please found>find enclosed|attached|my|the|a|our|below|here|in',
    'hope|hopes this|the|my|that NOUN finds|find you good>well',
    `wanted|want|wants|need|needed|have|had|able|please|can|will|could|should to|you|we|i {followup>follow_up,signup>sign_up,login>log_in,logout>log_out,setup>set_up,backup>back_up,checkout>check_out,cleanup>clean_up} ${OBJECT}|NOUN|with|about|to|in|on`,
    'find|finds you good>well $',
    'was|were|is|are sit>sitting on|in|at|there|next|down',
    'was|were|is|are stand>standing on|in|at|there|next|near',
    'be|is|are|was close>closed on monday|tuesday|wednesday|thursday|friday|saturday|sunday|mondays|sundays|saturdays',
    'be close>closed until|tomorrow|from',
    '^ having work>worked in NUM|several|many|different|various',
    '^|,|but|because|and|so its_depend>it_depends on|of',
    'have|has|had raised>risen by NUM %|percent|per|$',
    'lead|leads|led to worst>worse NOUN',
    'much|getting|gets|got|become|becomes|became worst>worse $|than|and',
    'meet|meeting|talk|speak you|him|her|them|us personal>in_person $',
    'want|wanted|like|love|hope|forward to|meet|meeting you|him|her|them|us personal>in_person $',
    'NOUN|he|she|i|we|they laid>lay down beside|besides|next|on|near|under|in|$',
  ]),
  group('grammar', 'What exists is said with “there is”.', [
    '^|, it_is>there_is no doubt that|about',
    '^|, it_is>there_is no way|reason|need|chance|problem|evidence',
    '^ it_exists|it_exist>there_is a|an|no|another|NOUN',
    '^ it_exists|it_exist>there_is ADJ NOUN',
    '^ it_exists|it_exist>there_are many|several|two|three|some|different',
  ]),
];
