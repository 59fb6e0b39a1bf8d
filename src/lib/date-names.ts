/** English names. */
export const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** Weekdays from Sunday on, in full and abbreviated, in nine of the languages of the months' names. */
const NAMES: readonly string[] = [
  'sunday sun sonntag so dimanche dim domingo dom domenica zondag zo niedziela niedz nd воскресенье вс',
  'monday mon montag mo lundi lun lunes lunedì segunda seg maandag ma poniedziałek pon pn понедельник пн',
  'tuesday tue tues dienstag di mardi mar martes martedì terça ter dinsdag wtorek wt вторник вт',
  'wednesday wed mittwoch mi mercredi mer miércoles mié mercoledì quarta qua woensdag wo środa śr среда ср',
  'thursday thu thur thurs donnerstag do jeudi jeu jueves jue giovedì gio quinta qui donderdag czwartek czw czwart четверг чт',
  'friday fri freitag fr vendredi ven viernes vie venerdì sexta sex vrijdag vr piątek pt пятница пт',
  'saturday sat samstag sonnabend sa samedi sam sábado sáb sabato sab zaterdag za sobota sob суббота сб',
]

const BY_NAME = new Map(NAMES.flatMap((names, day) => names.split(' ').map((name) => [name, day] as const)))

/** The weekday of a lower-case name, where 0 is Sunday; undefined for other words. */
export const weekdayOf = (name: string): number | undefined => BY_NAME.get(name.replace(/-feira$/, ''))

/**
 * Months as written in dates, in English, German, French, Spanish, Italian, Portuguese, Romanian, Dutch, Danish,
 * Norwegian, Swedish, Finnish, Polish, Czech, Hungarian, Turkish, Indonesian, Greek, Russian, Ukrainian and Arabic.
 */
const FULL: readonly string[] = [
  'january januar jänner janvier enero gennaio janeiro januari styczeń stycznia январь января ianuarie ledna január tammikuuta ocak ιανουαρίου січня يناير',
  'february februar février febrero febbraio fevereiro februari luty lutego февраль февраля februarie února február helmikuuta şubat φεβρουαρίου лютого فبراير',
  'march märz mars marzo março maart marzec marca март марта marts martie maret března március maaliskuuta mart μαρτίου березня مارس',
  'april avril abril aprile kwiecień kwietnia апрель апреля aprilie dubna április huhtikuuta nisan απριλίου квітня أبريل',
  'may mai mayo maggio maio mei maj maja май мая května május toukokuuta mayıs μαΐου травня مايو',
  'june juni juin junio giugno junho czerwiec czerwca июнь июня iunie června június kesäkuuta haziran ιουνίου червня يونيو',
  'july juli juillet julio luglio julho lipiec lipca июль июля iulie července július heinäkuuta temmuz ιουλίου липня يوليو',
  'august août aout agosto augustus sierpień sierpnia август августа augusti agustus srpna augusztus elokuuta ağustos αυγούστου серпня أغسطس',
  'september septembre septiembre setiembre settembre setembro wrzesień września сентябрь сентября septembrie září szeptember syyskuuta eylül σεπτεμβρίου вересня سبتمبر',
  'october oktober octobre octubre ottobre outubro październik października октябрь октября octombrie října október lokakuuta ekim οκτωβρίου жовтня أكتوبر',
  'november novembre noviembre novembro listopad listopada ноябрь ноября noiembrie listopadu marraskuuta kasım νοεμβρίου листопада نوفمبر',
  'december dezember décembre diciembre dicembre dezembro grudzień grudnia декабрь декабря desember decembrie prosince joulukuuta aralık δεκεμβρίου грудня ديسمبر',
]

/** The same, abbreviated. A period may follow each; short names aren't abbreviated: `June`. */
const SHORT: readonly string[] = [
  'jan jän janv ene gen sty янв oca ιαν',
  'feb févr fév fev lut фев февр şub φεβ',
  'mar mär mrz mars mrt maa мар март марта márc',
  'apr avr abr kwi апр ápr nis απρ',
  'may mai mag mei maj май мая máj μαΐ',
  'jun juin giu cze июн июня июнь jún haz ιουν',
  'jul juil lug lip июл июля июль júl tem ιουλ',
  'aug août ago sie авг ağu αυγ',
  'sep sept set wrz сен сент szept eyl σεπ',
  'oct okt ott out paź окт eki οκτ',
  'nov lis ноя нояб kas νοε',
  'dec dez déc dic gru дек des ara δεκ',
]

/** Words for AM and PM that stand before the time, as in Korean, Chinese and Japanese dates. */
export const HALVES: ReadonlyMap<string, 'AM' | 'PM'> = new Map([
  ['오전', 'AM'],
  ['오후', 'PM'],
  ['上午', 'AM'],
  ['下午', 'PM'],
  ['午前', 'AM'],
  ['午後', 'PM'],
])

function byName(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.flatMap((of, i) => of.split(' ').map((name) => [name, i + 1] as const)))
}

const BY_LENGTH = { full: byName(FULL), short: byName(SHORT.map((of, i) => `${of} ${FULL[i]}`)) }

/**
 * The month, from 1, of a lower-case name; undefined for other words.
 * @param full whether to accept only full names
 */
export function monthOf(name: string, full: boolean): number | undefined {
  return (full ? BY_LENGTH.full : BY_LENGTH.short).get(name)
}
