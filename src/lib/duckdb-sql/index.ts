export {
  createCatalog,
  type Catalog,
  type CatalogTable,
  type Column,
  type Schema,
  type SchemaTable,
} from './catalog.ts'
export { classify, type TokenClass } from './statements.ts'
export { cteColumns, relationColumns, type ColumnSources, type KnownColumn } from './columns.ts'
export {
  createWords,
  parseSignature,
  signatureFor,
  type Dialect,
  type FunctionInfo,
  type Signature,
  type Words,
} from './dialect.ts'
export { nameOf, namesOf, nextToken, tokenize, type Token } from './lexer.ts'
export { distinctNames, isReserved, quoteIdentifier, quoteName, quoteReference, quoteText, sameName } from './names.ts'
export { parseStatement, type Parsed } from './parse.ts'
export { callAt, placeAt, type Call, type Place } from './place.ts'
export { findCte, findRelation, relationName, scopeAt, type Scope } from './scope.ts'
export {
  findBoundaries,
  statementAt,
  statementsIn,
  updateBoundaries,
  type Boundaries,
  type Source,
  type StatementPlace,
} from './statements.ts'
export { comparedAt, frequentSql, literalOf, originOf, type Origin } from './values.ts'
export { folded, MOST } from './suggestion.ts'
export { suggestionsAt } from './suggest.ts'
export type { Suggestion } from './suggestion.ts'
