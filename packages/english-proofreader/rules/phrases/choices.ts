import type { Phrases } from '../pattern.ts';

/** Words that are said together. */
export const CHOICES: readonly Phrases[] = [
  {
    id: 'said-with',
    kind: 'confused_word',
    why: 'With $0 “$2” is said, not “$1”.',
    fixes: { 'He said a joke.': 'He told a joke.', "Let's make a photo.": "Let's take a photo." },
    leaves: ['He made a hole in the wall with more time than we had.', 'We have had it up to here.'],
    lines: [
      'make~|do~>take~ a|some|many|more|photos|the|nice|beautiful photo|photos|selfie|selfies $|of|with|and|from|in',
      'make~>do~ my|your|his|her|their|our|the|some|an|sport|sports|exercise|yoga|business|research homework|internship|$|and|every|with|in|on',
      '{said>told,say>tell,says>tells} a joke|lie|story',
      'thanks|you in advanced>advance',
      'to remember>remind you|him|her|them|us about',
      'said>told you|him|her|them|us yesterday|last|before|already|about',
      '!^|and|when|why|how|where|what|or|, do~>make~ a|an|the|some|my decision|decisions|suggestion|choice|effort|progress|noise|mistake|mistakes|reservation|appointment',
    ],
  },
  {
    id: 'because-of',
    kind: 'grammar',
    why: 'Before a statement stands “because” alone; “because of” stands before a thing.',
    fixes: { 'Because of it rained, we stayed home.': 'Because it rained, we stayed home.' },
    leaves: ['It rained all night, and the cellar is full of water.', 'It proved of little value.'],
    lines: ['because_of>because i|he|she|we|they', 'because_of>because it VERB|is|was|rained|snowed'],
  },
  {
    id: 'joining-word',
    kind: 'grammar',
    why: '“$2” is what joins or begins it here, not “$1”.',
    fixes: { 'In spite he was ill, he worked.': 'Although he was ill, he worked.' },
    leaves: ['He is too ill to be moved.', 'She smiled in spite of herself.'],
    lines: ['in_spite|despite>although he|she|we|they|i|it VERB|AUX'],
  },
  {
    id: 'comparison-word',
    kind: 'word_choice',
    why: '“$2” is the word that fits with $0, not “$1”.',
    fixes: {
      'He is so a nice man.': 'He is such a nice man.',
    },
    leaves: ['The country is not very good in that part of the world.'],
    lines: [
      'as|same tall|big|good|old|fast|small|young|expensive|cheap|important|high|long|strong|easy|nice|beautiful|difficult|smart|rich|bad|hard|NOUN than>as',
      'AUX|VERB|ADP|not so>such a|an ADJ NOUN',
      'a_so>such_a ADJ NOUN',
      'how much>many people|persons|friends|times|days|hours|children|guests|students',
      'myself|yourself|himself|herself personal>personally $|to|at|in',
    ],
  },
];
