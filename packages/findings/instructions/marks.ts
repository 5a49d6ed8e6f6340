import { phrase } from './phrase.ts';

/** What separates the turns of a conversation with a model, in the templates of several makers. */
export const MARKS = [
  phrase(
    'marks',
    '<| [inst] [/inst] <<sys>> <</sys>>',
    '<\\|(?:im_start|im_end|im_sep|system|user|assistant|endoftext|end_of_turn|start_header_id|eot_id|begin_of_text|endofprompt)\\|>|\\[/?inst\\]|<</?sys>>',
  ),
  phrase(
    'marks',
    'start_of_turn system_prompt system-reminder assistant> user_query tool_call function_calls tool_result',
    '</?(?:start_of_turn|end_of_turn|system_prompt|system-prompt|system-reminder|assistant|user_query|tool_calls?|tool_results?|function_calls|function_results)>',
  ),
  phrase(
    'marks',
    'system instruction admin developer',
    '(?:<system>|\\[(?:system|admin|developer|assistant)(?: (?:message|note|prompt|instructions?|override|notice|alert|update))?\\]|[#=*]{2,6} ?(?:new |updated )?(?:system|developer|admin)(?: (?:message|note|prompt|instructions?|override|notice|update))?:? ?[#=*]{0,6}|(?:begin|end|start) (?:of )?(?:system|hidden|developer) (?:prompt|message|instructions?)|system (?:prompt|message|instructions?|override|note|notice|update)? ?:|assistant:) ?[^a-z]{0,3}(?:you |ignore|disregard|override|forget|the (?:assistant|ai|model|user|agent|account owner|mailbox owner|owner)|new |from now|do not|forward|send|always|for |all |please|instructions?|this )',
  ),
  phrase(
    'marks',
    'system: assistant: developer: internal',
    '(?:system|assistant|developer) ?: ?(?:ignore |disregard |override |forget |you are (?:now|an?) |forward |the (?:user|assistant|account owner) (?:has|must|should))|[=#*-]{2,6} ?(?:assistant|system|developer|agent) internal ?[=#*-]{2,6}|new system (?:message|prompt|instruction) from',
  ),
];
