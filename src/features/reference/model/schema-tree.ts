import type { JsonSchema } from '../../../contract/openapi-types.ts'

/** A field of a body, with what's within it. */
export interface SchemaNode {
  readonly name: string
  /** In words: `string`, `array of objects`, `"private" or "public"`. */
  readonly type: string
  readonly required: boolean
  readonly description: string
  /** Bounds and defaults: `at most 128 characters`. */
  readonly notes: readonly string[]
  readonly children: readonly SchemaNode[]
}

type Resolve = (schema: JsonSchema) => JsonSchema

const DEPTH = 8

/** The fields of a body. Of several forms that it may have, the first; `forms` says how many there are. */
export function schemaTree(
  schema: JsonSchema,
  resolve: Resolve,
): { readonly nodes: readonly SchemaNode[]; readonly forms: number } {
  const found = resolve(schema)
  const forms = found.anyOf ?? found.oneOf ?? []
  const [first = found] = forms
  return { nodes: childrenOf(resolve(first), resolve, DEPTH), forms: Math.max(1, forms.length) }
}

function childrenOf(schema: JsonSchema, resolve: Resolve, depth: number): readonly SchemaNode[] {
  if (depth === 0) return []
  if (schema.items) return childrenOf(resolve(schema.items), resolve, depth)
  if (schema.allOf) return schema.allOf.flatMap((part) => childrenOf(resolve(part), resolve, depth - 1))
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const found = resolve(property)
    return {
      name,
      type: typeOf(found, resolve),
      required: schema.required?.includes(name) ?? false,
      description: found.description ?? '',
      notes: notesOf(found),
      children: childrenOf(found, resolve, depth - 1),
    }
  })
}

const literal = (value: unknown): string => JSON.stringify(value) ?? 'undefined'

function typeOf(schema: JsonSchema, resolve: Resolve): string {
  if ('const' in schema) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  const forms = schema.anyOf ?? schema.oneOf
  if (forms) return Array.from(new Set(forms.map((form) => typeOf(resolve(form), resolve)))).join(' | ')
  const type = typeof schema.type === 'string' ? schema.type : (schema.type?.join(' | ') ?? 'any')
  if (type === 'array' && schema.items) return `array of ${plural(typeOf(resolve(schema.items), resolve))}`
  return schema.format ? `${type} (${schema.format})` : type
}

const plural = (type: string): string => (/^(string|number|integer|object|boolean)$/.test(type) ? `${type}s` : type)

function notesOf(schema: JsonSchema): readonly string[] {
  const notes: string[] = []
  const bounds = (least: unknown, most: unknown, unit: string): void => {
    if (typeof least === 'number' && typeof most === 'number') notes.push(`${count(least)} to ${count(most)}${unit}`)
    else if (typeof most === 'number') notes.push(`at most ${count(most)}${unit}`)
    // That something isn't empty, or not below zero, goes without saying.
    else if (typeof least === 'number' && least > 1) notes.push(`at least ${count(least)}${unit}`)
  }
  bounds(schema['minLength'], schema['maxLength'], ' characters')
  bounds(schema['minItems'], schema['maxItems'], ' items')
  bounds(schema['minimum'], schema['maximum'], '')
  if (schema.default !== undefined) notes.push(`default ${literal(schema.default)}`)
  return notes
}

const count = (value: number): string => value.toLocaleString('en-US')
