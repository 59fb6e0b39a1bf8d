import { formatCount } from '../../../lib/counts.ts'
import type { JsonSchema } from '../../../contract/openapi-types.ts'

/** A field of a body, with the fields within it. */
export interface SchemaNode {
  readonly name: string
  /** In words: `string`, `array of objects`, `"private" or "public"`. */
  readonly type: string
  readonly required: boolean
  readonly description: string
  /** Limits and defaults: `at most 128 characters`. */
  readonly notes: readonly string[]
  readonly children: readonly SchemaNode[]
}

type Resolve = (schema: JsonSchema) => JsonSchema

/** Most fields shown of a body, since schemas may be recursive. */
const MOST = 1000

const list = (value: unknown): readonly JsonSchema[] => (Array.isArray(value) ? (value as JsonSchema[]) : [])
/** A value's alternatives; empty if there's only one form. */
const formsOf = ({ anyOf, oneOf }: JsonSchema): readonly JsonSchema[] => [...list(anyOf), ...list(oneOf)]

/** The fields of a body. If it has alternatives, uses the first; `forms` is their number. */
export function schemaTree(
  schema: JsonSchema,
  resolve: Resolve,
): { readonly nodes: readonly SchemaNode[]; readonly forms: number } {
  const forms = formsOf(resolve(schema))
  return { nodes: new Reader(resolve).within(forms[0] ?? schema, []), forms: Math.max(1, forms.length) }
}

class Reader {
  private left = MOST
  private readonly resolve: Resolve

  constructor(resolve: Resolve) {
    this.resolve = resolve
  }

  /** `path`: the references that led here. A repeated one is shown without its fields. */
  within(raw: JsonSchema, path: readonly string[]): readonly SchemaNode[] {
    const [schema, way] = this.step(raw, path)
    if (!schema) return []
    if (schema.items) return this.within(schema.items, way)
    const parts = list(schema.allOf)
    if (parts.length > 0) return parts.flatMap((part) => this.within(part, way))
    return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
      if (this.left-- <= 0) return []
      const found = this.resolve(property)
      return {
        name,
        type: this.typeOf(property, way),
        required: Array.isArray(schema.required) && schema.required.includes(name),
        description: typeof found.description === 'string' ? found.description : '',
        notes: notesOf(found),
        children: this.within(property, way),
      }
    })
  }

  private typeOf(raw: JsonSchema, path: readonly string[]): string {
    const [schema, way] = this.step(raw, path)
    if (!schema) return 'object'
    if ('const' in schema) return literal(schema.const)
    if (Array.isArray(schema.enum)) return schema.enum.map(literal).join(' | ')
    const forms = formsOf(schema).map((form) => this.typeOf(form, way))
    if (forms.length > 0) return Array.from(new Set(forms)).join(' | ')
    const type = Array.isArray(schema.type) ? schema.type.join(' | ') : String(schema.type ?? 'any')
    if (type === 'array' && schema.items) return `array of ${plural(this.typeOf(schema.items, way))}`
    return schema.format ? `${type} (${schema.format})` : type
  }

  private step(raw: JsonSchema, path: readonly string[]): readonly [JsonSchema | null, readonly string[]] {
    const ref: unknown = raw?.$ref
    if (typeof ref !== 'string') return [this.resolve(raw), path]
    return path.includes(ref) ? [null, path] : [this.resolve(raw), [...path, ref]]
  }
}

const literal = (value: unknown): string => JSON.stringify(value) ?? 'undefined'

const plural = (type: string): string => (/^(string|number|integer|object|boolean)$/.test(type) ? `${type}s` : type)

function notesOf(schema: JsonSchema): readonly string[] {
  const notes: string[] = []
  const bounds = (least: unknown, most: unknown, unit: string): void => {
    if (typeof least === 'number' && typeof most === 'number')
      notes.push(`${formatCount(least)} to ${formatCount(most)}${unit}`)
    else if (typeof most === 'number') notes.push(`at most ${formatCount(most)}${unit}`)
    // A minimum of 0 or 1 isn't worth mentioning.
    else if (typeof least === 'number' && least > 1) notes.push(`at least ${formatCount(least)}${unit}`)
  }
  bounds(schema['minLength'], schema['maxLength'], ' characters')
  bounds(schema['minItems'], schema['maxItems'], ' items')
  bounds(schema['minimum'], schema['maximum'], '')
  if (schema.default !== undefined) notes.push(`default ${literal(schema.default)}`)
  return notes
}
