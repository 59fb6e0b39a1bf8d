import { describe, expect, test } from 'vitest'
import { column, table } from '../../../tables/testing.ts'
import { type Draft, EMPTY_DRAFT, readFile, removeFile, withTable } from './draft.ts'
import { draftProblem, nameProblems, tableProblems } from './problems.ts'
import { csvFound, draftOf, file, only, reading } from './testing.ts'

describe('problems of a draft:', () => {
  test('none if all is well', () => expect(draftProblem(draftOf(file('a.csv'), csvFound()))).toBeNull())

  test('rows that don’t fit', () => {
    const found = csvFound({ tables: [table([column('id')], { rejectedCount: 2 })] })
    const draft = draftOf(file('a.csv'), found)
    expect(draftProblem(draft)).toMatch(/^Review “a” first/)
    expect(draftProblem(withTable(draft, 'f/0', (old) => ({ ...old, agreed: true })))).toBeNull()
  })

  test('a file above the limit, until it’s small enough as Parquet', () => {
    const draft = draftOf(file('a.csv', 60_000_000), csvFound())
    const measured = (bytes: number): Draft =>
      withTable(draft, 'f/0', (old) => ({ ...old, measure: { kind: 'measured', bytes } }))
    const problems = (of: Draft): string[] => tableProblems(of, only(of)[1])
    expect(problems(draft)).toHaveLength(1)
    expect(problems(measured(52_428_800))).toEqual([])
    expect(problems(measured(52_428_801))).toHaveLength(1)
  })

  test('names that are equal to the service', () => {
    const draft = {
      ...draftOf(file('a.csv'), csvFound()),
      files: [reading('f', file('a.csv')), reading('g', file('A.csv'))],
    }
    const both = readFile(draft, 'g', csvFound(), null)
    expect(both.tables.map(({ name }) => name)).toEqual(['a', 'A_2'])
    const same = withTable(both, 'g/0', (old) => ({ ...old, name: ' A ', named: true }))
    expect([...nameProblems(same).keys()]).toEqual(['g/0'])
    expect(removeFile(same, 'f').tables).toHaveLength(1)
  })

  test('equal names are numbered in the order of the files, whichever is read first', () => {
    const draft = { ...EMPTY_DRAFT, files: [reading('f', file('a.csv')), reading('g', file('a.json'))] }
    const both = readFile(readFile(draft, 'g', csvFound(), null), 'f', csvFound(), null)
    expect(both.tables.map(({ fileId, name }) => [fileId, name])).toEqual([
      ['f', 'a'],
      ['g', 'a_2'],
    ])
  })
})
