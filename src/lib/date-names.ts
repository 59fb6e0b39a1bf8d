/** English names. */
export const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** Weekdays from Sunday on, in full and abbreviated, in the languages of the months' names. */
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

/** Months as written in dates, in English, German, French, Spanish, Italian, Portuguese, Dutch, Polish and Russian. */
const FULL: readonly string[] = [
  'january januar jänner janvier enero gennaio janeiro januari styczeń stycznia январь января',
  'february februar février febrero febbraio fevereiro februari luty lutego февраль февраля',
  'march märz mars marzo março maart marzec marca март марта',
  'april avril abril aprile kwiecień kwietnia апрель апреля',
  'may mai mayo maggio maio mei maj maja май мая',
  'june juni juin junio giugno junho czerwiec czerwca июнь июня',
  'july juli juillet julio luglio julho lipiec lipca июль июля',
  'august août aout agosto augustus sierpień sierpnia август августа',
  'september septembre septiembre setiembre settembre setembro wrzesień września сентябрь сентября',
  'october oktober octobre octubre ottobre outubro październik października октябрь октября',
  'november novembre noviembre novembro listopad listopada ноябрь ноября',
  'december dezember décembre diciembre dicembre dezembro grudzień grudnia декабрь декабря',
]

/** The same, abbreviated. A period may follow each; short names aren't abbreviated: `June`. */
const SHORT: readonly string[] = [
  'jan jän janv ene gen sty янв',
  'feb févr fév fev lut фев февр',
  'mar mär mrz mars mrt maa мар март марта',
  'apr avr abr kwi апр',
  'may mai mag mei maj май мая',
  'jun juin giu cze июн июня июнь',
  'jul juil lug lip июл июля июль',
  'aug août ago sie авг',
  'sep sept set wrz сен сент',
  'oct okt ott out paź окт',
  'nov lis ноя нояб',
  'dec dez déc dic gru дек',
]

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
