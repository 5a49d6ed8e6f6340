import { frequency } from './frequency.ts';

/** Frequent misspellings that are equally near to another word. */
const PLAIN_SLIPS: ReadonlyMap<string, string> = new Map(
  [
    "nite>night tonite>tonight wich>which foto>photo fotos>photos studing>studying fasion>fashion wether>whether doesent>doesn't dosent>doesn't dosnt>doesn't wasent>wasn't dident>didn't thay>they youre>you're theyre>they're im>I'm ive>I've thats>that's wheres>where's whats>what's whos>who's vehical>vehicle yatch>yacht mispell>misspell mispelled>misspelled prity>pretty tounge>tongue methode>method",
    "methodes>methods theres>there's everyting>everything somethin>something nothin>nothing alon>alone yong>young maket>market peple>people peples>people lenght>length strenght>strength heigth>height bisness>business buisness>business usefull>useful enviroment>environment goverment>government sevral>several vacany>vacancy vaccum>vacuum persue>pursue truely>truly arguement>argument begining>beginning",
    "beleive>believe belive>believe writen>written writting>writing comming>coming geting>getting runing>running planing>planning stoped>stopped droped>dropped payed>paid teh>the adn>and hte>the taht>that tahn>than thier>their accidently>accidentally borned>born brung>brought lieing>lying dieing>dying dont>don't doesnt>doesn't didnt>didn't isnt>isn't arent>aren't wasnt>wasn't werent>weren't",
    "havent>haven't hasnt>hasn't couldnt>couldn't wouldnt>wouldn't shouldnt>shouldn't theyll>they'll weve>we've theyve>they've youve>you've youll>you'll awnser>answer awnsers>answers anwser>answer definatly>definitely becose>because calender>calendar colegue>colleague collegue>colleague colleage>colleague colegues>colleagues collegues>colleagues colleages>colleagues competion>competition fourty>forty",
    'futher>further lisence>license neighboor>neighbor probly>probably publically>publicly rember>remember sieze>seize theif>thief thoughout>throughout unfortunally>unfortunately unpolite>impolite unpossible>impossible wendesday>Wednesday wensday>Wednesday wednsday>Wednesday febuary>February wheter>whether wth>with wnat>want eventhough>even_though abit>a_bit deliverd>delivered enginer>engineer',
    'favorit>favorite healty>healthy intership>internship mounth>month mounths>months ninty>ninety noone>no_one offical>official offen>often opion>opinion shure>sure succed>succeed technologie>technology theather>theater throught>through warantee>warranty worht>worth explane>explain vacancie>vacancy unconvenient>inconvenient unpatient>impatient stucked>stuck costed>cost tought>thought thougth>thought',
    'adviced>advised amature>amateur concious>conscious consious>conscious desparate>desperate garantee>guarantee garanty>guarantee inconvienence>inconvenience inconvinience>inconvenience intrest>interest intrested>interested intresed>interested neice>niece ommit>omit peice>piece personel>personnel repares>repairs repetion>repetition whith>with chek>check cheked>checked quik>quick quikly>quickly pakage>package jaket>jacket poket>pocket contry>country contries>countries liberry>library maching>matching organisaton>organisation prepair>prepare recive>receive recived>received reguarding>regarding techer>teacher tuseday>Tuesday januray>January octobre>October',
    "vist>visit wheather>whether woud>would recipt>receipt recipts>receipts cancle>cancel canceld>canceled refound>refund discout>discount deside>decide desided>decided develope>develop reson>reason sience>science suceed>succeed wating>waiting thsi>this htis>this tihs>this waht>what jsut>just yuo>you wiht>with whihc>which thrusday>Thursday thursay>Thursday wenesday>Wednesday wednesay>Wednesday saterday>Saturday saturaday>Saturday happend>happened humerous>humorous momento>memento fullfil>fulfill promiss>promise payd>paid oclock>o'clock",
    "musn't>mustn't shoudn't>shouldn't woudn't>wouldn't coudn't>couldn't does'nt>doesn't did'nt>didn't is'nt>isn't brang>brought restaraunt>restaurant restaurent>restaurant resturant>restaurant",
  ]
    .flatMap((line) => line.split(' '))
    .map((pair) => pair.replaceAll('_', ' ').split('>') as [string, string]),
);

/** Endings of adverbs as people write them, and as they are: "finaly", "basicly", "easly", "rarly", "particulary". */
const ADVERBS: readonly (readonly [RegExp, string])[] = [
  [/aly$/, 'ally'],
  [/icly$/, 'ically'],
  [/ulary$/, 'ularly'],
  [/llly$/, 'lly'],
  [/(?<=[a-z]{3})ly$/, 'ily'],
  [/(?<=[a-z]{3})ly$/, 'ely'],
];
const FREQUENT = 1_000_000;

/** The word meant by an unknown one, where it is a known slip or the ending of an adverb; undefined where it is neither. */
export function slipOf(typed: string): string | undefined {
  const slip = PLAIN_SLIPS.get(typed);
  if (slip !== undefined || typed.length < 5) return slip;
  return ADVERBS.map(([wrong, right]) => typed.replace(wrong, right)).find(
    (word) => word !== typed && frequency(word) > FREQUENT,
  );
}
