/* A sample file with what most converters get wrong, to show what Rowhouse handles. */

const NAMES = [
  'O’Brien, Máire',
  'Smith "Smitty" J.',
  '陳大文',
  'Müller, Jörg',
  '=SUM(1,2)',
  'null',
  'Anaïs',
  'Ωmega Ltd',
]
const NOTES = [
  '',
  'Leave at door',
  'Line one\nline two',
  'said ""twice""',
  'NA',
  '  spaces kept  ',
  '+49 30 901820',
  'ok; fine',
]

/** 480 orders with leading zeros, ids beyond 2^53, exact decimals, quotes, line breaks, and empty text next to null. */
export function sampleFile(): File {
  const lines = ['order_id,customer_code,customer,ordered_on,shipped_at,quantity,unit_price,discount,express,note']
  for (let i = 0; i < 480; i++) lines.push(row(i))
  return new File([lines.join('\r\n'), '\r\n'], 'orders-sample.csv', { type: 'text/csv' })
}

function row(i: number): string {
  const id = 9_007_199_254_740_993n + BigInt(i) * 7919n
  const code = String((i * 37) % 1000).padStart(5, '0')
  const name = NAMES[i % NAMES.length] ?? ''
  const date = new Date(Date.UTC(2024, 0, 5 + (i % 358)))
  const day = date.toISOString().slice(0, 10)
  const clock = `${String((i * 7) % 24).padStart(2, '0')}:${String((i * 13) % 60).padStart(2, '0')}:00`
  const shipped = i % 9 === 4 ? '' : `${day} ${clock}`
  const price = `${(i * 131) % 900}.${String((i * 29) % 100).padStart(2, '0')}`
  const discount = i % 4 === 0 ? '0.10' : i % 4 === 1 ? '' : '0.07'
  const note = (NOTES[i % NOTES.length] ?? '').replaceAll('""', '"')
  const noted = i % 11 === 5 ? '' : quoted(note)
  return [id, code, quoted(name), day, shipped, (i * 3) % 40, price, discount, i % 3 === 0, noted].join(',')
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
