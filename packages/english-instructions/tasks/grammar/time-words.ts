import type { Domain } from '../../language/grammar.ts';
import { DAYS } from './times.ts';

/** The words of questions about dates, times and places. */
export const TIME_WORDS: NonNullable<Domain['lexicon']> = {
  ZONE: 'time zone|timezone|tz|time-zone',
  'day-own': Object.fromEntries([...DAYS, 'yesterday', 'tomorrow'].map((name) => [`${name}'s|${name}s`, name])),
  end: { 'later|last|more recent': true, 'earlier|first|sooner': false },
  counted: {
    'days|day|nights|night|sleeps|sleep': 'days',
    'weeks|week': 'weeks',
    'months|month': 'months',
    'years|year': 'years',
    'hours|hour|hrs': 'hours',
    'minutes|minute|mins': 'minutes',
    'seconds|secs': 'seconds',
    'weekends|weekend': 'weekends',
    ...Object.fromEntries(DAYS.map((name) => [`${name}s`, `${name}s`])),
    'business days|working days|workdays|work days|week days|weekdays|business day|working day': 'business',
  },
  DAYPART:
    'morning|afternoon|evening|night|night time|nighttime|day time|daytime|noon|midnight|past noon|past midnight|after noon|after midnight|before noon|lunchtime|lunch time|bedtime|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend|the weekend|early|late',
  UNTIL: 'until|till|to|before|til|left until|left till|to go until|remaining until|left before',
  SINCE: 'since|have passed since|passed since|has it been since|have gone by since|is it since',
  THERE: 'are there|is it|are|is|left|do i have|do we have|are left|remain|remaining|there are|there is|will it be',
  WHATS:
    "what date was it|what day was it|which date was it|which day was it|what is|what's|whats|what was|when is|when's|when was|when will be|what will be|which is|tell me|give me|calculate|find|on what date is|what date is|what date was|what date will be|which date is|when does|what would be|what will the date be|what date will it be|what day will it be|what's the date|what date is it|which date is it|what date will that be",
  BEGINS:
    'leaves at|leaves|departs at|departs|takes off at|sets off at|sailed at|left at|departed at|took off at|starts|begins|is|runs|goes|starts at|begins at|is at|runs from|started|began|started at|is from|opens|opens at|from',
  ENDS: 'lands at|lands|arrives at|arrives|gets in at|gets there at|gets back at|landed at|arrived at|got in at|finished at|is over at|docks at|ends|finishes|stops|ends at|finishes at|until|to|till|lasts until|ended|ended at|closes|closes at',
  EVENTLIKE:
    'meeting|shift|class|lesson|appointment|call|flight|movie|film|show|exam|party|event|trip|train|lunch|work|school|course|lecture|concert|game|match|session|workshop|departure|kick-off|kickoff|interview|bus|ferry|play|wedding|ceremony|dinner|start|screening|performance|check-in|boarding|gig|rehearsal|service|talk',
  WHEN: "when is|when's|whens|when was|when will be|when does|when are|what date is|what date was|what date will be|which date is|on what date is|on which date is|on what date does|date of|the date of|what is the date of|what's the date of|give me the date of|tell me the date of|what date does|when will it be",
  DAYOF:
    'on which weekday falls|on what day falls|on which day falls|which weekday falls|what day is|what day was|which day is|which day was|what day will be|weekday of|the weekday of|weekday for|what weekday is|what weekday was|which weekday is|which weekday was|what day of the week is|what day of the week was|what day of the week will be|which day of the week is|day of the week of|on what day does|on which day does|on what day of the week does|what day does|on what weekday does|on what day will|on what day is|on which day is|on what day was|on which day was|on what weekday is|what day of the week does|which day does|what weekday does',
  FALL: 'come on|come|occur|occur on|fall in|fall|fall on|be|on|land on|happen',
  TODAYS:
    "today's date|todays date|the date|the date today|date|date today|current date|the current date|today's day|today|the day today|the date of today",
  WHATDAY:
    'what day of the month is it|what date of the month is it|what day is it|what date is it|what day is today|what date is today|what day it is|what date it is|which day is it|which date is it|what is today|what day is it today|what date is it today|which day is today',
  NOWADAYS: 'rn|atm|right now|now|currently|at the moment|at present|presently|just now|today|at this moment',
  CLOCKS:
    "what time is it|what time it is|which time is it|which time it is|what's the time|whats the time|what is the time|the time|time|current time|the current time|local time|the local time|what is the current time|what's the current time|what is the local time|what time do they have|what time is it now|what is the exact time|the exact time|what time|which time|what's the local time|what time do people have|what time of day is it|what time is it currently|what time is it right now|which time it is now|time now|what time do they have now|what time does it show|clock",
  SHOWME: 'tell me|give me|show me|send me|get|get me|do you know|can you tell me|say|tell us|show',
  UNIX: 'unix timestamp|unix time|epoch time|epoch|unix epoch|epoch timestamp|timestamp|unix|epoch seconds|unix time stamp|unix seconds|unix epoch time|the unix timestamp|the unix time|the epoch|a unix timestamp|the timestamp|a timestamp|unix timestamps',
  CURRENT:
    "current|the current|what is the current|what is the|what is|what's the|what's the current|now as|give me the current|give me the|the|now in|today as|current time as|current time in",
  READABLE:
    'date|a date|time|a time|datetime|utc|date and time|a date and time|human readable|a human readable date|a readable date|human readable date|readable date|human date',
  COMESON:
    'is on|is due on|is due|is|falls on|starts on|starts|begins on|begins|are on|are|due|due on|due back|expires on|expires|runs out on|ends on|ends|opens on|takes place on|happens on',
  TOGO: 'to go|until then|till then|is that|left|away is that|away is it|are left|do i have|do i have left|do we have|is it|away|from now|from now is that|until that|remain|remaining|from today|is that from now|is that from today|is left',
  BORN: 'born|born on|born in|who was born on|who was born in|who was born|who is born on|if born on|if i was born on|if i was born in|if i was born|born at|if they were born on|if he was born on|if she was born on|when born on|with birthday on|whose birthday is',
  SOMEONE:
    'am i|will i be|will he be|will she be|was i|was he|was she|is someone|is somebody|is he|is she|is a person|are you|would i be|would someone be|someone|somebody|a person|me|anyone|is anyone|are they',
  LEAPYEAR: 'leap year|leapyear|a leap year|a leapyear|leap',
  WEEKNO:
    'week|current week number|current week|the current week number|calendar week|week number|iso week|the week number|what week|which week|what week number|which week number|which calendar week|what calendar week|what is the week number|the calendar week|week of the year|what iso week|week no|calendar week number|iso week number|which iso week|what is the calendar week|what is the iso week',
  DAYOFYEAR:
    'day of the year|the day of the year|which day of the year|what day of the year|what is the day of the year|day number of the year|day number|what day number|which day number',
  ISIT: 'is it|are we in|is this|it is|of today|now|is it now|of the year|of the year is it|of the year are we in|this week|is it this week|is it today|are we in now',
  PASSED:
    'is that ago|ago is that|ago was that|is that|was that|have passed|have passed since|old am i|have i lived|have i been alive|has it been|ago|ago is it|ago was it|is it ago|have passed since then|is that now',
  RELATIVE:
    'he|she|i|they|my son|my daughter|my dad|my father|my mum|my mom|my mother|my wife|my husband|my brother|my sister|my grandma|my grandpa|my friend|my cat|my dog|our son|our daughter|my kid|my child|my baby|a person|someone',
  ISHE: 'am i|is he|is she|are they|is that|is it|he is|she is|they are|i am',
  EVENT:
    'i was born|i was born on|i was born in|we were married|we were married on|we married on|we got married on|my birthday is|my birthday was|i am born on|he was born on|she was born on|it was founded on|it was founded in|we met on|i started on|i joined on|it started on|i quit smoking on|i moved here on|they were born on|my date of birth is|my birth date is|i was there on|it was on',
};
