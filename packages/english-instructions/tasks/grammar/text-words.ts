import type { Lexicon } from '../../language/grammar.ts';

/** Each beginning before each end. */
export const each = (before: string, after: string): string =>
  before
    .split('|')
    .flatMap((one) => after.split('|').map((other) => `${one} ${other}`.trim()))
    .join('|');

/** What begins a request to list or to show what is named behind it. */
export const GIVING = each(
  '|just|only',
  'extract|find|find me|list|show|show me|give|give me|get|get me|pull|pull out|pick|pick out|pick me|take|fish out|dig out|grab|grab me|fetch me|hand me|list me|print me|collect|gather|harvest|isolate|select|copy|copy out|read out|write out|print|return|output|display|fetch|tell me|keep|leave|i want|i need|we need|i am after|i want to see|i want to have|i must have|i would like|reveal|identify|detect',
).concat(
  '|',
  each(
    'show|show me|give me|get|get me|keep|leave|list|print|return|take|i want|i need|pick|tell me|extract|output',
    'just|only',
  ),
);

export const DETERMINED =
  '|the|this|these|those|that|my|our|your|the following|following|this following|these following|all|all the|all of the|all these|all of these|the two|these two|each of these|a|an';
const NOUNS =
  'text|texts|word|words|string|strings|sentence|sentences|phrase|phrases|line|lines|list|lists|item|items|entry|entries|name|names|value|values|number|numbers|title|titles|paragraph|message|snippet|data|content|table|array|result|results|output|answer|reply|elements|things|column|json array|json list|file|document|list of names|list of words|list of numbers|list of items|lines of text|block of text|piece of text|poem|mail|email|code|post|set|reply|comments';

/** The words about whole texts and lists. */
export const TEXT_WORDS: Lexicon = {
  /** What only refers to the text that stands elsewhere. */
  WHAT: `${each(DETERMINED, NOUNS)}|this|it|these|those|them|that|it again|this again|these two|those two|the two|two|both|both of these|the following|following|here|below|this one|all of it|all of this|all this|all of that|all of them|all of these|everything|the rest|what is left|what remains`,
  FROM: 'in|of|from|for|within|inside|on|out of|to|among|throughout|in between|between|through|at',
  SORTS: 'sort|now sort|then sort|sort out|resort|re-sort',
  ALPHABETIZE: 'alphabetize|alphabetise',
  ORDERS: 'order|arrange|line up|rank|put|organize|organise|reorder|re-order',
  BYDATE:
    'by date|by the date|by their dates|by due date|by day|in date order|in order of date|chronologically|in chronological order|in order of time',
  'date-order': {
    'earliest first|oldest first|oldest|earliest|in order of time|order of time|in order|soonest first|earliest to latest|oldest to newest|ascending|from the earliest': 1,
    'latest first|newest first|most recent first|latest to earliest|newest to oldest|descending|from the latest': -1,
  },
  how: {
    'alphabetically|alphabetical|in dictionary order|in ascending alphabetical order|by their first letter|by first letter|in alphabetical order|in alphabetic order|by alphabet|by the alphabet|by name|by their name|by their names|a to z|a-z|from a to z|from a-z|naturally|in natural order|natural|alphabetically a-z|in a to z order|in a-z order|in alphabet order|into alphabetical order|by letter':
      { by: 'natural' },
    'in reverse alphabetical order|in the reverse alphabetical order|in backwards alphabetical order|in inverse alphabetical order|reverse alphabetically|reverse alphabetical|in descending alphabetical order|z to a|z-a|from z to a|from z-a|alphabetically backwards|alphabetically in reverse|alphabetically descending':
      { by: 'natural', descending: true },
    'numerically|numeric|in ascending numerical order|in numerical order ascending|numerically ascending|by quantity|by the quantity|by amount|by the amount|by count|by their numbers|by the numbers|in numerical order|in numeric order|by number|by the number|by value|by the value|by size|by their value|in number order':
      { by: 'number' },
    'ascending|in ascending order|asc|one per line|one on each line|each on its own line|one below the other|negative numbers included|including negative numbers|including the negative numbers|in order|upwards|in the right order|ascendingly':
      {},
    'descending|in descending order|desc|in reverse|in reverse order|reversed|backwards|reverse|descendingly|downwards':
      { descending: true },
    'from high to low|high to low|in descending numerical order|numerically descending|best to worst|from best to worst|from the best to the worst|best first|most first|the most first|from most to least|most to least|largest to the smallest|the largest first|the biggest first|the highest first|largest quantity first|the largest quantity first|highest at the top|largest at the top|biggest at the top|highest to lowest|from highest to lowest|from the highest to the lowest|largest to smallest|from largest to smallest|from the largest to the smallest|biggest to smallest|from biggest to smallest|from the biggest to the smallest|highest first|largest first|biggest first|greatest first|from greatest to least|greatest to least|big to small|from big to small|large to small|from large to small|in decreasing order|smallest last|biggest number first':
      { by: 'number', descending: true },
    'from low to high|low to high|worst to best|from worst to best|worst first|fewest first|the fewest first|the smallest first|the lowest first|smallest quantity first|the smallest quantity first|lowest at the top|smallest at the top|from fewest to most|lowest to highest|from lowest to highest|from the lowest to the highest|smallest to largest|from smallest to largest|from the smallest to the largest|smallest to biggest|from smallest to biggest|lowest first|smallest first|from least to greatest|least to greatest|small to big|from small to big|small to large|from small to large|in increasing order|by size ascending|smallest number first':
      { by: 'number' },
    'by length|by the length|by how long they are|by how long each is|by the number of letters|by the number of characters|by number of characters|shortest at the top|shortest word at the top|shortest word first|shortest line first|the shortest first|shortest on top|by word length|by their length|by number of letters|in order of length|shortest to longest|from shortest to longest|from short to long|shortest first':
      { by: 'length' },
    'longest last|longest at the bottom|the longest at the bottom|longest at the end': { by: 'length' },
    'by last name|by the last name|by their last name|by last names|by surname|by their surname|by family name|by the last word|by last word':
      { by: 'last_word' },
    'longest first|longest to shortest|longest at the top|longest word at the top|longest word first|longest line first|the longest first|longest on top|shortest at the bottom|from longest to shortest|from long to short':
      { by: 'length', descending: true },
  },
  DUPLICATES: each(
    'duplicate|duplicated|double|doubled|repeated|repeating|recurring|duplicate list',
    'lines|items|entries|words|values|names|rows|elements|numbers|ones|addresses|records|copies',
  ).concat(
    '|duplicates|duplicate|dupes|doubles|doublets|repeats|repetitions|repetition|duplication|extra copies|what is repeated|whatever is repeated|what is duplicated|anything repeated|everything repeated|what repeats|what is there twice|what occurs twice',
  ),
  DEDUPE: 'dedupe|deduplicate|de-duplicate|de-dupe|uniq',
  SOME: 'only|just|all|only the|just the|all the|the|me only the|only the first',
  ITEMS: 'lines|items|entries|words|values|names|rows|ones|elements|numbers',
  ANYCASE:
    'ignoring case|ignoring the case|no matter the case|whatever the case|regardless of capital letters|regardless of capitals|regardless of upper and lower case|ignoring capitals|ignoring upper and lower case|ignore upper and lower case|no matter upper or lower case|ignore case|ignoring capitalization|case insensitive|case insensitively|case-insensitive|case-insensitively|regardless of case|regardless of the case',
  FLIP: 'reverse|flip|invert|mirror',
  BACKWARDS:
    'backwards|backward|from right to left|right to left|from back to front|from the back to the front|from the end to the start|from end to start|from the end to the beginning|from end to beginning|from the last letter to the first|from last letter to first|from the end|in reverse|in reverse order|reversed|back to front|spelled backwards|written backwards',
  SPELL: "give|list|write|spell|print|type|say|read|give me|what is|what's|show|show me",
  AROUND: 'around|over|round',
  pieces: {
    'word|words': 'words',
    'line|lines|row|rows': 'lines',
    'letter|letters|character|characters|char|chars': 'characters',
  },
  CAPITALIZE: 'capitalize|capitalise',
  EVERYWORD: each(
    '|the|the first letter of|first letter of|the first letters of|the first letter in|first letters of',
    'every word|each word|all words|all the words|every word of|each word of|each word in|every word in',
  ),
  FIRSTLETTER: each('the first letter|first letter|only the first letter|the first letters', '|of|in').concat(
    '|',
    each(
      'the first letter of|the first letter in',
      'each sentence|every sentence|the sentence|each sentence in|the sentences',
    ),
  ),
  BIG: 'uppercase|upper case|in uppercase|capital|a capital|caps|capitals|a capital letter|upper-case|big|to uppercase|into a capital|capitalized|bigger',
  MAKES: 'make|turn|put|change|convert|write|set',
  WHOLECASE: each('change|set|convert|switch', 'case|the case|letter case|the letter case|its case|casing'),
  casing: {
    'upper|uppercase|all caps|capitals': 'upper',
    'lower|lowercase': 'lower',
    title: 'title',
    sentence: 'sentence',
    camel: 'camel',
    pascal: 'pascal',
    snake: 'snake',
    kebab: 'kebab',
    constant: 'constant',
  },
  countable: {
    'word|words': 'words',
    'character|characters|char|chars': 'characters',
    'letter|letters': 'letters',
    'line|lines': 'lines',
    'row|rows': 'lines',
    'sentence|sentences': 'sentences',
    'paragraph|paragraphs': 'paragraphs',
    'byte|bytes': 'bytes',
    'item|items|element|elements|entry|entries|thing|things': 'items',
  },
  ARETHERE:
    'are|is|are there|there are|is there|there is|does|do|has|have|are in|do we have|do you see|can you find|are contained|appear|occur|out|are mentioned|is mentioned|are listed|are given|are found|are used|are included|contained|mentioned|present|found|in there|in total',
  ALSO: 'and|, and|,|and also|then|and then|&',
  HAS: 'have|has|contain|contains|got',
  LENGTHOF:
    'how long is|the length of|what is the length of|length of|length|the length|string length of|text length of|what length is|what length has',
  NAMEDTEXT: each('the|this|that|my|', 'text|string|word|words|names|items|sentence|phrase|title'),
  OFTEN:
    'count how many times|count how often|count the times|how many times does|how many times do|how many times is|how many times did|how often does|how often do|how often is|how often did|how many times|how often|how frequently|how frequently does|how frequently do|how frequently is',
  OCCURRENCES: each(
    'count|count the|count all|count all the|how many|the number of|number of|count the number of|',
    'occurrences of|occurrences|instances of|appearances of|occurrence of|times',
  ),
  ATEXT: each(
    'the|a|an|any|every|each|all|all the|',
    'word|words|letter|letters|phrase|string|character|characters|text|name|sign',
  ),
  found: {
    'amounts|amount|sums of money|amounts of money|prices|prices and amounts': 'amounts',
    'link|links|url|urls|hyperlinks|web addresses|web links|website links|websites': 'links',
    'email|emails|e-mails|e-mail|email address|email addresses|e-mail addresses|email adresses|mail addresses|email ids|valid emails|valid email addresses':
      'emails',
    'phone numbers|telephone numbers|phones|phone number|telephone number|mobile numbers|contact numbers': 'phones',
    'numbers|figures': 'numbers',
    'date|dates': 'dates',
    'ip addresses|ip address|ips|ipv4 addresses|ip numbers': 'ips',
    'hashtags|hash tags|hashtag': 'hashtags',
    'mentions|handles|usernames|@mentions|@mention|mention|handle': 'mentions',
  },
  EXTRACT: GIVING.concat("|what|which|what are|which are|what's|extract out|what are all"),
  REPLACE:
    'exchange|trade|replace|censor|mask|redact|substitute|swap|swap out|find and replace|search and replace|now replace',
  CHANGE: 'change|switch|exchange|turn|convert|replace',
  WITHIT: 'with|by|for|to|into',
  EVERY:
    'all|every|each|any|the|all the|all of the|every single|all occurrences of|every occurrence of|each occurrence of|all instances of|occurrences of|only|just',
  THEFIRST: 'the first|only the first|just the first|first|the first occurrence of|only the first occurrence of',
  signed: {
    'comma|commas': ',',
    'semicolon|semicolons|semi-colon|semi-colons': ';',
    'colon|colons': ':',
    'space|spaces|blank|blanks|whitespace|white space|whitespaces': ' ',
    'newline|newlines|new line|new lines|line break|line breaks|linebreak|linebreaks': '\n',
    'blank line|blank lines|empty line|empty lines': '\n\n',
    'tab|tabs': '\t',
    'dash|dashes|hyphen|hyphens|minus': '-',
    'underscore|underscores': '_',
    'period|periods|dot|dots|full stop|full stops|point': '.',
    'slash|slashes|forward slash|forward slashes': '/',
    'backslash|backslashes': '\\',
    'pipe|pipes|vertical bar|vertical bars': '|',
    'plus|plus sign|plus signs|pluses': '+',
    'dollar sign|dollar signs|$ sign|$ signs': '$',
    'euro sign|euro signs|€ sign|€ signs': '€',
    '£ sign|£ signs': '£',
    'percent sign|percent signs|percentage sign|percentage signs|% sign|% signs': '%',
    'hash sign|hash signs|hashtag|hashtags|# sign|# signs': '#',
    'equals sign|equals signs|equal sign|equal signs|= sign|= signs': '=',
    'apostrophe|apostrophes|single quote|single quotes': "'",
    'double quote|double quotes|quote|quotes|quotation mark|quotation marks': '"',
    'asterisk|asterisks|star|stars': '*',
    'ampersand|ampersands': '&',
    'exclamation mark|exclamation marks': '!',
    'question mark|question marks': '?',
    'dollar sign|dollar signs|dollar symbol': '$',
    'euro sign|euro signs|euro symbol': '€',
    'pound sign|pound signs|pound symbol': '£',
    'percent sign|percent signs|percentage sign|percentage signs': '%',
    'at sign|at signs': '@',
    'hash sign|hash signs|hashes': '#',
    'equals sign|equals signs|equal sign': '=',
    'zero|zeros|zeroes|0s|zeroes in front|leading zeros|leading zeroes': '0',
    'nothing|an empty string|no separator|no space|no spaces': '',
  },
  EXTRA: each(
    'extra|double|multiple|trailing|leading|surrounding|unnecessary|superfluous|leading and trailing|trailing and leading|the extra|all extra|all the extra|the double|all double|any extra|the leading and trailing|additional',
    'space|spaces|whitespace|white space|blanks',
  ).concat('|runs of spaces|runs of blanks|several spaces|repeated spaces|consecutive spaces'),
  EMPTYLINES: each('|the|all|all the|any', 'blank lines|empty lines|empty rows|blank rows'),
  TRIM: 'trim|strip|clean|clean up|tidy|tidy up|normalize|normalise|collapse|squeeze|fix|reduce',
  SPACING: each('|the|any|all|extra|all the', 'whitespace|white space|spaces|spacing|space|whitespaces'),
  SPLIT:
    'slice|slice up|tear apart|take apart|pull apart|separate out|chop|split|split up|tokenize|tokenise|break|break up|separate|chop|chop up|explode|divide|cut up|cut',
  PERROW:
    'one word per line|one word a line|one per line|one a line|onto separate lines|on lines of their own|on individual lines|with one on each line|each on a line of its own|each on a separate line|each on a new line|one item per line|on separate lines|on their own lines|into lines|line by line|each on its own line|one on each line',
  AT: 'by|on|at|with|using|around|along|by the|at the|on the|at each|at every|on each|on every|with a|by a|by each|using a|using the|at a|on a',
  JOIN: 'fuse|weld together|paste together|put together|stick together|chain|link|join together|merge together|join|glue|concatenate|concat|combine|merge|connect|string|string together|glue together|join up|now join',
  WITHSIGN:
    'with|by|using|separated by|delimited by|on|with a|using a|with an|with the|by a|with single|separated by a|using the|with one',
  ASONE:
    'together|up|into one|into one line|into a line|into one string|into a string|into a single line|to one line|on one line|in one line|into a single string|into one text',
  BETWEEN:
    'between the words|between the lines|between the items|between the names|between each two|between every two|between|between them|between each|in between|between|as separator|as the separator|as a separator|in between them',
  ONLY: GIVING.concat('|only|just|what is|what are|only keep|keep only|only the|just the'),
  'end-op': { 'first|top': 'first', 'last|bottom|final': 'last' },
  SHORTEN: 'truncate|shorten|cut|trim|limit|clip|crop|chop|restrict|cut off|cut down|shorten down',
  ATMOST:
    'to|at|after|to just|to only|to the first|to at most|to a maximum of|to max|to no more than|after the first|to a max of|down to|off after|off at',
  COMPARE: each(
    '|show me|show|find|tell me|what is|what are|give me',
    'the difference|the differences|difference|differences|the diff|diff|the changes|what changed|what has changed|what is different|what is new',
  ).concat(
    "|compare|diff|what's the difference|what's different|whats the difference|whats different|what changed|what is different|what's changed",
  ),
  SLUG: each('|a|an|the|url|a url|an url|the url|seo|an seo', 'slug|slugs|url slug|url-slug').concat(
    '|slugify|slugified|url friendly|url-friendly|a url friendly',
  ),
  MAKEOF: 'make|create|generate|give me|get|build|i need|i want|turn|convert|i would like',
  FILL: 'fill|fill in|fill out|fill up|populate|complete|render',
  TEMPLATE: each(
    '|the|this|my|a|the following',
    'template|form letter|form|letter|blanks|placeholders|gaps|text|blanks in',
  ),
  NUMBERING: each(
    'add|put|insert|prepend|show',
    'line numbers|the line numbers|numbers|numbers in front of|numbers before|a number in front of',
  ).concat('|number|now number'),
  NUMBERED: each('the|these|this|my|all|all the|each|', 'lines|line|items|rows|list|entries|points'),
  WRAP: 'wrap|word wrap|word-wrap|hard wrap|hard-wrap|rewrap|flow|reflow|wrap the lines|line wrap',
  ATWIDTH: 'at|to|after|within|every|at column|at a width of|to a width of|at max|at a maximum of|at most',
  COLUMNS:
    'columns|characters|chars|cols|character|characters wide|letters|characters per line|characters a line|column',
  MARKINGS: each(
    '|the|all the|all',
    'line numbers|numbering|list numbers|item numbers|bullets|bullet points|bullet signs|list marks|leading numbers|leading dashes|leading stars|leading asterisks',
  ).concat(
    '|',
    each(
      each('|the|all the|all', 'numbers|dashes|hyphens|stars|asterisks|bullets|bullet points'),
      each(
        'in front|at the start|at the beginning|at the front',
        '|of the lines|of each line|of every line|of the items|of each item',
      ),
    ),
  ),
  HOSTNAME: 'domain|domain name|host|hostname|host name|domain part',
  PAD: 'pad|left pad|left-pad|pad left|zero pad|zero-pad',
  FIGURES: 'digits|digit|places',
  UPTOWIDTH:
    'to|until|up to|so it has|so that it has|so it is|so that it is|until it has|until it is|to be|to a length of|to have|so they have|so that they have|to make it',
  SAY: 'say|echo|repeat after me|answer with|reply with|respond with|write back|just say|say to me|reply to me with|answer me with',
};
