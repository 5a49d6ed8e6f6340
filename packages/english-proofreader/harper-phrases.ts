/**
 * Rules of Harper about fixed phrases, each with words, or pairs of words in a row (`ahead+an`), of which a text has at
 * least one where the rule finds something (read from the rules of Harper 2.10).
 */
const OF_PHRASES = [
  'ACoupleMore=of+more ALittleOfPractice=little+of ALongTime=along+time AMeansToAnEnd=a+mean AOkHyphen=ok,a+okay',
  'AWholeOther=nother,whole+another AdNauseam=nauseam Ado=adieu AfterAWhile=after+while AfterAll=afterall',
  'AheadAnd=ahead+an Albeit=beit,be+it,allbe AllOfASudden=sudden AllReady=all+ready AllThough=all+though',
  'AllWellAndGood=all+well AlzheimersDisease=timers Americas=central+america,south+america,north+america',
  'AnAnother=an+another,a+another AndIn=an+in AndSuch=the+such AnotherAn=another+an AnotherOnes=another+ones',
  'AnotherThings=another+things Anybody=any+body Anyhow=any+how Anywhere=any+where',
  'AppleNames=airpods,macbook,apple,mac+pro,mac+mini ArgumentToBeMade=be+said ArriveOnWeekday=arrive',
  'AsComparedTo=as+compare AsEvidentBy=evident+by AsFarBackAs=early+back AsFollows=as+follow AsIfThough=if+though',
  'AsIsWithAnything=with+anything AsItHappens=so+happens AsLongAs=aslong,long+that AsMuchAs=much+than',
  'AsOfCurrently=of+currently AsOfLately=of+lately AsOpposedTo=as+oppose AtAllCosts=all+cost',
  'AtFaceValue=face+values,on+face AtLeasToLeast=leas AtLestToLeast=lest AtTheBestOfTimes=of+times',
  'AtTheEndOfTheDay=the+day AtTheExpenseOf=expance,expanse,the+expenses AtTheVeryLeast=very+least',
  'AwaitFor=awaits,awaited,await,awaiting+for AwareOf=aware+about AzureNames=azure',
  'BackhandedCompliment=back+hand,backhand Backplane=back+plane BadRap=bed+rap,bad+rep BanTogether=ban+together',
  'BareInMind=bare+in BatedBreath=baited BeckAndCall=and+call BeenThere=bee+there BesideThePoint=besides+the',
  'BestRegards=beat+regards BetterOffPhrase=better+of BetterOffWith=of+with BewareOf=beware',
  'BlanketStatement=blanketed BluRayHyphen=blu BoarderBorder=boarders,boarder Bollocks=bullocks',
  'BuiltIn=built+in,in+built,built Bypass=by+pass CanBeSeen=be+seem CantWay=t+way,cannot,not+way,cant+way',
  'CaseInPoint=and+point CauseItIsBecause=cause+it Chalkboard=chalk ChineseCommunistParty=chinese+communist',
  'ClickThroughRate=view+through,click+through ClientOrServerSide=s+side Codebase=code+base Codebases=code+bases',
  'ColdModalTypo=cold Combinate=combinate,combinated,combinating,combinates',
  'CommitmentTo=commitments,commitment+toward,commitment+towards CompaniesProductsAndTrademarks=stack',
  'ComprisesOf=comprises+of CompulseToCompel=compulse,compulsed,compulses,compulsing',
  'ConfirmThat=conformed,conforms,conforming,conform+that',
  'ConstituteAs=constituting,constituted,constitute+as,constitutes+as CoursingThroughVeins=cursing',
  'CrossPlatform=cross+platform CuriousAbout=curious CuttingAgeEggcorn=cutting+age,cutting DampSquib=damp',
  'DateBackFrom=back+from Deadlift=dead+lift DefiniteArticle=definitive Desktop=desk+top Devops=dev',
  'DigestiveTract=digestive Discuss=discuss+about,discussed+about,discusses+about,discussing+about',
  'DoIAdjective=do+i DoNotWant=wan DoesOrDose=dose DontCan=don+t DoubleCheckHyphen=double+check',
  'DoubleEdgedSword=double+edge,edged DueDiligence=diligence DuringAges=during+ages EachAndEveryOne=and+everyone',
  'EachOthersPossessive=each+others EagleEyed=eagle+eyed EasyGoingCompoundAdjective=easy+going EggYolk=yoke',
  'EludedTo=eluded EnMasse=masse,on+mass,in+mass EnRoute=route+to EverPresent=ever+present EverSince=every+since',
  'EveryOnceAndAgain=every+once EverySingleOneOf=single+of EveryTime=everytime Everybody=every+body',
  'Everyone=every+one Everywhere=every+where ExitedExcitedContext=exited Expat=ex',
  'Expatriate=ex,expatriot,expatriots ExplanationMark=explanation ExtendOrExtent=extend FaceFirst=face+first',
  'FairBit=fare+bit FarAndFewBetween=few+between FastPaste=paste FetalPosition=feeble FinishingTouches=touches',
  'FirstPersonModifierHyphen=second+person,third+person,first+person',
  'FlauntForFlout=flaunt,flaunts,flaunted,flaunting FoamAtTheMouth=the+mouth FondOn=fond+on FootTheBill=the+bill',
  'ForALongTime=for+along ForArgumentsSake=sake ForTheMostPart=most+part FormativeYears=formidable',
  'FreeRein=free+reign FromTheGetGo=get+go Furthermore=further+more GetRidOf=rid+off,ride+off,ride+of',
  'GetUsedTo=used+of GildedAge=guilded GoggleBrand=googol,goggle GoingTo=gong GrindToAHalt=halt',
  'GuineaBissau=guinea+bissau HadOf=had+of HalfAnHour=an+our Haphazard=hazard,halfhazard',
  'HavePassed=had+past,has+past,have+past,having+past Hazzle=hazzle,hazzled,hazzles,hazzling HeDos=dos',
  'Henceforth=hence+forth HiddenIn=hidden+into HitTheNailOnTheHead=nail+in HolyWar=holey,holly',
  'HowItLooksLike=it+look,looks+like,they+look HowMach=mach,how+match However=how+ever HumanBeings=beings',
  'HumanLife=human+live IAm=i+a IDo=i+does ImitateFrom=imitates,imitated,imitating,imitate Impressed=impressed+of',
  'InADifferentDirection=different+direction InAHurry=in+hurry InAnyWay=in+anyway InDetail=in+details,in+more',
  'InDueCourse=in+do InHindsight=hind,hindsight InLieuOf=lue InNeedOf=in+need InOfItself=in+of',
  'InRetaliationTo=retaliation InThe=int+he InTheGrandSchemeOfThings=the+grand InThisThatRegard=regards',
  'InflectionPoint=infliction Initiatively=initiatively Insofar=in+so InspiredBy=inspired+from Instead=stead',
  'InsteadOf=stead Intact=tact InvestIn=invests,invest+into,invested+into,investing+into,investment+into',
  'IsBeenAuxSequence=is+been IsKnownFor=is+know ItCan=it+cam Itself=it+self IveGotTo=ve JawDropping=dropping',
  'JetpackNames=jetpack JustDeserts=just+desserts Keystroke=stoke,key+stroke Keystrokes=stokes,key+strokes',
  'KindOf=kinda+of KindRegards=kid+regards KindSortOf=kind+if,kind+off,sort+if,sort+off KnowNothingVerb=no+nothing',
  'Koreas=south+korea,north+korea Laos=luang,xam,mam Laptop=lap+top LastButNotLeast=last+but,the+least',
  'LastDitch=ditched,ditch LastNight=yesterday+night LaughOfAt=laughs,laugh+of,laughed+of,laughing+of',
  'LayoutVerb=layouted,layouting LeaveToFor=leaving+to,leaves+to,leave+to,left+to LetAlone=let+along',
  'LevelOfDetails=of+details LikeAsIf=like+as LikeThePlague=plague LikeTheresNoTomorrow=no+tomorrow',
  'LikelyHood=likely+hood LinesOfCode=of+codes LinkedList=link+lists,link+list LookForwardTo=forward+for',
  'LookInto=looks+in,looked+in,looking+in,look+in Lookalike=look+a LooksLikes=likes',
  'LowHangingFruit=hanging+fruits,low+hanging MakeDoWith=due+with MakeItSeem=it+seems,it+seemed MakeSense=senses',
  'MakeupCompoundNoun=make+up ManagerialReins=reigns MassExodus=max+exodus MayOfPronoun=may+of Meanwhile=mean+while',
  'MercedesBenzHyphen=mercedes+benz MetaNames=meta Middleware=middle+ware Misunderstand=miss+understand',
  'Misunderstood=miss+understood Misuse=miss+use Misused=miss+used Monumentous=monumentous,monumentously',
  'MootPoint=mute MoreThanMeetsTheEye=meets+the MoreThatLikely=that+likely Multicore=multi+core',
  'Multimedia=multi+media Multithreading=threading MyHouse=mu Myself=my+self NeedHelp=ned+help',
  'NeitherHereNorThere=it+s,that+s NerveRacking=nerve NervousWreck=nerve NobelPeacePrize=prise,nobel,noble',
  'Nonetheless=none+the NotIn=no+in NotLongAfter=not+along,afterward NotOnly=no+only Nothing=no+thing',
  'Notwithstanding=with+standing NowKnownAs=now+know NowWay=now+way Nowadays=now+a,adays,aday,nowaday,nowa',
  'Nowhere=no+where OceansAndSeas=sea,ocean OffTheCuff=cuff OldWivesTale=old+wise OnFirstGlance=first+glance',
  'OnSecondThought=second+though OnTheSpurOfTheMoment=spurt,spur OnTopOf=ontop,topof,top+off,in+top',
  'OnceInAWhile=once+and,once+a OneFellSwoop=swoop OneHanded=handed OperatingSystem=operative OutOfSync=of+sink',
  'Overclocking=clocking Overload=over+load Overnight=over+night OvertimeCompoundNoun=over+time',
  'PartsOfSpeech=of+speeches PassersBy=passerbys,bys PasswordProtectedHyphen=password+protected',
  'Payed=overpayed,payed PeaceOfMind=of+mind PedalToTheMetal=pedal+to PeekBehindTheCurtain=the+curtain',
  'Piggyback=piggy PleasRequestVerb=pleas PocketCastsNames=casts PointsOfView=of+views PortAuPrince=au',
  'PortoNovo=novo PostItNoteHyphen=post+it Postpone=pone PrayingMantis=preying',
  'PrincipleToPrincipalRoleNoun=principle Proofread=proof+read ProperNouns=bhagavad,gilded,pax,jim+crow',
  'QuiteMany=quite+many RainbowColoredHyphen=colored,coloured RallyToReally=rally RapidFire=rapid+fire',
  'ReadsAndWrites=and+writes RealTrouper=trooper RedundantThat=that+that Regardless=regard+less',
  'RelayOnForRely=relay+on ResponsibilityFor=responsibility+of RifeWith=ripe+with RiseTheQuestion=the+question',
  'RulesOfThumb=thumbs ScantilyClad=scandally ScapeGoat=escape+goat,goats SeamToSeem=seam,seams',
  'Shortcoming=short+coming Shortcomings=comings ShutdownVerb=shutdown SimilarLike=similar+like',
  'SimpleGrammatical=grammatical SneakPeekPreview=sneak SneakingSuspicion=sneaky SomeOfThe=some+the',
  'Somebody=some+body SomebodyElses=somebody+s Somehow=some+how Someone=some+one Somewhere=some+where',
  'SoonerOrLater=than+later SpecialAttention=spacial SpinalChord=chord,chords StateOfTheArt=of+art',
  'StatuteOfLimitations=of+limitations StrikeChord=a+cord SubjunctiveWasToWere=i+wish,if+only',
  'SufficeItToSay=suffice SupposedTo=suppose+to TakeItPersonally=it+personal Tenfold=ten+fold ThanksALot=thanks+lot',
  'ThatChallenged=the+challenged ThatThis=the+this The=teh,te,t+he TheAnother=the+another',
  'TheDifferenceBetween=differents,different+between TheEntiretyOf=entire+of TheWhetherWeather=the+whether',
  'There=the+re ThereAfterCompound=there+after ThereMissingIsClause=there+another,there+an,there+a Therefore=fore',
  'Thereupon=there+upon TheyreToTheir=they+re ThieveNoun=thieve ThoughtProcess=though+process ThreatenVerb=threat',
  'TickingTimeClock=ticking ToBackOut=backout ToGreatLengths=through+great,great+length ToSomeDegree=some+degree',
  'ToWorryAbout=to+worried TomorrowPossessiveModifier=tomorrows TongueInCheek=cheek Towards=to+towards',
  'TrialAndError=trail+and TrueToWord=true+to TruthToTheFact=truth+to TuffEnough=tuff TumblrNames=tumblr',
  'TurnItOff=turn+i,it+of Underclock=under+clock UnderneathOf=underneath+of',
  'UnitedOrganizations=united+nations,united+airlines,united+arab,united+kingdom,united+states Unless=unless+if',
  'Upset=up+set Upward=up+ward UseToUsedTo=use+to VerseAsVerb=verse,versing,versed,verses+against',
  'VeryKnown=very+known WasComprisedOf=was+comprised WaveFunction=wavefunction WellBeing=wellbeing',
  'WellKept=highly+kept,kept Whereupon=where+upon WhetYourAppetite=wet+your Widespread=wide+spread',
  'WillContain=will+contains Without=with+out WithoutOut=without+out WokVerbTypo=wok Worldwide=world+wide',
  'WorseOrWorst=worst,worse+case,worse WorstCaseScenario=scenario Worthwhile=worth+while WreakHavoc=havoc',
  'WroteToRote=memorisation,memorization,by+wrote,memorizing,wrote+learning WroughtIron=rot,rod YehToYeah=yeh',
  'Yourself=your+self',
]
  .flatMap((line) => line.split(' '))
  .map((rule) => rule.split('='));

/** The names of these rules. */
export const PHRASE_RULES: ReadonlySet<string> = new Set(OF_PHRASES.map(([name]) => name as string));

const WORDS = new Set<string>();
/** The second words of the pairs by their first. */
const PAIRS = new Map<string, Set<string>>();
for (const sign of OF_PHRASES.flatMap(([, signs]) => (signs as string).split(','))) {
  const [first, second] = sign.split('+') as [string, string?];
  if (second === undefined) WORDS.add(first);
  else PAIRS.set(first, (PAIRS.get(first) ?? new Set()).add(second));
}

/** Whether one of these rules may find something in a text. */
export function mayHavePhrases(text: string): boolean {
  let previous = '';
  for (const [word] of text.toLowerCase().matchAll(/[a-z]+/g)) {
    if (WORDS.has(word) || PAIRS.get(previous)?.has(word) === true) return true;
    previous = word;
  }
  return false;
}
