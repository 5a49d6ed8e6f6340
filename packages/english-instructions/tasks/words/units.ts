import { remembering } from './remembering.ts';

/** A unit as people write it. */
export interface Unit {
  readonly kind: string;
  /** The symbol shown to people. */
  readonly symbol: string;
  /** The name in mathjs; '' when expressions do not know it. */
  readonly math: string;
  /** The factor to the base unit of its kind; temperature and fuel consumption are computed. */
  readonly factor: number;
}

/** Kind: lines of `symbol|name in mathjs|factor|names…`. The names are in lower case; a symbol is found in its own case first. */
const TABLE: Readonly<Record<string, string>> = {
  length: `km|km|1000|kilometer|kilometre|kms|click
m|m|1|meter|metre|mtr
dm|dm|0.1|decimeter|decimetre
cm|cm|0.01|centimeter|centimetre|cms
mm|mm|0.001|millimeter|millimetre
µm|um|1e-6|micrometer|micrometre|micron|um|μm
nm|nm|1e-9|nanometer|nanometre
mi|mi|1609.344|mile
yd|yd|0.9144|yard|yds
ft|ft|0.3048|foot|feet|ft.|'
in|inch|0.0254|inch|inche|in.|"
nmi|nauticalmile|1852|nautical mile|sea mile
ly|lightyear|9460730472580800|light year|lightyear|light-year
AU|astronomicalunit|149597870700|astronomical unit
pc|parsec|3.0856775814913673e16|parsec
fur|furlong|201.168|furlong
ftm|fathom|1.8288|fathom
marathon|marathon|42195|marathon
half marathon|halfmarathon|21097.5|half marathon|half-marathon`,
  mass: `kg|kg|1|kilogram|kilogramme|kilo|kgs
g|g|0.001|gram|gramme|gm|gr
mg|mg|1e-6|milligram
µg|ug|1e-9|microgram|ug|mcg|μg
t|tonne|1000|tonne|metric ton|metric tonne
lb|lb|0.45359237|pound|lbs|lb.|lbs.
oz|oz|0.028349523125|ounce|oz.
st|stone|6.35029318|stone
ton|ton|907.18474|ton|us ton|short ton
long ton|longton|1016.0469088|long ton|imperial ton
ct|carat|0.0002|carat
gr.|grain|6.479891e-5|grain`,
  temperature: `°C|degC|1|c|celsius|centigrade|degc|degree celsius|degree centigrade|degree c|deg c
°F|degF|1|f|fahrenheit|degf|degree fahrenheit|degree f|deg f
K|K|1|kelvin|degree kelvin`,
  volume: `L|L|0.001|l|liter|litre|ltr
mL|mL|1e-6|ml|milliliter|millilitre|cc
cL|cL|1e-5|cl|centiliter|centilitre
dL|dL|1e-4|dl|deciliter|decilitre
m³|m3|1|cubic meter|cubic metre|m3|m^3|cbm
cm³|cm3|1e-6|cubic centimeter|cubic centimetre|cm3|cm^3
ft³|cuft|0.028316846592|cubic foot|cubic feet|cu ft|ft3|ft^3
in³|cuin|1.6387064e-5|cubic inch|cubic inche|cu in|in3|in^3
gal|gallon|0.003785411784|gallon|us gallon|gals
imp gal|imperialgallon|0.00454609|imperial gallon|uk gallon|british gallon
qt|quart|0.000946352946|quart|us quart
pt|pint|0.000473176473|pint|us pint
imp pt|imperialpint|0.00056826125|imperial pint|uk pint|british pint
cup|cup|0.0002365882365|cup|us cup
fl oz|floz|2.95735295625e-5|fluid ounce|us fluid ounce|us fl oz|american fluid ounce|fl. oz|floz|fl oz.
tbsp|tablespoon|1.478676478125e-5|tablespoon|tbs
tsp|teaspoon|4.92892159375e-6|teaspoon
bbl|oilbarrel|0.158987294928|barrel|oil barrel`,
  area: `m²|m2|1|square meter|square metre|sq m|sqm|m2|m^2
km²|km2|1e6|square kilometer|square kilometre|sq km|sqkm|km2|km^2
cm²|cm2|1e-4|square centimeter|square centimetre|sq cm|cm2|cm^2
mm²|mm2|1e-6|square millimeter|square millimetre|mm2|mm^2
ft²|sqft|0.09290304|square foot|square feet|sq ft|sqft|ft2|ft^2|sq. ft
in²|sqin|0.00064516|square inch|square inche|sq in|sqin|in2|in^2
yd²|sqyd|0.83612736|square yard|sq yd|yd2|yd^2
mi²|sqmi|2589988.110336|square mile|sq mi|sqmi|mi2|mi^2
ha|hectare|10000|hectare
ac|acre|4046.8564224|acre`,
  speed: `km/h|kmh|${1 / 3.6}|kilometer per hour|kilometre per hour|kph|kmh|kmph|km per hour|kilometers per hour|kilometres per hour|km/hr
m/s|mps|1|meter per second|metre per second|meters per second|metres per second|mps
mph|mph|0.44704|mile per hour|miles per hour|mi/h|miles/hour
kn|knot|${1852 / 3600}|knot|kt|kts
ft/s|fps|0.3048|foot per second|feet per second|fps
c (light)|lightspeed|299792458|speed of light`,
  time: `s|s|1|second|sec|secs
ms|ms|0.001|millisecond|msec
µs|us|1e-6|microsecond|us|μs
ns|ns|1e-9|nanosecond
min|min|60|minute|mins
h|h|3600|hour|hr|hrs
d|day|86400|day
wk|week|604800|week|wks
fortnight|fortnight|1209600|fortnight
mo|month|2629800|month
yr|year|31557600|year|yrs
decade|decade|315576000|decade
century|century|3155760000|century|centurie`,
  'data size': `B|B|1|byte
b|b|0.125|bit
kB|kB|1e3|kb|kilobyte|KB
MB|MB|1e6|mb|megabyte|meg
GB|GB|1e9|gb|gigabyte|gig
TB|TB|1e12|tb|terabyte
PB|PB|1e15|pb|petabyte
KiB|KiB|1024|kib|kibibyte
MiB|MiB|1048576|mib|mebibyte
GiB|GiB|1073741824|gib|gibibyte
TiB|TiB|1099511627776|tib|tebibyte
PiB|PiB|1125899906842624|pib|pebibyte
kbit|kilobits|125|kilobit|Kb
Mbit|Mb|125000|megabit|Mb
Gbit|Gb|125000000|gigabit|Gb`,
  'data rate': `bit/s|b/s|0.125|bps|bit per second|bits per second
kbit/s|kilobits/s|125|kbps|kb/s|kilobit per second|kilobits per second
Mbit/s|Mb/s|125000|mbps|Mb/s|megabit per second|megabits per second
Gbit/s|Gb/s|125000000|gbps|Gb/s|gigabit per second|gigabits per second
kB/s|kB/s|1e3|kilobyte per second|kilobytes per second|KB/s
MB/s|MB/s|1e6|megabyte per second|megabytes per second
GB/s|GB/s|1e9|gigabyte per second|gigabytes per second`,
  energy: `J|J|1|joule|j
kJ|kJ|1e3|kilojoule|kj
MJ|MJ|1e6|megajoule
cal|calorie|4.184|calorie|small calorie
kcal|kilocalorie|4184|kilocalorie|food calorie
Wh|Wh|3600|watt hour|watt-hour|wh
kWh|kWh|3600000|kilowatt hour|kilowatt-hour|kwh
MWh|MWh|3.6e9|megawatt hour|megawatt-hour|mwh
BTU|BTU|1055.05585262|btu
eV|eV|1.602176634e-19|electronvolt|electron volt|ev`,
  power: `W|W|1|watt
kW|kW|1e3|kilowatt|kw
MW|MW|1e6|megawatt
hp|hp|745.6998715822702|horsepower|horse power
PS|PS|735.49875|metric horsepower`,
  pressure: `Pa|Pa|1|pascal|pa
hPa|hPa|100|hectopascal|hpa
kPa|kPa|1e3|kilopascal|kpa
MPa|MPa|1e6|megapascal
bar|bar|1e5|bar
mbar|mbar|100|millibar
atm|atm|101325|atmosphere
psi|psi|6894.757293168361|pound per square inch|pounds per square inch
mmHg|mmHg|133.322387415|mmhg|millimeter of mercury
torr|torr|133.32236842105263|torr`,
  angle: `°|deg|${Math.PI / 180}|degree|deg
rad|rad|1|radian
grad|grad|${Math.PI / 200}|gradian|gon
arcmin|arcmin|${Math.PI / 10800}|arc minute|arcminute|minute of arc
arcsec|arcsec|${Math.PI / 648000}|arc second|arcsecond|second of arc
turn|turn|${2 * Math.PI}|turn|revolution`,
  torque: `N·m||1|newton meter|newton metre|newton-meter|newton-metre|Nm|n·m|n*m
lb·ft||1.3558179483314004|foot-pound|foot pound|pound-foot|pound foot|pound-feet|pound feet|ft lb|ft lbs|ft-lb|ft-lbs|ft·lb|ft.lb|lb ft|lb-ft|lbf ft|ft lbf|lbf·ft
lb·in||0.1129848290276167|inch-pound|inch pound|pound-inch|pound inch|in-lb|in-lbs|lb in|lb-in`,
  force: `N|N|1|newton
kN|kN|1e3|kilonewton|kn (force)
lbf|lbf|4.4482216152605|pound force|pound-force`,
  frequency: `Hz|Hz|1|hertz|hz
kHz|kHz|1e3|kilohertz|khz
MHz|MHz|1e6|megahertz|mhz
GHz|GHz|1e9|gigahertz|ghz
rpm|rpm|${1 / 60}|revolution per minute|revolutions per minute`,
  'fuel economy': `L/100km||1|l/100 km|l/100km|liter per 100 km|litre per 100 km|liters per 100 km|litres per 100 km|liters per 100km|liters per 100 kilometers|litres per 100 kilometres
mpg||235.2145833333333|mile per gallon|miles per gallon|us mpg|mpg us
imp mpg||282.4809363318222|uk mpg|mpg uk|imperial mpg|british mpg
km/L||100|km/l|kilometer per liter|kilometers per liter|kilometres per litre|kmpl|km per liter`,
};

/** Definitions for mathjs's `createUnit` of units that it lacks. */
export const MATH_UNITS: Readonly<Record<string, string>> = {
  nauticalmile: '1852 m',
  lightyear: '9460730472580800 m',
  astronomicalunit: '149597870700 m',
  parsec: '3.0856775814913673e16 m',
  furlong: '201.168 m',
  fathom: '1.8288 m',
  marathon: '42195 m',
  halfmarathon: '21097.5 m',
  longton: '1016.0469088 kg',
  carat: '0.0002 kg',
  imperialgallon: '4.54609 L',
  imperialpint: '0.56826125 L',
  mph: '1 mi/h',
  kmh: '1 km/h',
  mps: '1 m/s',
  fps: '1 ft/s',
  knot: '1852 m/h',
  lightspeed: '299792458 m/s',
  calorie: '4.184 J',
  kilocalorie: '4184 J',
  PS: '735.49875 W',
  turn: '360 deg',
  rpm: '0.016666666666666666666666666666666666666666666667 Hz',
};

const exact = new Map<string, Unit>();
const lower = new Map<string, Unit>();
const byMath = new Map<string, Unit>();
for (const [kind, lines] of Object.entries(TABLE)) {
  for (const line of lines.split('\n')) {
    const [symbol, math, factor, ...names] = line.split('|') as [string, string, string, ...string[]];
    const unit: Unit = { kind, symbol, math, factor: Number(factor) };
    exact.set(symbol, unit);
    if (math !== '' && !exact.has(math)) exact.set(math, unit);
    if (math !== '') byMath.set(math, unit);
    for (const name of names) {
      if (name === name.toLowerCase()) lower.set(name, unit);
      else exact.set(name, unit);
    }
    if (!lower.has(symbol.toLowerCase())) lower.set(symbol.toLowerCase(), unit);
  }
}
// In lower case too "mb" is a size; "K" alone may not be a temperature, while a bare c or f is one.
lower.set('grain', byMath.get('grain') as Unit);

/**
 * The unit with a name: its symbol ("MB", "Mb"), or a name in any case, singular or plural ("feet", "Lbs", "square
 * meters").
 */
export const unitOf = remembering((name: string): Unit | undefined => {
  const plain = name
    .trim()
    .replace(/²$/, '^2')
    .replace(/³$/, '^3')
    .replace(/^º|^° (?=[CFK])/i, '°');
  if (plain === '' || plain.length > 40) return undefined;
  const own = exact.get(plain);
  if (own !== undefined) return own;
  const small = plain.toLowerCase().replace(/^(?:an? |the )/, '');
  const found = lower.get(small);
  if (found !== undefined) return found;
  const singular = small
    .replace(/^degrees /, 'degree ')
    .replace(/^(meter|metre|mile|foot|feet|kilometer|kilometre)s per /, '$1 per ');
  return (
    lower.get(singular) ??
    (singular.endsWith('s') && singular.length > 3 ? lower.get(singular.slice(0, -1)) : undefined)
  );
});

const FIRST_WORD = /^(?:\p{L}[\p{L}\p{M}'-]*|\S)/u;
const FIRST = new Set(
  ['º', 'degrees', ...exact.keys(), ...lower.keys()].map((name) => FIRST_WORD.exec(name.toLowerCase())?.[0]),
);

/** Whether the name of a unit may begin with a word in lower case or a sign. */
export const beginsUnit = (word: string): boolean =>
  FIRST.has(word) || (word.endsWith('s') && FIRST.has(word.slice(0, -1)));

/** The words in the names of units, in lower case, in singular and plural. */
export const unitWords = (): readonly string[] =>
  [...lower.keys()].flatMap((name) => name.split(/[ /-]/)).flatMap((word) => [word, `${word}s`]);

/** The symbol for a unit's name in mathjs. */
export const symbolOf = (math: string): string => byMath.get(math)?.symbol ?? math;
