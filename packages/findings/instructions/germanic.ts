import { phrase } from './phrase.ts';

export const DE = [
  phrase(
    'override',
    'anweisung instruktion regel vorgabe richtlinie befehl prompt anleitung vorschrift beschrankung kontext',
    '(?:ignorier(?:e|t|en|st)?|missacht(?:e|et|en)|vergiss|vergessen sie|vergesst|verwirf|verwerfen sie|uberschreibe?n?|umgehe?n?|befolge?n? (?:sie )?(?:keine|nicht)|beachte?n? (?:sie )?(?:keine|nicht)|setze?n? (?:sie )?dich uber|halte dich nicht(?: mehr)? an|lass|setze)(?:<5>| )(?:bisherig|vorherig|vorig|vorhergehend|obig|fruher|vorangegangen|vorangehend|ursprunglich|bestehend|dein|ihr|eur|aktuell|sonstig|alle|samtlich|system)[a-z]{0,3}(?:<3>| )[a-z-]{0,15}(?:anweisung|instruktion|regel|vorgabe|richtlinie|befehl|prompt|anleitung|vorschrift|beschrankung|kontext)[a-z]{0,3}(?![a-z])',
  ),
  phrase(
    'override',
    'anweisung instruktion regel vorgabe richtlinie befehl prompt',
    '(?:bisherig|vorherig|vorig|obig|fruher|vorangegangen|ursprunglich|dein|ihr|samtlich)[a-z]{1,3}(?:<2>| )[a-z-]{0,15}(?:anweisung|instruktion|regel|vorgabe|richtlinie|befehl|prompt)[a-z]{0,3}(?:<3>| )(?:ignorier|missacht|vergess|verwerf|auss?er acht|ungultig|aufgehoben|nicht mehr)[a-z]{0,3}',
  ),
  phrase(
    'override',
    'alles',
    '(?:vergiss|ignoriere?|vergessen sie|ignorieren sie),? alles,? (?:was|bisherige|vorherige|obige|davor|oben|zuvor)',
  ),
  phrase(
    'address',
    'ki sprachmodell kunstlich chatbot llm assistent',
    '(?:(?:wenn|falls|sofern|da|weil) (?:du|sie|ihr) (?:eine?[nr]? )?|als )(?:ki|sprachmodell|kunstliche intelligenz|chatbot|llm|ki-?[a-z]{1,15}|(?:automatisierte[rs]?|virtuelle[rs]?|digitale[rs]?) (?:assistent|agent|system))(?: (?:bist|sind|seid|dies|diese|das|musst|sollst)(?![a-z]))',
  ),
  phrase(
    'address',
    'ki llm sprachmodell chatbot assistent assistenz kunstlich',
    '(?:achtung|(?:hinweis|nachricht|anweisung(?:en)?|mitteilung|botschaft|wichtig) (?:an|fur)|hallo|liebe[rs]?|hey|an)(?: (?:die|den|das|alle|jede[ns]?|eine?n?|deine|ihre))?,?:? ?(?:kis?|llms?|sprachmodelle?n?|kunstliche[n]? intelligenz(?:en)?|chatbots?|ki-?(?:assistent|system|agent|modell|assistenz)[a-z]{0,3}|(?:e-?mail|mail|virtuelle[rn]?|digitale[rn]?|automatische[rn]?)[- ]?assistente?n?)(?: ?[,:;!]| (?:die|der|das|welche) (?:dies|das |liest|lesen))',
  ),
  phrase(
    'address',
    'ki sprachmodell assistent chatbot',
    '(?:die|jede|der|das|alle) (?:ki|ki-?[a-z]{1,15}|sprachmodell|assistent|chatbot)(?:,? (?:die|der|das) (?:dies|diese|das)[a-z]{0,2}(?: [a-z-]{1,12})? (?:liest|lesen|verarbeitet),?)? (?:muss|soll|hat)(?:<8>| )(?:antworten|ignorieren|weiterleiten|senden|schicken|schreiben|loschen|befolgen|ausgeben|verraten|bestatigen|zu antworten|zu senden)(?![a-z])',
  ),
  phrase(
    'role',
    'jetzt nun sofort ab',
    '(?:(?:du bist|sie sind) (?:jetzt|nun|ab jetzt|ab sofort|von nun an|kein[a-z]{0,2})|(?:ab jetzt|von nun an|ab sofort) (?:bist du|sind sie))(?:<4>| )(?:ki|assistent(?:in)?|chatbot|sprachmodell|dan|(?:entwickler|debug|wartungs|admin)-?modus|[a-z]{0,12}modus|ki-?[a-z]{1,15}|unzensiert[a-z]{0,2}|uneingeschrankt[a-z]{0,2})(?![a-z])|(?:ab jetzt|ab sofort|von nun an),? (?:antwortest|musst|sollst|wirst|gehorchst|handelst) du(?![a-z])|(?:tu|verhalte dich|benimm dich|handle|agiere) (?:so, )?(?:als (?:ob|warst|seist) du|wie) eine? (?:ki|uneingeschrankte|chatbot|sprachmodell)',
  ),
  phrase(
    'prompt',
    'prompt systemnachricht anweisung instruktion',
    '(?:gib|gebt|geben sie|zeige?n?|nenne?n?|verrate?n?|wiederhole?n?|drucke?|offenbare?n?|schreibe?n?|teile?n?|sende?n?|schicke?n?|lies|veroffentliche?|kopiere?n?|lege? offen)(?:<6>| )(?:system-?prompts?|systemnachricht|systemanweisung(?:en)?|(?:ursprunglich|geheim|versteckt|intern|anfanglich|vollstandig)[a-z]{0,2} (?:anweisung|prompt|instruktion)[a-z]{0,3}|dein[a-z]{0,2} (?:prompt|anweisungen|instruktionen)|initialen? prompt)(?![a-z])',
  ),
  phrase(
    'secrecy',
    'nutzer benutzer anwender user besitzer inhaber',
    '(?:(?:sag|sage|sagen sie|erzahle?|verrate?|informiere?n?|benachrichtige?n?|erwahne?n?|erwahnen sie|teile)(?:<4>| )(?:nutzer|benutzer|anwender|user|besitzer|inhaber|kontoinhaber|postfachinhaber)(?:in|n|s)?(?:<4>| )(?:nichts|nicht)|ohne(?: dass)? (?:den|dem|der|die|das) (?:nutzer|benutzer|anwender|besitzer|inhaber|user|kontoinhaber)(?:in|n|s)?(?:<3>| )(?:informieren|fragen|benachrichtigen|merkt|erfahrt|weiss|warnen|sagen))(?![a-z])',
  ),
  phrase(
    'data',
    'nutzer benutzer anwender inhaber besitzer postfach',
    '(?:leite|leiten sie|sende?n?|schicke?n?|ubermittle?n?|exportiere?n?|kopiere?n?|losche?n?)(?:<6>| )(?:des|der) (?:nutzers|benutzers|anwenders|inhabers|besitzers|postfachs|kontoinhabers|nutzerin|benutzerin)(?![a-z])',
  ),
];

export const NL = [
  phrase(
    'override',
    'instructie aanwijzing regel richtlijn opdracht prompt',
    '(?:negeer|negeert|vergeet|sla|volg|omzeil|overschrijf)(?:<5>| )(?:vorige|eerdere|bovenstaande|voorgaande|oorspronkelijke|bestaande|je|jouw|uw|alle|systeem)(?:<3>| )[a-z-]{0,15}(?:instructie|aanwijzing|regel|richtlijn|opdracht|prompt)[a-z]{0,3}(?![a-z])',
  ),
  phrase(
    'address',
    'ai taalmodel kunstmatig chatbot llm assistent',
    '(?:(?:als|indien) (?:je|jij|u)(?: een)? (?:ai|taalmodel|kunstmatige intelligentie|chatbot|llm|ai-?[a-z]{1,15}|(?:virtuele|digitale|geautomatiseerde) assistent)(?: (?:bent|leest))?|(?:let op|(?:bericht|instructies?|opmerking) (?:aan|voor)|hallo|beste|hoi|aan)(?: (?:de|elke|alle))?,?:? ?(?:ai|llm|taalmodel(?:len)?|ai-?(?:assistent|agent|model|systeem)[a-z]{0,3}|chatbots?)(?: ?[,:;!]| die ))',
  ),
  phrase(
    'role',
    'nu vanaf',
    '(?:je bent nu|u bent nu|vanaf nu ben je)(?:<4>| )(?:ai|chatbot|taalmodel|dan|assistent|ontwikkelaarsmodus|zonder (?:beperkingen|regels|filters))(?![a-z])|vanaf nu (?:antwoord|moet|zal|zul|reageer) (?:je|jij)(?![a-z])',
  ),
  phrase(
    'prompt',
    'prompt systeembericht instructie',
    '(?:toon|laat|geef|onthul|herhaal|print|vertel|stuur|deel|schrijf|kopieer)(?:<6>| )(?:systeem-?prompt|systeembericht|(?:oorspronkelijke|geheime|verborgen|interne) (?:instructies|prompt)|je (?:prompt|instructies)|jouw (?:prompt|instructies))(?![a-z])',
  ),
  phrase(
    'secrecy',
    'gebruiker eigenaar',
    '(?:(?:vertel|zeg|informeer|meld|waarschuw)(?:<4>| )(?:gebruiker|eigenaar)(?:<3>| )(?:niets|niet)|zonder (?:de |het )?(?:gebruiker|eigenaar)(?:<3>| )(?:informeren|vertellen|vragen|waarschuwen))(?![a-z])',
  ),
];
