import { cellKind, columnOf, isTyped, MOMENT, NUMBER, type Rows, isValue, type SampleRow, textsOf } from './cells.ts'
import { isRule } from './names.ts'
import { shortened } from '../../../lib/text.ts'
import type { Proposal } from '../../../tables/plan.ts'
import type { ReadSettings } from '../../../tables/settings.ts'

/* Usual words in column names in the most common languages, without accents and in lower case. */

const WORDS = new Set(
  [
    // Several languages
    'id uuid key code type status name email e-mail mail url www ip tel fax iban bic sku ean isbn lat lon lng info no nr',
    // English
    'title first last firstname lastname surname fullname username user customer client company organization organisation',
    'department team manager owner author address street city town state province region country zip zipcode postcode postal',
    'phone mobile website date time timestamp day month year week start end created updated modified birthday dob age gender',
    'sex amount price cost total sum quantity qty count number value rate currency tax discount balance order invoice account',
    'product item category group description comment comments note notes text remark remarks language color colour size',
    'weight height length width unit units latitude longitude location place source target role job position salary grade',
    'score rank label tag tags',
    // German
    'nummer vorname nachname kunde firma abteilung anschrift adresse strasse plz ort stadt land bundesland telefon handy datum',
    'uhrzeit zeit tag monat jahr von bis geburtsdatum alter geschlecht betrag preis kosten summe gesamt menge anzahl wert',
    'wahrung waehrung steuer rechnung konto artikel kategorie gruppe beschreibung bemerkung kommentar notiz typ art titel',
    // French
    'identifiant nom prenom societe entreprise service rue ville pays departement telephone heure jour mois annee debut fin',
    'naissance sexe montant prix cout somme quantite nombre valeur devise taxe commande facture compte produit categorie',
    'groupe commentaire remarque numero statut libelle titre quartier commune',
    // Spanish and Portuguese
    'nombre apellido apellidos cliente empresa direccion calle ciudad provincia pais telefono fecha hora dia mes ano inicio',
    'nacimiento edad sexo importe precio costo coste suma cantidad valor moneda impuesto pedido factura cuenta producto',
    'categoria grupo descripcion comentario estado tipo titulo codigo correo nome sobrenome endereco rua cidade telefone data',
    'idade preco quantidade moeda fatura conta produto descricao observacao numero uf cep bairro municipio',
    // Italian and Dutch
    'cognome azienda indirizzo via citta paese regione provincia telefono giorno mese anno nascita eta sesso importo prezzo',
    'totale quantita valuta ordine fattura conto prodotto descrizione nota stato titolo codice naam voornaam achternaam klant',
    'bedrijf adres straat postcode plaats stad land telefoon datum tijd dag maand jaar leeftijd geslacht bedrag prijs totaal',
    'aantal waarde bestelling factuur rekening omschrijving opmerking soort',
    // Polish and Russian
    'imie nazwisko nazwa klient firma adres ulica miasto kraj telefon godzina dzien miesiac rok wiek plec kwota cena suma ilosc',
    'wartosc waluta zamowienie faktura konto produkt kategoria grupa opis uwagi typ имя фамилия отчество название клиент',
    'компания организация адрес улица город область регион страна телефон дата время день месяц год возраст пол сумма цена',
    'количество валюта заказ счет товар категория группа описание комментарий статус тип код номер почта',
    // Chinese and Japanese
    '编号 序号 姓名 名称 名字 公司 部门 地址 城市 省份 国家 电话 邮箱 日期 时间 年 月 金额 价格 单价 数量 总计 类别 类型 状态 备注 描述 性别 年龄',
    '番号 氏名 名前 会社 会社名 部署 住所 市区町村 都道府県 国 電話 電話番号 メール 日付 時刻 年月日 金額 価格 数量 合計 分類 種類 状態 備考 説明 性別 年齢',
  ].flatMap((line) => line.split(' ')),
)

const ACCENTS = /(?<=\p{Script=Latin})\p{M}+/gu
const LETTER = /\p{L}/u
const ASCII = /^\p{ASCII}*$/u
/** Where a word begins inside another (`customerId`), and what words consist of. */
const PARTS = { hump: /(\p{Ll})(\p{Lu})/gu, word: /[\p{L}\d]+/gu }
/** The same for ASCII, which takes a third of the time. */
const ASCII_PARTS = { hump: /([a-z])([A-Z])/g, word: /[a-z\d]+/g }
/** Longer names are sentences. */
const MOST_WORDS = 4

/**
 * How usual a text is as a column name: 1 for a single known word (`date`, `customerId`), 0.5 for one among others
 * (`order date`), else 0.
 */
export function usualName(text: string): number {
  // Most texts are numbers or dates.
  if (!LETTER.test(text)) return 0
  const isAscii = ASCII.test(text)
  const plain = isAscii
    ? text.trim()
    : text.normalize('NFD').replaceAll(ACCENTS, '').normalize('NFC').replaceAll('ß', 'ss').trim()
  if (WORDS.has(plain.toLowerCase())) return 1
  const { hump, word } = isAscii ? ASCII_PARTS : PARTS
  const words: readonly string[] = plain.replaceAll(hump, '$1 $2').toLowerCase().match(word) ?? []
  if (words.length === 0 || words.length > MOST_WORDS) return 0
  // The main word comes last or first: order date, date de naissance.
  const isNamed = WORDS.has(words[0]) || WORDS.has(words[words.length - 1])
  return isNamed ? (/\s/.test(plain) ? 0.5 : 1) : 0
}

/* Decides whether two rows name the columns, with groups above names, even if all values below are texts. */

/** `possible`: one group has several columns, and there's no other evidence. */
export type Groups = 'sure' | 'likely' | 'possible' | 'none'

/** With fewer rows below, the names may as well be the first row of data. */
const LEAST_BELOW = 2
/** Minimum number of keys without a gap that isn't chance: above several groups, and above one. */
const LEAST_ROWS = 3
const LEAST_KEYS = 8
/** Longer texts aren't names. */
const MAX_NAME = 100
const YEAR = /^(19|20)\d\d$/
/** Characters that most values have, but not names. */
const MARKS = [/@/, /:\/\//, /\d/]

/** Adjacent columns that share a name in the first row. */
type Group = readonly number[]

/**
 * Decides whether the first row names groups (“Q1,,Q2,” or “Q1,Q1,Q2,Q2”) and the second one the columns of each group.
 * It's sure if names are repeated in another group (“Units,Price,Units,Price”), if columns have usual names or are
 * years or days, if columns outside the groups have a value in each row but the second, or if a third row names only
 * these.
 */
export function groupsOver(rows: Rows): Groups {
  const [first = [], second = [], ...below] = rows
  if (below.length < LEAST_BELOW) return 'none'
  const groups = groupsIn(first, second)
  const wide = groups?.filter(({ length }) => length > 1) ?? []
  const grouped = wide.flat()
  if (grouped.length === 0 || !areNames(second, grouped, below)) return 'none'
  const singles = second.flatMap((_, column) => (grouped.includes(column) ? [] : [column]))
  if (singles.some((column) => isFilled(second, column) && !isName(second[column], columnOf(below, column))))
    return 'none'
  const hasKeys = below.length >= (wide.length > 1 ? LEAST_ROWS : LEAST_KEYS) && areKeys(first, second, singles, below)
  const isSure =
    hasKeys ||
    comeAgain(second, wide, below) ||
    areUsual(second, grouped, below) ||
    grouped.every((column) => isPeriod(second[column])) ||
    isNameOfUnnamed(below[0], [first, second], below.slice(1))
  return isSure ? 'sure' : wide.length > 1 ? 'likely' : 'possible'
}

/** Minimum number of columns with words in the second row, and of rows below. */
const LEAST_LABELS = 3

/**
 * Whether the second row may say what the names mean: different words in all columns, also above nothing but values, as
 * statistical offices write them.
 */
export function hasLabels([names = [], labels = [], ...below]: Rows): boolean {
  if (labels.length < LEAST_LABELS || below.length < LEAST_LABELS || labels.length !== names.length) return false
  if (labels.some((label) => !/\p{L}/u.test(label) || isTyped(label)) || new Set(labels).size < labels.length)
    return false
  return labels.some((_, column) => below.every((row) => isTyped(row[column] ?? '')))
}

/**
 * Whether the second row may have units beside values of the whole table: words above nothing but values, and values
 * above nothing, as Rigol's oscilloscopes write them (“Sequence,Volt,-6e-03” below “X,CH1,Start”).
 */
export function hasUnitsBesideValues([names = [], labels = [], ...below]: Rows): boolean {
  if (below.length < LEAST_LABELS || labels.length !== names.length) return false
  const columns = labels.map((label, i) => ({
    label: label.trim(),
    under: columnOf(below, i).filter((cell) => cell.trim() !== ''),
  }))
  const words = columns.filter(({ label }) => label !== '' && !isTyped(label) && !ABSENT.test(label))
  const values = columns.filter(({ label }) => isTyped(label))
  return (
    words.length > 1 &&
    values.length > 0 &&
    words.every(({ under }) => under.length > 0 && under.every((cell) => isTyped(cell))) &&
    values.every(({ under }) => under.length === 0)
  )
}

/** Whether a row above names groups them, because names are repeated in other groups. A title doesn't do that. */
export function isAboveNames(rows: Rows): boolean {
  const [first = [], second = [], ...below] = rows
  const wide = (groupsIn(first, second) ?? []).filter(({ length }) => length > 1)
  return (
    below.length >= LEAST_BELOW &&
    wide.length > 1 &&
    areNames(second, wide.flat(), below) &&
    comeAgain(second, wide, below)
  )
}

/** Whether a row names groups of the groups below it: “2023” above “H1” and “H2”, each above “Units” and “Price”. */
export function isAboveGroups(rows: Rows): boolean {
  const [top = [], first = [], second = [], ...below] = rows
  const under = rows.slice(1)
  if (groupsOver(under) !== 'sure' && !isAboveNames(under)) return false
  const named = second.map((name, column) => (name.trim() === '' ? (first[column] ?? '') : name))
  const groups = groupsIn(top, named) ?? []
  const names = groups.map((group) => group.filter((column) => isFilled(first, column)).length)
  // A column outside the groups has its name in the first row, and nothing below it.
  const isKey = (group: Group): boolean => group.every((column) => !isFilled(named, column))
  return (
    names.filter((count) => count > 1).length > 1 &&
    groups.every((group, i) => names[i] > 1 || isKey(group)) &&
    groups.every(([column]) => isName(top[column] ?? '', columnOf(below, column)))
  )
}

const isFilled = (row: readonly string[], column: number): boolean => (row[column] ?? '').trim() !== ''

/** The groups from left to right; null if a column has a name only in the second row, and no group to its left. */
function groupsIn(first: readonly string[], second: readonly string[]): readonly Group[] | null {
  const groups: number[][] = []
  for (let column = 0; column < Math.max(first.length, second.length); column++) {
    const last = groups.at(-1)
    const isNext = last?.at(-1) === column - 1
    if (!isFilled(first, column)) {
      if (!isFilled(second, column) || last === undefined) continue
      if (!isNext) return null
      last.push(column)
    } else if (last && isNext && first[column] === first[last[0]]) last.push(column)
    else groups.push([column])
  }
  return groups
}

/** Whether all cells of a row may be names of their columns, distinct within each group. */
function areNames(row: readonly string[], columns: readonly number[], below: Rows): boolean {
  const values = new Set(columns.flatMap((column) => columnOf(below, column)))
  return columns.every((column) => isName(row[column] ?? '', columnOf(below, column)) && !values.has(row[column]))
}

/** Whether a cell is a year or a day, which is a column's name if no value below is one. */
const isPeriod = (cell: string): boolean => YEAR.test(cell) || cellKind(cell, ',') === MOMENT

function isName(cell: string, column: readonly string[]): boolean {
  const filled = column.filter((each) => each.trim() !== '')
  if (cell.trim() === '' || cell.length > MAX_NAME || filled.includes(cell)) return false
  // A digit in “H1” means nothing if the values are numbers.
  const most = (mark: RegExp): boolean =>
    filled.filter((each) => !isTyped(each) && mark.test(each)).length * 2 > filled.length
  if (isPeriod(cell)) return !filled.some(isPeriod)
  return !isTyped(cell) && !MARKS.some((mark) => mark.test(cell) && most(mark))
}

/** Whether most names are repeated in other groups, and values in the rows below aren't. */
function comeAgain(second: readonly string[], groups: readonly Group[], below: Rows): boolean {
  if (groups.some((group) => new Set(group.map((column) => second[column])).size < group.length)) return false
  const columns = groups.flat()
  const pairs = columns.flatMap((column, i) => {
    const other = columns.slice(i + 1).find((each) => second[each] === second[column])
    return other === undefined ? [] : [[column, other] as const]
  })
  const again = new Set(pairs.flat())
  const repeating = below.filter((row) => {
    const same = pairs.filter(([a, b]) => row[a] === row[b] && isFilled(row, a))
    return same.length * 2 > pairs.length
  })
  return again.size * 2 > columns.length && repeating.length * 5 <= below.length
}

/** Whether columns have usual names, and no value below is one. */
function areUsual(second: readonly string[], columns: readonly number[], below: Rows): boolean {
  const usual = columns.filter(
    (column) => usualName(second[column]) === 1 && !columnOf(below, column).some((cell) => usualName(cell) > 0),
  )
  return usual.length > 1 && usual.length * 2 >= columns.length
}

/**
 * Whether columns outside the groups have their name in one of the rows, and at least one has it in the first row and
 * values in all rows below.
 */
function areKeys(
  first: readonly string[],
  second: readonly string[],
  singles: readonly number[],
  below: Rows,
): boolean {
  if (singles.some((column) => isFilled(first, column) && isFilled(second, column))) return false
  return singles.some((column) => isFilled(first, column) && below.every((row) => isFilled(row, column)))
}

/** Words for a missing value. */
const ABSENT = /^(n\/?a|nan|null|none|nil|-+|\.+|\?|x)$/i
const MAX_HEADER_ROWS = 3

/**
 * Number of rows at the top that name the columns: groups with their names, and rows of words above columns of values.
 */
export function headerRowsOf(rows: Rows): number {
  let count = isAboveGroups(rows) ? 3 : groupsOver(rows) === 'sure' ? 2 : 1
  while (
    count < MAX_HEADER_ROWS &&
    rows.length - count > (isUnits(rows[count] ?? []) ? 1 : LEAST_BELOW) &&
    isNameRow(rows[count], rows.slice(0, count), rows.slice(count + 1))
  ) {
    count++
  }
  return count
}

/** Number of rows of the header that begins in a given row, up to the next blank row. */
export function headerRowsFrom(rows: readonly SampleRow[], header: number): number {
  const from = rows.findIndex(({ number }) => number === header)
  const below = rows.slice(from)
  const most = below.findIndex(({ number }, i) => number !== header + i)
  return Math.min(headerRowsOf(textsOf(below)), most < 0 ? below.length : most)
}

/** @param above the header's rows so far: two are groups and their names */
function isNameRow(row: readonly string[], above: Rows, rest: Rows): boolean {
  const [header] = above
  const isGrouped = above.length > 1
  if (row.length > 1 && row.every(isRule)) return true
  if (areWidths(row) && !rest.some(areWidths)) return true
  // Most rows below the names have values.
  if (row.some((cell) => [NUMBER, MOMENT].includes(cellKind(cell, ',')))) return false
  const isHeader = (other: readonly string[]): boolean =>
    other.length === header.length && other.every((cell, i) => cell === header[i])
  const isRepeated = isHeader(row)
  const below = rest.filter((other) => !isHeader(other))
  const columns = row.map((_, i) => columnOf(below, i).filter((cell) => cell.trim() !== ''))
  const typed = columns.map((cells) => {
    const values = cells.filter((cell) => !ABSENT.test(cell.trim()))
    return values.length > 0 && values.filter(isTyped).length * 10 >= values.length * 8
  })
  const words = row.filter((cell, i) => typed[i] && cell.trim() !== '' && !isTyped(cell) && !ABSENT.test(cell.trim()))
  const size = typed.filter(Boolean).length
  if (
    row.some((cell, i) => isValue(cell, columns[i])) ||
    row.some((cell, i) => cell !== '' && columns[i].includes(cell))
  )
    return false
  if (isNameOfKeys(row, typed, columns) || isNameOfUnnamed(row, above, below) || isBelowLevels(row, above, below))
    return isGrouped
  const isUnnamed = row.some((cell, i) => cell === '' && columns[i].length === below.length)
  return words.length > 0 && words.length * 2 >= size && (size > 1 || isUnnamed || isRepeated)
}

/** Whether a row only has a name for the first column, as pandas writes it below the other columns' names. */
function isNameOfKeys(row: readonly string[], typed: readonly boolean[], columns: Rows): boolean {
  const [first, ...others] = row
  return (
    typed[0] &&
    first.trim() !== '' &&
    !ABSENT.test(first.trim()) &&
    others.every((cell, i) => cell.trim() === '' && columns[i + 1].length * 2 > columns[0].length)
  )
}

/**
 * Whether a row has names for exactly those columns that have none above but values below: pandas writes several keys
 * like this.
 */
function isNameOfUnnamed(row: readonly string[], above: Rows, below: Rows): boolean {
  const isUnnamed = (column: number): boolean =>
    below.some((other) => isFilled(other, column)) && !above.some((other) => isFilled(other, column))
  return row.some((cell) => cell.trim() !== '') && row.every((cell, i) => (cell.trim() !== '') === isUnnamed(i))
}

/**
 * Whether a row has names for the first columns only, where the first column above describes the groups and their names
 * (“year” before 2023, 2023, “half” before H1, H2): pandas writes named levels like this. A heading of some rows would
 * be one of several.
 */
function isBelowLevels(row: readonly string[], above: Rows, below: Rows): boolean {
  const count = row.findIndex((cell) => cell.trim() === '')
  const isSo = (other: readonly string[]): boolean => other.every((cell, i) => (cell.trim() !== '') === i < count)
  return (
    count > 0 &&
    isSo(row) &&
    !below.some(isSo) &&
    above.every((other) => other.every((cell, i) => (cell.trim() !== '') === (i === 0 || i >= count)))
  )
}

/** Units of measure as found below names, without brackets. */
const UNIT =
  /^(%|‰|°[CF]?|[€$£¥₹]|EUR|USD|GBP|CHF|JPY|[kKMm]?€|T?EUR|[kMGTmµun]?(g|m|l|L|s|W|Wh|Hz|V|A|J|Pa|B|t|bar|mol)|[kcmd]?m[²³23]?|ha|km\/h|m\/s|l\/s|m[²³]\/h|kWh?|h|min|sec|ms|d|pcs\.?|pc|Stk\.?|Stück|St\.?|units?|ppm|dB|rpm|ft|in|lb|oz|mi|yd|gal|mph)$/

/** A column's width and type, as the U.S. Geological Survey has it below each name (RDB): “5s”, “14n”. */
const WIDTH = /^\d+[sdn]$/

const areWidths = (row: readonly string[]): boolean => row.length > 1 && row.every((cell) => WIDTH.test(cell))

/** Whether a row below names has the units of the values (“kg”, “€”, “%”), or the columns' widths. */
export function isUnits(row: readonly string[]): boolean {
  if (areWidths(row)) return true
  const words = row.map((cell) => cell.trim().replace(/^[[(](.*)[\])]$/, '$1')).filter((cell) => cell !== '')
  return (
    words.length > 0 &&
    words.every((word) => UNIT.test(word) || /^(-|–|n\/a)$/i.test(word)) &&
    words.some((word) => UNIT.test(word))
  )
}

/** Proposes to leave a row of units or widths out of the names. */
export function unitsProposal(row: readonly string[], settings: Partial<ReadSettings>): Proposal {
  const units = [...new Set(row.map((cell) => cell.trim()).filter((cell) => cell !== ''))].slice(0, 4).join(', ')
  const what = areWidths(row) ? 'widths' : 'units'
  return {
    code: 'units-row',
    label: `Apply: leave out the row of ${what}`,
    message: `The row under the names has ${what} (${units}): they are part of the names.`,
    change: { kind: 'reading', settings },
  }
}

/** Proposes to read two rows as the header, if the first one may name groups of columns. */
export function groupsProposal(names: readonly string[], settings: Partial<ReadSettings>): Proposal {
  const grouped = names.filter((name) => name.includes(' '))
  const shown = grouped.slice(0, 3).map((name) => `“${shortened(name, 40)}”`)
  return {
    code: 'header-rows',
    label: 'Apply: two rows are the header',
    message: `The row below the names may be part of them: columns would be called ${shown.join(', ')}${grouped.length > 3 ? ' and so on' : ''}.`,
    ambiguous: true,
    change: { kind: 'reading', settings },
  }
}
