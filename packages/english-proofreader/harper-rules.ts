/**
 * Rules of Harper that are not used: they change style, expand deliberate abbreviations, or prefer one of two correct
 * forms. A correction has to fix a mistake.
 */
export const LEFT_OUT: readonly string[] = [
  // Style rather than mistakes.
  'AvoidCurses BoringWords CondenseAllThe Excellent FatalOutcome FillerWords Freezing Hedging HelloGreeting LitotesDirectPositive LongSentences OkToOkay OxfordComma NoOxfordComma Oxymorons PreferPleaded PreferSneaked RedundantAcronyms RedundantAdditiveAdverbs RedundantFirsts RedundantIIRC RedundantPretty RedundantSelf SendAnEmailTo SomewhatSomething SpelledNumbers Starving ThatWhich UseTitleCase',
  'VeryMuchSo VeryUnique WholeEntire WouldNeverHave Addicting HaveTakeALook InOnTheCards OutOfTheWindow HungerPang HomeInOn ChampAtTheBit TheyreToTheir AvoidAndAlso SplitInfinitive ToTheMannerBorn AnotherThingComing DenyOffer Damages Cybersec RedundantSuperlatives FindOut Audible Brutality Insensitive Insurmountable Surreality Touristic MultipleFrequencyAdverbs SideTangent',
  // Wrong too often.
  'IncludingButNotLimitedToPunctuation PronounVerbAgreement ThatThan TooTo Overall MissingDeterminer ThereIsAgreement MassNouns TheHowWhy WereWhere DiscourseMarkers MissingTo MissingPreposition ModalBeAdjective QuiteQuiet CorrectNumberSuffix Regionalisms AllowTo WantBe PluralWrongWordOfPhrase VeryLess CriteriaPhenomena PhrasalVerbAsCompoundNoun ToDoHyphen AdjectiveOfA AWhile HopHope ToAdverb',
  'LeftRightHand Alongside AdjectiveDoubleDegree AsHow BackInTheDay Confident DoToDueTo DoubleModal FascinatedBy HowTo InAWhile InDemandInDepth IntroCueCommaBeforeThanks ItTimeAuxiliary MultipleSequentialPronouns NationalCapitals NoLonger NotTo OneOfTheSingular OnFloor OnesSelf ArriveOnWeekday AsToInterrogative BeConcerned BeWorried CantWay CodeInWriteIn ComplainAsNoun ConfirmThat DoesOrDose',
  'EverEvery FedUpWith IfWouldve InvestIn NakedEye NoLongerPronoun OpenTheLight PayForPrice ReasonForDoing ViciousCircle ViciousCircleOrCycle ViciousCycle OutOfDate PassionateAbout PossessiveYour PronounContraction QuantifierNeedsOf SameAs SoonToBe TheirToThere TheProperNounPossessive ObsessPreposition ForAWhile QuantifierNumeralConflict YeaToYeah ProgressiveNeedsBe ToLoseTooLoose USUniversities',
  'ViceVersa WayTooAdjective YourPredicateAdjective RoadMap ClicheAccent GoogleNames CaseSensitive DespiteItIs ArriveTo DayOneNames LetsConfusion AmazonNames NominalWants SinceDuration NeedToNoun NounVerbConfusion SubjectPronoun',
  // Typographic signs that keyboards lack.
  'Dashes EllipsisLength FootInchMinuteSecondSymbols NoFrenchSpaces NumericRangeEnDash UseEllipsisCharacter DegreesKelvin DegreesKelvinSymbol PluralDecades CurrencyPlacement DotInitialisms UnclosedQuotes QuoteSpacing',
  // Deliberate abbreviations and names.
  'AsFarAsICanTell AsFarAsIKnow AsSoonAsPossible BeRightBack ByTheWay ExplainLikeImFive ForWhatItsWorth ForYourInformation IDontKnow IfIRecallCorrectly IfIUnderstandCorrectly IfYouKnowYouKnow InCaseYouMissedIt InMyHumbleOpinion InMyOpinion InRealLife LetMeKnow NeverMind OhMyGod OnTheOtherHand PleaseTakeALook Really TalkToYouLater ToBeHonest ExpandAlgorithm ExpandAlloc ExpandArgument',
  'ExpandConfiguration ExpandControl ExpandCoordinate ExpandDecl ExpandDependencies ExpandDereference ExpandDirectory ExpandFavourite ExpandForward ExpandGovt ExpandLegitimate ExpandMemoryShorthands ExpandMinimum ExpandNotification ExpandParameter ExpandPerformance ExpandPointer ExpandPreference ExpandPrevious ExpandStandardInputAndOutput ExpandTimeShorthands ExpandVulnerability ExpandWith',
  'ExpandWithout ExpandBecause ExpandPeople ExpandThough ExpandThrough EnvironmentVariable IncidentReport BlacklistWhitelist UpdatePlaceNames',
].flatMap((line) => line.split(' '));
