import { TAXES } from '../tasks/words/currency.ts';

/** Words that may be left out of an instruction without changing what it asks, by what they are. */
const KINDS: Readonly<Record<string, string>> = {
  data: `array column columns row rows record records field fields key keys object objects table entry entries json csv tsv yaml
xml html url urls link markdown javascript js python jmespath regex query code hash notation format hex entities bytes digit
digits integer integers decimal decimals places timestamp date dates time times day days month week year clock zone notes pin
password passphrase slug side sides`,
  money: `price prices cost costs total totals amount bill invoice tax taxes ${TAXES.replaceAll('|', ' ')} tip shipping service fee commission interest
discount profit margin budget salary rent change payment money sales`,
  people: 'ones people persons person ppl friend friends guests everyone everybody kids team',
  figures:
    'pressure temperature length height width weight mass volume area capacity room floor wall speed age ages score scores percent percentage percentages size distance duration average avg',
  statements: `am pay pays paid cost costs costed spend spent buy bought earn earns save saved saving owe drive drives drove travel
work works worked start starts started begin begins leave leaves left take takes took last lasts end ends fall falls born issued
valid expires married moved rise rises rose drop dropped drops increase increased decrease decreased went goes comes appear
appears appearing stand stands follows precedes occur occurs contain contains containing remain remains invest invested compounded yearly monthly gets got
equal equals put puts happens owes owed has scored sold sells won ate drank ran collected gave donated raised
walked`,
  verbs: `set type render bring find keep keeps round rounded calculate compute convert encode decode write add sorted generate open turn roll throw flip
toss draw pick choose select extract spell download read visit fetch load grab translate transform count divide filter raise fit fits
express apply multiply check change switch rewrite create produce build print output return display provide solve evaluate
determine estimate please knock shave`,
  qualities: `everything sign signs symbol symbols case named listed shown preserving entirely completely fully throughout everywhere wherever usual bullet possibly ascending inclusive minus strong different something current new original net gross calendar square meeting
winners top page`,
  links:
    'between among amongst per off away ago right still evenly equally fairly often respectively till equal inclusive apart alphabetically alphabetical part along across',
  chat: 'already yet timesheet hours lol lmao haha btw ty tia asap idk tho wat teh plz pls thx ok okay hmm',
  time: `when's whens today today's todays tomorrow tonight yesterday now`,
};

/** Words that no step needs, though the grammar reads them. */
export const PLAIN_WORDS: ReadonlySet<string> = new Set(Object.values(KINDS).flatMap((words) => words.split(/\s+/)));
