import type { ParameterValue, ResultSet, SqlSession } from '../../../../../engine/client.ts'
import type { ChartSource, Group, Profile } from './source.ts'
import { boxesSql, distinctSql, groupsSql, profileSql, rankSql } from './sql.ts'

interface EngineSourceOptions {
  readonly session: Pick<SqlSession, 'run'>
  readonly statement: string
  readonly parameters?: Readonly<Record<string, ParameterValue>> | undefined
}

/** Aggregates in the engine, which runs the statement again for it. */
export function engineSource({ session, statement, parameters = {} }: EngineSourceOptions): ChartSource {
  async function rows<T>(sql: string, signal: AbortSignal, read: (result: ResultSet) => T): Promise<T> {
    signal.throwIfAborted()
    const { result, done } = await session.run(sql, { signal, parameters })
    try {
      await done
      signal.throwIfAborted()
      return read(result)
    } finally {
      result.dispose()
    }
  }
  return {
    place: 'engine',
    profile: (roles, signal) =>
      rows(profileSql(statement, roles), signal, (result): Profile => ({
        rows: numberAt(result, 0, 0),
        drawn: numberAt(result, 0, 1),
        roles: roles.map((_, i) => ({
          nulls: numberAt(result, 0, 2 + i * 4),
          odd: numberAt(result, 0, 3 + i * 4),
          min: maybeAt(result, 0, 4 + i * 4),
          max: maybeAt(result, 0, 5 + i * 4),
        })),
      })),
    distinct: (roles, role, limit, signal) =>
      rows(distinctSql(statement, roles, role, limit), signal, (result) => numberAt(result, 0, 0)),
    rank: (request, signal) =>
      rows(rankSql(statement, request), signal, (result) => ({
        distinct: result.rowCount > 0 ? numberAt(result, 0, 2) : 0,
        top: each(result, (row) => result.text(row, 0) ?? ''),
        restRows: result.rowCount > 0 ? (maybeAt(result, 0, 3) ?? 0) : 0,
      })),
    groups: (request, signal) =>
      rows(groupsSql(statement, request), signal, (result) =>
        each(result, (row): Group => ({
          keys: request.keys.map(({ role, bins }, i) =>
            request.roles[role]?.as === 'text' && !bins ? result.text(row, i) : maybeAt(result, row, i),
          ),
          rows: numberAt(result, row, request.keys.length),
          value: numberAt(result, row, request.keys.length + 1),
        })),
      ),
    boxes: (request, signal) =>
      rows(boxesSql(statement, request), signal, (result) =>
        each(result, (row) => ({
          key: request.key ? result.text(row, 0) : null,
          rows: numberAt(result, row, 1),
          min: numberAt(result, row, 2),
          q1: numberAt(result, row, 3),
          median: numberAt(result, row, 4),
          q3: numberAt(result, row, 5),
          max: numberAt(result, row, 6),
          low: numberAt(result, row, 7),
          high: numberAt(result, row, 8),
          outliers: numberAt(result, row, 9),
        })),
      ),
  }
}

function each<T>(result: ResultSet, read: (row: number) => T): T[] {
  return Array.from({ length: result.rowCount }, (_, row) => read(row))
}

function maybeAt(result: ResultSet, row: number, column: number): number | null {
  const text = result.text(row, column)
  return text === null ? null : Number(text)
}

const numberAt = (result: ResultSet, row: number, column: number): number => maybeAt(result, row, column) ?? 0
