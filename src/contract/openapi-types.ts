/* The parts of OpenAPI 3.1 that the contract's document uses. */

/** JSON Schema, draft 2020-12. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly additionalProperties?: boolean | JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
}

export interface Reference {
  readonly $ref: string
}

export interface ExampleObject {
  readonly summary?: string
  readonly value?: unknown
}

export interface MediaType {
  readonly schema?: JsonSchema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, ExampleObject>>
}

export interface HeaderObject {
  readonly description?: string
  readonly required?: boolean
  readonly schema?: JsonSchema
  readonly example?: unknown
}

export interface ResponseObject {
  readonly description: string
  readonly headers?: Readonly<Record<string, HeaderObject | Reference>>
  readonly content?: Readonly<Record<string, MediaType>>
}

export interface ParameterObject {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required?: boolean
  readonly description?: string
  readonly schema?: JsonSchema
  readonly example?: unknown
}

export interface RequestBodyObject {
  readonly description?: string
  readonly required?: boolean
  readonly content: Readonly<Record<string, MediaType>>
}

export type SecurityRequirement = Readonly<Record<string, readonly string[]>>

export interface OperationObject {
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly (ParameterObject | Reference)[]
  readonly requestBody?: RequestBodyObject | Reference
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>
  readonly security?: readonly SecurityRequirement[]
}

interface ServerObject {
  readonly url: string
  readonly description?: string
}

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
type Method = (typeof METHODS)[number]

export type PathItem = Readonly<Partial<Record<Method, OperationObject>>> & {
  readonly servers?: readonly ServerObject[]
  readonly parameters?: readonly (ParameterObject | Reference)[]
}

interface SecurityScheme {
  readonly type: 'apiKey' | 'http'
  readonly description?: string
  readonly in?: 'header'
  readonly name?: string
  readonly scheme?: string
}

export interface OpenApiDocument {
  readonly openapi: string
  readonly jsonSchemaDialect?: string
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly servers?: readonly ServerObject[]
  readonly security?: readonly SecurityRequirement[]
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components?: {
    readonly schemas?: Readonly<Record<string, JsonSchema>>
    readonly responses?: Readonly<Record<string, ResponseObject>>
    readonly headers?: Readonly<Record<string, HeaderObject>>
    readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>
  }
}
