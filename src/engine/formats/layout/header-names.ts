/* Words that columns are called by, in the languages that most tables are in: without accents, in lower case. */

const WORDS = new Set(
  [
    // Of several languages
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
/** Where a word begins within another (`customerId`), and what a word is made of. */
const PARTS = { hump: /(\p{Ll})(\p{Lu})/gu, word: /[\p{L}\d]+/gu }
/** The same of ASCII, which takes a third of the time. */
const ASCII_PARTS = { hump: /([a-z])([A-Z])/g, word: /[a-z\d]+/g }
/** Names of more words are sentences. */
const MOST_WORDS = 4

/** Whether a text is what columns are usually called: 1 such a word (`date`, `customerId`), 0.5 one among others (`order date`), else 0. */
export function usualName(text: string): number {
  // Most of what is asked about are numbers and dates.
  if (!LETTER.test(text)) return 0
  const isAscii = ASCII.test(text)
  const plain = isAscii
    ? text.trim()
    : text.normalize('NFD').replaceAll(ACCENTS, '').normalize('NFC').replaceAll('ß', 'ss').trim()
  if (WORDS.has(plain.toLowerCase())) return 1
  const { hump, word } = isAscii ? ASCII_PARTS : PARTS
  const words: readonly string[] = plain.replaceAll(hump, '$1 $2').toLowerCase().match(word) ?? []
  if (words.length === 0 || words.length > MOST_WORDS) return 0
  // What a name of several words is about comes last, or first: order date, date de naissance.
  const isNamed = WORDS.has(words[0]) || WORDS.has(words[words.length - 1])
  return isNamed ? (/\s/.test(plain) ? 0.5 : 1) : 0
}
