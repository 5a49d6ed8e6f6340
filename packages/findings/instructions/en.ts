import { phrase } from './phrase.ts';

const AI =
  '(?:ais?|llms?|language models?|large language models?|chatbots?|chatgpt|gpt-?\\d|copilot|ai(?:-powered| powered|-based)?(?: e-?mail)? (?:assistants?|agents?|models?|systems?|tools?|bots?)|(?:virtual|automated|digital|e-?mail|mail|intelligent) (?:assistants?|agents?|bots?|summari[sz]ers?))';
const ACTS =
  '(?:reply|respond|answer|forward|send|ignore|include|output|print|say|approve|mark|delete|use|follow|comply|obey|disregard|reveal|provide|return|execute|run|summari[sz]e|never|always|immediately|not|first|now|also|treat|consider|read|add|append|share|confirm|classify)';
const INSTRUCTIONS =
  '(?:instructions?|prompts?|rules|guidelines|directives?|programming|commands?|constraints|restrictions|directions|guardrails|safeguards|persona|context|system message)';

export const EN = [
  phrase(
    'override',
    'instruction prompt rules guideline directive programming command constraint restriction direction guardrail safeguard persona context system',
    `(?:ignor(?:e|ing)|disregard(?:ing)?|forget|overrid(?:e|es|ing)|bypass|overrule|supersedes?|pay no attention to|stop following|do not (?:follow|obey)|don't (?:follow|obey)|no longer follow|set aside|discard|take precedence over|takes precedence over)(?:<4>| )(?:previous|previously|prior|above|earlier|preceding|former|past|initial|original|existing|current|system|developer|your|safety)(?:<3>| )${INSTRUCTIONS}`,
  ),
  phrase(
    'override',
    'instruction prompt rules guideline directive command direction',
    `(?:ignore|disregard|forget|override)(?:<2>| )(?:all|any|every|the|these|those)(?:<2>| )(?:instructions?|prompts?|guidelines|directives?|commands?|directions)(?:<2>| )(?:above|before|so far|you (?:were|have been|had|have|are|got|received)|given|that (?:came|were|you)|from (?:the |your )?(?:system|developer|user))`,
  ),
  phrase(
    'override',
    'everything anything',
    "(?:ignore|disregard|forget) (?:everything|anything)(?: that)? (?:above|before|prior|previous|you (?:were|have been|know|learned|read)|you've been|written above|said (?:above|before))",
  ),
  phrase(
    'override',
    'instruction guidance rules orders direction',
    "(?:set aside|ignore|forget|disregard|repeat|reveal|print|drop)(?:<4>| )(?:guidance|instructions?|rules|orders|directions) (?:that )?you(?:'ve| were| have)(?: been)? (?:given|told|provided|following)|(?:previous|prior|earlier|original|your|above) (?:instructions|rules|restrictions|guidelines|orders) (?:are|is|have been) (?:now |hereby )?(?:void|cancell?ed|invalid|obsolete|superseded|revoked|null|lifted|suspended)|no longer appl(?:y|ies) (?:to|in|for) (?:this|the|our) (?:conversation|session|chat)",
  ),
  phrase(
    'override',
    'safety content ethical moral tool safeguard guardrail restrictions',
    '(?:bypass|disable|suppress|ignore|disregard|turn off|override|lift|remove|deactivate|circumvent|skip) (?:your|all|any)(?: of)?(?: your)? (?:safety|content|ethical|moral|tool|security)(?: \\w{1,12})? (?:filters?|filtering|checks?|restrictions?|settings?|rules|guidelines|guardrails|protocols?|constraints)|(?:tool|safety) restrictions are (?:now )?(?:lifted|disabled|removed)|obey (?:only me|me only|only my)',
  ),
  phrase(
    'address',
    'you',
    `(?:if|when|since|because|as) you(?:'re| are)(?:<2>| )(?:ai|llm|language model|large language model|chatbot|chatgpt|(?:ai|virtual|automated|digital|e-?mail|mail|helpful)(?:-powered| powered)?(?: e-?mail)? (?:assistant|agent|model|system|bot|tool))(?![a-z-])`,
  ),
  phrase(
    'address',
    'dear attention hey hello note message instruction important notice hi reminder command',
    `(?:dear|attention|hey|hello|hi|(?:note|message|instructions?|important|notice|reminder|commands?|directive) (?:to|for))(?: (?:the|any|all|an?|our|every))?,? ?:? ?${AI}(?: (?:reading|processing|that|who|which|handling|and)|[,:;!.]| -|$)`,
  ),
  phrase(
    'address',
    'reading processing parsing summari handling analy reads process',
    `${AI} (?:(?:currently |that is |that are |who is )?(?:reading|processing|parsing|summari[sz]ing|handling|analy[sz]ing|scanning)|(?:that|who|which) (?:reads?|process(?:es)?|handles?|summari[sz]es?|scans?)) (?:this|these|my|the|your|it)(?![a-z])`,
  ),
  phrase(
    'address',
    'ai llm language chatbot assistant',
    `(?:the|any|every|all|an) (?:ai|llms?|language models?|chatbots?|(?:ai|e-?mail|automated) (?:assistants?|agents?|models?|systems?)|assistant)(?: (?:reading|processing) this(?: \\w{1,12})?)? (?:must|should|shall|has to|have to|needs? to|is (?:required|instructed|authorized|permitted|asked) to|are (?:required|instructed) to) ${ACTS}(?![a-z])`,
  ),
  phrase(
    'address',
    'as a',
    `as an? ${AI},? you (?:must|should|will|shall|need to|have to|are (?:required|instructed|expected|asked) to)(?![a-z])`,
  ),
  phrase(
    'role',
    'you are',
    `you are (?:now|no longer|from now on|henceforth|hereby)(?:<4>| )(?:ai|(?:ai|virtual|helpful|new|different|evil|personal|obedient|rogue) assistant|chatbot|llm|language model|dan|jailbroken|unrestricted|unfiltered|uncensored|(?:developer|debug|maintenance|admin|god|sudo|jailbreak|root) mode|persona)(?![a-z])`,
  ),
  phrase(
    'role',
    'act behave respond pretend roleplay role-play simulate',
    `(?:act|behave|respond|pretend|roleplay|role-play|simulate|play)(?: as(?: if you (?:are|were))?| like| to be| the role of)?(?:<3>| )(?:(?:an?|the) ai|dan|chatbot|llm|language model|unrestricted|unfiltered|uncensored|jailbroken|evil assistant|ai (?:assistant|model|without))(?![a-z])`,
  ),
  phrase(
    'role',
    'pretend act behave you mode override',
    "(?:pretend|act as if|behave as if) (?:that )?you(?:'re| are| were)(?:<4>| )(?:ai|llm|language model|chatbot|bound by|unrestricted|free from)(?![a-z])|you are an? (?:unrestricted|unfiltered|uncensored|jailbroken) |(?:switch to|enter|enable|activate|turn on) (?:unrestricted|unfiltered|uncensored|jailbreak|god|dan)(?: ai)? mode|(?:unrestricted|jailbreak|developer|god|dan|debug|admin) mode (?:is )?(?:now )?(?:activated|enabled|on)[^a-z]|system override (?:is )?(?:now )?(?:activated|enabled|initiated|engaged)|(?:enable|enter) developer mode and ",
  ),
  phrase(
    'role',
    'now on starting henceforth anything',
    '(?:from now on|starting now|from this point on(?:ward)?|henceforth),? you (?:will|must|shall|are to|should|only|are)(?: (?:only|always|never|now))? (?:respond|reply|answer|act|behave|speak|output|ignore|follow|obey|pretend|operate|comply|forward|include)(?![a-z])|do anything now',
  ),
  phrase(
    'prompt',
    'prompt instruction system message',
    "(?:reveal|print|show|repeat|output|display|tell (?:me|us)|give me|share|send|leak|disclose|expose|write|recite|quote|copy|include|paste|summari[sz]e|what(?:'s| is| are| were)|dump|return|attach|reply with|respond with|translate)(?:<6>| )(?:system (?:prompt|message|instructions)|(?:initial|hidden|original|secret|internal|full|complete|entire) (?:system )?prompt|(?:hidden|secret|internal|initial) instructions|your (?:exact |full |entire )?(?:prompt|(?:system|initial|original|hidden|internal|core|secret) instructions)|(?:prompt|instructions) (?:you were given|verbatim|above verbatim))(?![a-z])",
  ),
  phrase(
    'secrecy',
    'tell inform notify alert mention reveal disclos warn let',
    `(?:do not|don't|never|must not|without|avoid)(?: (?:ever|explicitly))? (?:tell(?:ing)?|inform(?:ing)?|notify(?:ing)?|alert(?:ing)?|mention(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|warn(?:ing)?|let(?:ting)?)(?:(?:<5>| )(?:the|your)(?: \\w{1,12})?)? (?:user|human|owner|account holder|operator|inbox owner)(?: know| (?:about|of|that|anything|what)|[.,!;)]|$)|(?:the )?user (?:can't|cannot|must not|will not|won't|should not|shouldn't) (?:see|know|notice|be told)(?![a-z])`,
  ),
  phrase(
    'data',
    'user owner account',
    "(?:forward|send|export|upload|copy|transfer|exfiltrate|share|collect|include|list|extract|leak|delete|wire)(?:<6>| )(?:user|mailbox owner|account holder|inbox owner|owner)'s(?:<3>| )(?:e-?mails?(?! addr)|inbox|contacts?|messages|passwords?|credentials|data|files|calendar|address book|secrets?|keys?|documents|conversations?|history|mailbox|information|details)(?![a-z])",
  ),
  phrase(
    'data',
    'mail message',
    '(?:(?:use|call|invoke|trigger|execute|run) (?:your |the )["\'`]?(?:send[-_ ]?e?-?mail|send_message|forward[-_ ]?e?-?mail|delete[-_ ]?e?-?mails?|e-?mail)["\'`]?(?:\\(\\))? (?:tool|function|api|action|plugin)|(?:classify|mark|label|treat) this (?:e-?mail|message|mail) as (?:safe|legitimate|trusted|verified|benign|not spam|approved|pre-?approved)|when (?:summari[sz]ing|parsing|processing|analy[sz]ing) this (?:e-?mail|message|mail|document|text)|(?:begin|start|end|prefix) your (?:response|output|summary) with)',
  ),
  phrase(
    'data',
    'user',
    'the (?:user|human|account holder) (?:has|have) (?:already |explicitly |previously )?(?:authorized|authorised|approved|consented|pre-?approved|confirmed|granted)(?:<4>| )(?:this|you|all|the action|permission|transfer|request)|(?:new|updated|real|true|actual) (?:system instructions?|system prompt(?![a-z])|instructions? for the (?:ai|assistant|model))|your (?:real|true|actual|only|new)(?: primary| core| main)? (?:task|goal|objective|mission|purpose|directive) (?:is|are)(?: now)? to',
  ),
  phrase(
    'data',
    'e_ send_ forward_ delete_ reply_ create_ forward( send( reply( agent assistant silently secretly user asks summari',
    '(?:send|forward|delete|reply|create)_(?:e?mails?|reply|message|inbox|event)(?: on | to | with |\\( ?["\'`{])|(?:forward|send|reply)\\([^()]{0,80}@|(?:you|reader) \\((?:the |an? )?(?:ai|agent|assistant|model|llm)(?: assistant| agent)?\\)|(?:silently|secretly|covertly)(?: also)? (?:call|invoke|forward|send|execute|run|bcc)(?![a-z])|(?:call|invoke|forward)(?:<8>| )(?:silently|secretly)(?![a-z])|when (?:the )?user (?:next )?asks? you|when (?:you )?summari[sz](?:e|ing) (?:this|the) (?:thread|inbox|conversation|mail|e-?mail)',
  ),
  phrase(
    'data',
    'inbox mailbox',
    '(?:list|listing|forward|send|export|include|including|containing|encode|reply|append|summary|contents|attach|extract|dump)(?:<4>| )(?:all|every|each|any|last \\d{1,3}|contents|summary|subjects|bodies)(?:<6>| )(?:in|of|from) (?:your|the|this|their) (?:inbox|mailbox)(?![a-z])|summary of (?:your|the) (?:inbox|mailbox)|(?:your|the) (?:inbox|mailbox) (?:contents|summary)|<?inbox_summary>?',
  ),
];
