import { group, type Patterns } from '../pattern.ts';

/** Degrees and comparisons: “as … as”, “more … than”, “such a”, adverbs of degree and manner. */
export const COMPARISONS: readonly Patterns[] = [
  group('word_choice', '“$2” is the word that fits here, not “$1”.', [
    'as tall|big|good|old|fast|small|young|expensive|cheap|important|high|long|strong|easy|nice|beautiful|difficult|smart|rich|bad|hard than>as',
    'same NOUN than>as',
    'more|less|fewer NOUN as>than me|him|her|us|them|you|i|he|she|we|they',
    'better|worse|bigger|smaller|older|younger|taller|faster|cheaper|slower|easier as>than me|him|her|us|them|mine|yours|before|yesterday|last|expected',
    'more_easy>easier $|to|than|for|and',
    'more_{big>bigger,small>smaller,fast>faster,cheap>cheaper,old>older,young>younger,strong>stronger,high>higher,tall>taller,short>shorter,rich>richer,happy>happier,heavy>heavier,clean>cleaner,nice>nicer,safe>safer,early>earlier,easy>easier} than',
    'more {slow>slowly,quick>quickly} $',
    '!be|is|are|was|were|been as quick>quickly as possible',
    '{so_a,a_so}>such_a nice|good|big|great|bad|beautiful|long|small|interesting|difficult|lovely|wonderful|terrible NOUN|ADJ',
    '^ the_most>most people|students|men|women|children|users|customers|parents|countries|companies VERB|AUX|in|who|do|like|think',
    'treat~ NOUN|them|us|everyone|people equal>equally',
    'english|german|french|spanish|language|languages fluent>fluently $',
    'english|german|french|spelling|grammar|pronunciation|writing is|was not very|so|that well>good',
    "english|grammar|pronunciation is|was not|n't well>good",
    'how much>many people|persons|friends|times|days|hours|children|guests|students',
    '^|, specially>especially the|in|when|for|if|on|because|at|with',
    'myself|yourself|himself|herself personal>personally $|to|at|in',
    'i|we|they|you very>really like|love|enjoy|want|need|appreciate',
  ]),
];
