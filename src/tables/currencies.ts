/** Currency signs and codes, with the unit's name. A sign that several currencies use is its own name. */
export const CURRENCIES: readonly (readonly [string, string])[] = [
  ...[
    'AED ARS AUD BDT BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP GEL GHS HKD HUF IDR ILS INR ISK JPY KES KRW KZT LKR MAD',
    'MXN MYR NGN NOK NZD PEN PHP PKR PLN QAR RON RSD RUB SAR SEK SGD THB TRY TWD UAH USD UYU VND ZAR',
  ]
    .flatMap((codes) => codes.split(' '))
    .map((code) => [code, code] as const),
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['₽', 'RUB'],
  ['₹', 'INR'],
  ['₺', 'TRY'],
  ['₴', 'UAH'],
  ['₩', 'KRW'],
  ['₪', 'ILS'],
  ['฿', 'THB'],
  ['₫', 'VND'],
  ['đ', 'VND'],
  ['₱', 'PHP'],
  ['₦', 'NGN'],
  ['₸', 'KZT'],
  ['₾', 'GEL'],
  ['৳', 'BDT'],
  ['A$', 'AUD'],
  ['AU$', 'AUD'],
  ['C$', 'CAD'],
  ['CA$', 'CAD'],
  ['HK$', 'HKD'],
  ['MX$', 'MXN'],
  ['NT$', 'TWD'],
  ['NZ$', 'NZD'],
  ['S$', 'SGD'],
  ['KSh', 'KES'],
  ['RM', 'MYR'],
  ['Rp', 'IDR'],
  ['zł', 'PLN'],
  ['Kč', 'CZK'],
  ['Ft', 'HUF'],
  ['lei', 'RON'],
  ['лв', 'BGN'],
  ['лв.', 'BGN'],
  ['руб', 'RUB'],
  ['R$', 'BRL'],
  ['руб.', 'RUB'],
  ['грн', 'UAH'],
  ['TL', 'TRY'],
  ['円', 'JPY'],
  ['元', 'CNY'],
  ['RMB', 'CNY'],
  ['Rs.', 'INR'],
  ['Rs', 'INR'],
  ['US$', 'USD'],
  ['SFr', 'CHF'],
  ['Fr', 'CHF'],
  ['Fr.', 'CHF'],
  ['￥', '¥'],
  ['＄', '$'],
  ['￡', 'GBP'],
  ['￦', 'KRW'],
  ['$', '$'],
  ['¥', '¥'],
  ['kr', 'kr'],
  ['kr.', 'kr'],
]

/** Units of measurement that may follow a number. */
export const MEASURES: readonly string[] = [
  '°C °F ° ℃ ℉ mm cm dm m km µm nm in ft yd mi mm² cm² m² m2 km² km2 ha ac cm³ m³ m3 ml mL cl dl l L gal',
  'µg mg g kg t oz lb lbs ms s sec min h hrs km/h kmh m/s mph kn rpm Hz kHz MHz GHz V kV mV mA mAh W kW MW GW Wh kWh MWh GWh',
  'Pa hPa kPa MPa bar mbar psi J kJ MJ cal kcal dB ppm ppb kB KB MB GB TB KiB MiB GiB Mbit/s Gbit/s px pcs',
  '‰ bps mg/dl mg/dL mg/l mg/L g/l g/L mmol/l mmol/L U/l U/L IU',
].flatMap((units) => units.split(' '))

const MEASURED: ReadonlySet<string> = new Set(MEASURES)

/** Whether a unit is a measure rather than a currency. */
export const isMeasure = (unit: string): boolean => MEASURED.has(unit)

const NAMES: ReadonlyMap<string, string> = new Map(CURRENCIES)

/** Whether a text is a known currency or measure, or `%`. */
export const isUnit = (text: string): boolean => text === '%' || NAMES.has(text) || MEASURED.has(text)

/** The name of a currency sign or code. */
export const unitName = (unit: string): string => NAMES.get(unit) ?? unit
