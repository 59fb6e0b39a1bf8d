/** Signs and codes of currencies, with what the unit is called; a sign of several currencies is its own name. */
export const CURRENCIES: readonly (readonly [string, string])[] = [
  ...'AUD BGN BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF IDR ILS INR JPY KRW MXN NOK NZD PLN RON RUB SEK SGD THB TRY UAH USD ZAR'
    .split(' ')
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
  ['zł', 'PLN'],
  ['Kč', 'CZK'],
  ['Ft', 'HUF'],
  ['lei', 'RON'],
  ['лв', 'BGN'],
  ['руб', 'RUB'],
  ['R$', 'BRL'],
  ['руб.', 'RUB'],
  ['грн', 'UAH'],
  ['TL', 'TRY'],
  ['円', 'JPY'],
  ['元', 'CNY'],
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

const NAMES: ReadonlyMap<string, string> = new Map(CURRENCIES)

/** What a currency's sign or code is called. */
export const unitName = (unit: string): string => NAMES.get(unit) ?? unit
