/** Names of weekdays from Sunday on, whole and abbreviated, in the languages of the months' names. */
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

/** The weekday that a name stands for, in lower case, from 0 for Sunday; undefined for what is none. */
export const weekdayOf = (name: string): number | undefined => BY_NAME.get(name.replace(/-feira$/, ''))
