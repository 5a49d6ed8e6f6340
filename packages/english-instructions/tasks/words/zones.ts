import { remembering } from './remembering.ts';

/** Names beside the zone's own city: countries (by capital), big cities, abbreviations; by zone. */
const ALIASES: Readonly<Record<string, string>> = {
  UTC: 'utc|z|zulu|zulu time|gmt|greenwich|greenwich mean time|coordinated universal time|universal time|universal|etc/utc|etc/gmt',
  'Europe/London':
    'bst|uk|united kingdom|great britain|britain|england|scotland|wales|british|edinburgh|manchester|liverpool|birmingham|glasgow|oxford|cambridge|bristol|leeds|cardiff|belfast|gb',
  'Europe/Dublin': 'ireland|irish|cork',
  'Europe/Berlin':
    'cet|cest|mez|germany|german|munich|münchen|hamburg|frankfurt|cologne|köln|stuttgart|dresden|leipzig|bonn|central european',
  'Europe/Paris': 'france|french|lyon|marseille|nice|toulouse|strasbourg',
  'Europe/Madrid': 'spain|spanish|barcelona|valencia|seville',
  'Europe/Lisbon': 'portugal|porto',
  'Europe/Rome': 'italy|italian|milan|naples|florence|turin|venice',
  'Europe/Zurich': 'switzerland|swiss|zürich|geneva|genf|basel|bern',
  'Europe/Vienna': 'austria|wien|salzburg|graz',
  'Europe/Amsterdam': 'netherlands|the netherlands|holland|dutch|rotterdam|the hague|utrecht',
  'Europe/Brussels': 'belgium|antwerp|bruges',
  'Europe/Luxembourg': 'luxemburg',
  'Europe/Copenhagen': 'denmark|danish',
  'Europe/Stockholm': 'sweden|swedish|gothenburg',
  'Europe/Oslo': 'norway|norwegian|bergen',
  'Europe/Helsinki': 'finland|finnish|eet|eest',
  'Europe/Warsaw': 'poland|polish|krakow|kraków|warszawa',
  'Europe/Prague': 'czechia|czech republic|the czech republic|praha',
  'Europe/Budapest': 'hungary',
  'Europe/Athens': 'greece|greek|thessaloniki',
  'Europe/Istanbul': 'turkey|türkiye|ankara|turkish',
  'Europe/Kyiv': 'ukraine|kyiv|kiev|odesa|lviv',
  'Europe/Moscow': 'russia|msk|st petersburg|saint petersburg',
  'Europe/Bucharest': 'romania',
  'Europe/Sofia': 'bulgaria',
  'Europe/Belgrade': 'serbia',
  'Europe/Zagreb': 'croatia',
  'Atlantic/Reykjavik': 'iceland|reykjavík',
  'America/New_York':
    'et|est|edt|nyc|ny|new york city|eastern|us eastern|boston|miami|washington|washington dc|washington d.c.|dc|philadelphia|atlanta|orlando|us|usa|united states|the us|the usa|america|east coast|baltimore|pittsburgh|cleveland',
  'America/Chicago':
    'ct|cst|cdt|central|us central|dallas|houston|austin|minneapolis|new orleans|st louis|nashville|memphis|kansas city|texas|san antonio|milwaukee',
  'America/Denver': 'mt|mst|mdt|mountain|us mountain|salt lake city|colorado|albuquerque',
  'America/Phoenix': 'arizona|tucson',
  'America/Los_Angeles':
    'pt|pst|pdt|pacific|us pacific|la|l.a.|san francisco|sf|seattle|portland|san diego|las vegas|california|west coast|silicon valley|san jose|oakland|sacramento',
  'America/Anchorage': 'alaska|akst|akdt',
  'Pacific/Honolulu': 'hawaii|hst|hawaiian',
  'America/Toronto': 'canada|ottawa|montreal|montréal|quebec',
  'America/Vancouver': 'victoria|british columbia',
  'America/Edmonton': 'calgary|alberta',
  'America/Halifax': 'ast|adt|nova scotia',
  'America/Mexico_City': 'mexico|guadalajara|mexico df',
  'America/Sao_Paulo': 'brazil|brt|rio|rio de janeiro|são paulo|brasilia|brasília',
  'America/Argentina/Buenos_Aires': 'argentina|buenos aires',
  'America/Santiago': 'chile',
  'America/Bogota': 'colombia|bogotá|medellin|medellín',
  'America/Lima': 'peru',
  'America/Caracas': 'venezuela',
  'America/Montevideo': 'uruguay',
  'Africa/Cairo': 'egypt|alexandria',
  'Africa/Johannesburg': 'south africa|sast|cape town|pretoria|durban',
  'Africa/Lagos': 'nigeria|wat|abuja',
  'Africa/Nairobi': 'kenya',
  'Africa/Casablanca': 'morocco|rabat|marrakesh|marrakech',
  'Africa/Accra': 'ghana',
  'Africa/Addis_Ababa': 'ethiopia',
  'Africa/Algiers': 'algeria',
  'Africa/Tunis': 'tunisia',
  'Asia/Jerusalem': 'israel|tel aviv|idt|haifa',
  'Asia/Beirut': 'lebanon',
  'Asia/Dubai': 'uae|united arab emirates|the uae|abu dhabi|gst',
  'Asia/Riyadh': 'saudi arabia|jeddah|mecca|ksa',
  'Asia/Qatar': 'doha',
  'Asia/Tehran': 'iran',
  'Asia/Baghdad': 'iraq',
  'Asia/Karachi': 'pakistan|islamabad|lahore|pkt',
  'Asia/Kolkata':
    'india|ist|indian|kolkata|calcutta|delhi|new delhi|mumbai|bombay|bangalore|bengaluru|chennai|hyderabad|pune',
  'Asia/Kathmandu': 'nepal|kathmandu|katmandu',
  'Asia/Dhaka': 'bangladesh',
  'Asia/Colombo': 'sri lanka',
  'Asia/Yangon': 'myanmar|yangon|rangoon',
  'Asia/Bangkok': 'thailand|thai|phuket|chiang mai',
  'Asia/Ho_Chi_Minh': 'vietnam|ho chi minh|ho chi minh city|saigon|hanoi',
  'Asia/Jakarta': 'indonesia|wib',
  'Asia/Makassar': 'bali|denpasar',
  'Asia/Kuala_Lumpur': 'malaysia|kl',
  'Asia/Singapore': 'sgt|sg',
  'Asia/Manila': 'philippines|the philippines|pht|cebu',
  'Asia/Shanghai': 'china|chinese|beijing|peking|shenzhen|guangzhou|chengdu',
  'Asia/Hong_Kong': 'hkt|hk',
  'Asia/Taipei': 'taiwan',
  'Asia/Tokyo': 'japan|jst|japanese|osaka|kyoto|yokohama|sapporo',
  'Asia/Seoul': 'korea|south korea|kst|korean|busan',
  'Asia/Pyongyang': 'north korea',
  'Asia/Tashkent': 'uzbekistan',
  'Asia/Almaty': 'kazakhstan|astana',
  'Asia/Tbilisi': 'georgia',
  'Australia/Sydney': 'australia|aest|aedt|canberra|new south wales|nsw',
  'Australia/Brisbane': 'queensland|gold coast',
  'Australia/Adelaide': 'acst|acdt|south australia',
  'Australia/Perth': 'awst|western australia',
  // By the name of their city alone these would be holidays.
  'Pacific/Easter': 'easter island',
  'Indian/Christmas': 'christmas island',
  'Pacific/Auckland': 'new zealand|nz|nzst|nzdt|wellington|christchurch',
};

let zonesByName: Map<string, string> | undefined;

/** Read with the first name, because the runtime's list takes some milliseconds. */
function names(): Map<string, string> {
  if (zonesByName !== undefined) return zonesByName;
  zonesByName = new Map();
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const city = zone.slice(zone.lastIndexOf('/') + 1);
    // "Etc/GMT+5" is five hours west, the opposite of what "GMT+5" usually means.
    if (!zone.startsWith('Etc/')) zonesByName.set(city.replaceAll('_', ' ').toLowerCase(), zone);
  }
  for (const [zone, aliases] of Object.entries(ALIASES)) {
    zonesByName.set((zone.split('/').at(-1) as string).replaceAll('_', ' ').toLowerCase(), zone);
    for (const alias of aliases.split('|')) zonesByName.set(alias, zone);
  }
  for (const feast of ['easter', 'christmas']) zonesByName.delete(feast);
  return zonesByName;
}

const OFFSET = /^(?:utc|gmt)?\s?([+\-−])(\d{1,2})(?::?(\d{2}))?$/;

/** "UTC+2" is `Etc/GMT-2`, because POSIX counts westward. Offsets with a half hour have no IANA name and stay offsets. */
function ofOffset(sign: string, hours: number, minutes: number): string | undefined {
  if (hours > 14 || minutes > 59) return undefined;
  const east = sign === '+';
  if (hours === 0 && minutes === 0) return 'UTC';
  if (minutes === 0 && (east || hours <= 12)) return `Etc/GMT${east ? '-' : '+'}${hours}`;
  return `${east ? '+' : '-'}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
}

const IANA = /^[a-z][a-z_]{1,20}\/[a-z][a-z_+\-/0-9]{1,40}$/;

function ofIana(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** Whether the city is the one that the zone is named after. */
const isOwnCity = (name: string, zone: string): boolean =>
  (zone.split('/').at(-1) as string).replaceAll('_', ' ').toLowerCase() === name;

/** The name of the note with the time zone of its sender. */
export const ZONE_NOTE = 'time zone';

/**
 * The IANA zone of a city ("Tokyo"), a country (its capital's), an abbreviation ("PST" is Pacific time, also in summer), a
 * zone ("Europe/Berlin") or an offset ("UTC+2"), with or without "time" after it, in any case. An offset without an IANA
 * name stays as it is: `+05:30`, which Temporal and Intl accept. Undefined: unknown.
 */
export const zoneOf = remembering((name: string): string | undefined => {
  if (name.length > 64) return undefined;
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/^the (?=city of )|^city of /, '')
    .replace(/['’]s(?= |$)/, '')
    .replace(/[?.!,]$/, '')
    .replace(/ (?:local |standard |daylight |summer )?(?:time(?: ?zone)?|zone)$/, '')
    .replace(/^local time in /, '')
    .trim();
  if (plain === '') return undefined;
  const offset = OFFSET.exec(plain);
  if (offset !== null) return ofOffset(offset[1] as string, Number(offset[2]), Number(offset[3] ?? 0));
  const found = names().get(plain) ?? names().get(plain.replace(/^the /, ''));
  if (found !== undefined) return found;
  if (IANA.test(plain)) return ofIana(plain);
  // In "Paris, France" and "Portland, Oregon" the city decides.
  const comma = plain.indexOf(',');
  if (comma <= 0) return undefined;
  const city = names().get(plain.slice(0, comma).trim());
  const other = plain.slice(comma + 1).trim();
  const more = names().get(other);
  // "New York, London" are two, and "Lima, Rome and Oslo" three.
  const two =
    / (?:and|or|&) |,|\b(?:right|now|currently|today|please)$|^(?:what|when|how|which|who|is|it|so|then|and|but|can|could)\b/.test(
      other,
    ) ||
    (more !== city && more !== undefined && isOwnCity(other, more));
  return two ? undefined : city;
});
