import type { Registry, ScalarFunction } from '../scalar-functions.ts'
import { OrderedKeys } from './ordered-keys.ts'

/** Collations that DuckDB has with ICU: languages, some of them as they're used in a country. */
const NAMES =
  `af am ar ar_sa as az be bg bn bo br bs ca ceb chr cs cy da de de_at dsb dz ee el en en_us eo es et fa fa_af ff fi fil fo fr
  fr_ca fy ga gl gu ha haw he he_il hi hr hsb hu hy id id_id ig is it ja ka kk kl km kn ko kok ku ky lb lkt ln lo lt lv mk
  ml mn mr ms mt my nb nb_no ne nl nn om or pa pa_in pl ps pt ro ru sa se si sk sl smn sq sr sr_ba sr_me sr_rs sv sw ta te
  th tk to tr ug uk ur uz vi wae wo xh yi yo yue yue_cn zh zh_cn zh_hk zh_mo zh_sg zh_tw zu`.split(/\s+/)

/** Texts that one statement may compare by a collation, and letters of texts and keys. */
const LIMITS = { texts: 1_000_000, letters: 2 ** 28 }
/** What may be left to the next statement, which often sorts the same. */
const KEPT: typeof LIMITS = { texts: 100_000, letters: 2 ** 23 }

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** DuckDB's collations by language, with the browser's own orders. */
export class Collations {
  private readonly keys = new Map<string, OrderedKeys>()
  private readonly limits: typeof LIMITS
  private readonly kept: typeof LIMITS

  constructor(limits = LIMITS, kept = KEPT) {
    this.limits = limits
    this.kept = kept
  }

  /** Makes them known to every statement of a database, but those whose order the browser doesn't know. */
  register(add: Registry['addCollation']): void {
    for (const name of NAMES) {
      const locale = name.replace('_', '-')
      if (Intl.Collator.supportedLocalesOf(locale).length > 0)
        add(
          name,
          this.functionOf(name, () => new Intl.Collator(locale)),
        )
    }
    // Letters alone and their case, in the order that most languages have.
    const bare = (): Intl.Collator => new Intl.Collator('en', { sensitivity: 'case' })
    add('icu_noaccent', this.functionOf('icu_noaccent', bare))
  }

  /** To be called when no statement runs: keys are of use to the one alone that they were made for. */
  forget(): void {
    for (const [name, { size, letters }] of this.keys)
      if (size > this.kept.texts || letters > this.kept.letters) this.keys.delete(name)
  }

  private functionOf(name: string, collator: () => Intl.Collator): ScalarFunction {
    let keys: (string | null)[] = []
    return {
      name: `icu_collate_${name}`,
      before: ([argument], rows) => {
        const texts = Array.from({ length: rows }, (_, row) => {
          const text = argument.text(row)
          return text && decoder.decode(text)
        })
        const known = this.keysOf(name, collator)
        this.add(known, texts, name)
        keys = texts.map((text) => (text === null ? null : known.get(text)))
      },
      call: (_, row, out) => {
        const key = keys[row]
        if (key !== null) out.text(key)
        return key !== null
      },
    }
  }

  private keysOf(name: string, collator: () => Intl.Collator): OrderedKeys {
    const keys = this.keys.get(name) ?? new OrderedKeys(collator().compare)
    this.keys.set(name, keys)
    return keys
  }

  private add(keys: OrderedKeys, texts: readonly (string | null)[], name: string): void {
    const added = new Set<string>()
    for (const text of texts) if (text !== null && !keys.has(text)) added.add(text)
    if (added.size === 0) return
    keys.add([...added])
    const { limits } = this
    if (keys.size <= limits.texts && keys.letters <= limits.letters) return
    this.keys.delete(name)
    throw new Error(
      `COLLATE ${name} can compare ${limits.texts.toLocaleString('en')} different texts in a statement, with ${limits.letters.toLocaleString('en')} letters, and there are more. Filter the rows first, or use COLLATE NOCASE.NOACCENT, which has no such limit.`,
    )
  }
}
