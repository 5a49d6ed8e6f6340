import type { Lexicon } from '../../language/grammar.ts';
import { each } from './text-words.ts';

/** The verbs, links and forms of orders about a text or a list. */
export const TEXT_ORDER_WORDS: Lexicon = {
  WHOLLY: 'all|entirely|completely|fully|only|purely|throughout|everywhere|exclusively|nothing but|all in',
  PUTS: 'put|set|make|write|turn|change|convert|render|give|show|print|type|have|get|want|need|i need|i want|give me|transform|bring|switch|shrink|raise|type out|write out|display|rewrite|format|reformat|start|begin',
  'letter-case': {
    'capital|capitals|a capital|a capital letter|capital letters|upper case|uppercase|upper-case|block capitals|caps|all caps|a big letter|big letters|big|block letters|upper case letters|uppercase letters|an uppercase letter|an upper case letter|capitalized|capitalised':
      'upper',
    'lower case|lowercase|lower-case|small|small letters|a small letter|lower case letters|lowercase letters|a lowercase letter|a lower case letter|lower|little letters|uncapitalized|decapitalized':
      'lower',
  },
  CAPITALLY: each('|a|an|the', 'capital|capital letter|upper case letter|uppercase letter|big letter').concat(
    '|capitals|in upper case|in uppercase|uppercase|upper case|in capitals|capitalized|capitalised',
  ),
  STARTOF:
    'at the start of|at the beginning of|in front of|to start|to begin|on|for|at the front of|as the first letter of',
  OPENS: 'start|begin|open',
  ARRANGES:
    'give|give me|show|show me|list|i need|i want|need|want|write|print|display|get me|return|make|turn|i would like|output|read out|spell out|put|set|order|arrange|rank|organize|organise|line up|bring|read|lay out|format|change|convert|build|form|create|join|combine|say|name',
  OTHERWAY:
    'last one first|the last one first|the last first|last to first|from last to first|from the last to the first|last item first|last line first|the other way round|the other way around|the other way about|in the opposite order|opposite order|in opposite order|in the reverse order|reverse order|reversed order|inverse order|in inverse order|the wrong way round|bottom to top|from bottom to top|from the bottom to the top|from the bottom up|bottom up|upside down|end to start|in the reversed order|in reverse sequence|bottom line first|bottom first|starting with the last|starting from the last|beginning with the last|starting at the end|back to front|from back to front|from end to start|from the end to the start',
  FROMLAST: each('from the last|from last', 'one|entry|item|line|name|word|element|point|step|'),
  TOFIRST: each('to the first|to first', 'one|entry|item|line|name|word|element|point|step|'),
  ONCE: 'once|just once|only once|one time|one time only|once only|exactly once|a single time|only one time|just the once',
  EACHOF: 'each|every|each different|every different|each of the|all of the',
  TWINS:
    'doubles|duplicates|dupes|repeats|repetitions|duplicate entries|repetition|doublets|repeated items|duplicate items|duplicate lines|double entries',
  ONLYSOME: 'only|just|only the|just the|the',
  KEEPS:
    'keep|keep only|only keep|keep just|just keep|leave|leave only|leave in|leave in only|retain|retain only|show|show only|only show|show me|show me only|give me|give me only|give me just|list|list only|pick out|filter for|filter out only|filter to|print|print only|extract|select|return|return only|get|get only|find|display|preserve|take|i need|i want|let stand|only|just|filter|filter on|narrow down to|reduce to|see|output|grep|grep for|pick|search for|only the|only list|just show|just list|which|which of the|which of these|which of those|what|what are the',
  'filter-part': {
    'line|lines|row|rows|rows of text': 'lines',
    'entry|entries|item|items|element|elements|one|ones|of these|of them|of those|those|all those|the ones|those ones|everything|anything|whatever|things|name|names|value|values|record|records|thing|person|people|everyone|everybody|anyone|file|files|address|addresses':
      'items',
    'word|words': 'words',
  },
  ARELEFT:
    'are left|is left|remain|remains|stay|stays|are kept|is kept|survive|survives|is shown|are shown|are there|are listed|are left over|are displayed',
  OTHERSGO: each(
    ', everything else|and everything else|, the rest|and the rest|, all others|, all else|, the others|and the others',
    'can go|may go|should go|goes|can be removed|can be dropped|is not needed|are not needed|out|must go|has to go|away',
  ),
  MENTIONS:
    'contain|contains|containing|contained|include|includes|including|mention|mentions|mentioning|have|has|having|with|w/|featuring|showing|saying|say|says|that has|that have|with the text|with a|in which there is|where there is|in which it says|carrying|carry|carries',
  NOTMENTION:
    'without|not containing|not including|not mentioning|lacking|with no|missing|free of|that lack|that lacks|w/o|devoid of',
  THATNOT: each('that|which|who', "do not|does not|don't|doesn't|not|never").concat(
    "|that dont|that doesnt|not|do not|does not|don't|doesn't",
  ),
  INTHEM: 'in it|in them|in it somewhere|somewhere|anywhere|inside|in em|in there|in their text',
  SAYSWORD: each(
    'the|a|an|any|',
    'word|text|string|letters|letter|sign|symbol|phrase|name|character|term|keyword|number',
  ).concat('|a|an|the|any'),
  ATTACH:
    'put|add|insert|prepend|append|stick|place|attach|write|tack|tack on|set|pin|slap|type|glue|stick on|paste|add in',
  ATFRONT: each(
    'in front of|infront of|before|at the start of|at the beginning of|at the front of|on the front of|to the front of|to the start of|to the beginning of|ahead of|onto the front of|at the head of|onto the start of',
    '',
  ),
  ATEND: each(
    'behind|after|at the end of|on the end of|to the end of|onto the end of|at the back of|following|at the tail of|on the back of',
    '',
  ),
  PREFIXES: 'prefix|precede|start|begin|lead|preface',
  SUFFIXES: 'suffix|end|follow|finish|close|postfix',
  'each-noun': {
    'word|words': 'words',
    'line|lines|row|rows': 'lines',
    'sentence|sentences': 'sentences',
    'number|numbers|figure|figures': 'numbers',
    'item|items|entry|entries|element|elements|name|names|value|values|one|of these|of them|of those|single one|single item|thing|code|string':
      'items',
  },
  NUMBERS:
    'number|enumerate|put numbers on|put numbers before|put numbers in front of|give numbers to|add numbers to|put a number before|put a number in front of|numbered',
  FROMONE:
    'from 1|from one|from 1 on|from 1 upwards|from one upwards|starting at 1|starting from 1|starting with 1|beginning with 1|beginning at 1|1 2 3|with 1 2 3|consecutively|in sequence|one by one|in order|in this order|in that order',
  'kind-in': {
    'number|numbers|figure|figures|digit|digits': 'numbers',
    'date|dates': 'dates',
    'link|links|url|urls|web address': 'links',
    'email|emails|email address|e-mail address|e-mail|email addresses|mail address': 'emails',
    'phone number|telephone number|phone numbers': 'phones',
    'amount of money|sum of money|money amount|price in it': 'amounts',
    'hashtag|hashtags|hash tag': 'hashtags',
    'ip address|ip|ip addresses': 'ips',
  },
  FROMNUMBER: each(
    '|and',
    'from|starting at|starting from|starting with|beginning at|beginning with|beginning from|start at|start from|start with|begin at|begin with|counting from',
  ),
  EVERYPLACE:
    'wherever it occurs|everywhere|wherever it appears|throughout|each time|every time|whenever it occurs|in all places|all over|wherever it stands|wherever you find it|each time it occurs|every time it occurs|all the way through|in every place|wherever it is',
  EXCHANGES: 'replace|exchange|swap|change|substitute|switch|turn|convert|make|trade|transform',
  NONE: 'no|without|without any|without the|without all|minus|minus the|with no|free of|with all|less the|but without|but without the|sans',
  DROPS:
    'remove|delete|drop|strip|take out|take away|get rid of|cut|erase|strip out|omit|scrub|eliminate|purge|leave out|clear|wipe|discard|cut out|pull out|weed out|throw out|filter out|take|lose|kill|leave off|leave away|kick out|knock out|clean out|exclude',
  SINGLY:
    'down to a single space|to a single space|down to one space|to one space|to single spaces|down to single spaces|into one|into a single space|into one space|down to one|to one',
  ONELINE:
    'on one line|in one line|on a single line|into one line|into a single line|to one line|as one line|to a single line|all on one line|in a single line|one line|a single line|a line|into a line|on the same line|in one row|in a row|in a single row|all on a single line|onto one line|onto a single line|into one string|in one string|as a single line|into one|together|into one text|up',
  ASKEDSIGN:
    'w|w a|w/|w/ a|with|by|using|with a|with an|by a|by an|with the|separated by|separated with|divided by|delimited by|joined by|joined with|linked by|linked with|connected by|and a|and put a|and|putting a|putting|put a|put|with only a|with just a|with a single|using a|separated by a|with only|with just|by means of a|through a',
  INBETWEEN:
    'between|in between|between them|in between them|between each|between each of them|between the lines|between the words|between the names|between the items|between these|between em|between the parts|as a separator|as the separator|as separator|between every two|between each two|between them all|as glue|between each pair|as a link|between the pieces|between the entries|between the values|between the numbers|between the letters|in the middle',
  WITHOUTSIGN:
    'without anything|without anything in between|without anything between|without spaces|without a space|without any spaces|with nothing|with nothing in between|with nothing between|without a gap|without gaps|without any gap|without separators|without a separator|with no spaces|with no space|with no gaps|without anything between them|without blanks|with no separator|seamlessly|directly|with nothing between them',
  EVERYSIGN:
    'at|by|on|at the|at each|at every|on the|on each|on every|by the|by each|along|along the|with|using|using the|around the|where there is|where there is a|at each of the|wherever there is a|whenever there is a|after each|after every|behind each|at any|at a|at all|at all the',
  SIGNWORD: 'sign|signs|character|characters|symbol|symbols|mark|marks',
  'into-part': {
    'word|words': 'words',
    'line|lines|row|rows': 'lines',
    'sentence|sentences': 'sentences',
    'letter|letters|character|characters': 'characters',
    'item|items|entry|entries|piece|pieces|part|parts|value|values|element|elements|bit|bits|name|names|one|chunk|chunks':
      'items',
  },
  ALINE: each(
    'on|onto|in|to|into',
    'its own line|a line of its own|a separate line|a new line|their own line|their own lines|separate lines|lines of their own|a line each|individual lines|its own row|one line each|a line for itself|different lines|a line by itself|new lines',
  ).concat(
    '|per line|a line|on each line|each line|to a line|to each line|by line|in each line|line by line|below each other|under each other|underneath each other|one under the other|one below the other',
  ),
  AND: 'and|, and|,|and then|then|, then|but',
  CUTS: 'split|split up|break|break up|cut|cut up|chop|chop up|divide|separate|slice|slice up|explode|tokenize|tokenise|tear apart|dissect|take apart|part|make|put|turn|write|give me|show|list|print|spread|distribute|place|lay out|set|format|arrange',
};
