import { describe, expect, it } from 'vitest'
import { inspect, readAll } from '../testing.ts'
import { arffIn } from './arff.ts'
import { planFrom } from '../../../../tables/edits.ts'

/* As written by Weka and R's `foreign` package. */

const IRIS = `% 1. Title: Iris Plants Database
@RELATION iris

@ATTRIBUTE sepallength\tREAL
@ATTRIBUTE 'petal length' NUMERIC
@attribute when date "yyyy-MM-dd HH:mm:ss"
@ATTRIBUTE class \t{Iris-setosa,'Iris virginica'}

@DATA
5.1,1.4,'2024-03-01 10:15:33',Iris-setosa
4.9,?,'2024-03-02 00:00:00',Iris-setosa
% a remark
6.3,6.0,?,'Iris \\'v\\''
`

describe('an ARFF file', () => {
  it('is read with the names of its attributes, its nulls and its quotes', async () => {
    const inspection = await inspect(IRIS)
    const [{ columns }] = planFrom(inspection).tables
    expect(columns.map(({ name, type }) => [name, type])).toEqual([
      ['sepallength', 'DECIMAL(2,1)'],
      ['petal length', 'DECIMAL(2,1)'],
      ['when', 'TIMESTAMP'],
      ['class', 'VARCHAR'],
    ])
    const { rows, rejected } = await readAll(IRIS, inspection)
    expect(rejected).toEqual([])
    expect(rows).toEqual([
      ['5.1', '1.4', '2024-03-01 10:15:33', 'Iris-setosa'],
      ['4.9', null, '2024-03-02 00:00:00', 'Iris-setosa'],
      ['6.3', '6.0', null, "Iris 'v'"],
    ])
    expect(inspection.notes.map(({ code }) => code)).toEqual(['arff', 'preamble', 'comments'])
  })

  it('is read otherwise, once its lines are said to be', async () => {
    expect((await inspect(IRIS, { skipLines: 9, header: true })).notes.map(({ code }) => code)).not.toContain('arff')
  })

  it('may have blanks around values, and double quotes', () => {
    expect(arffIn('@relation r\n@attribute "a b" string\n@attribute b numeric\n@data\n "x, y", 1\n')).toMatchObject({
      names: ['a b', 'b'],
      settings: { quote: '"', trim: true, skipLines: 4, width: 2 },
    })
  })

  it.each([
    ['sparse rows', '@relation r\n@attribute a numeric\n@attribute b numeric\n@data\n{0 1, 1 5}\n'],
    ['tables as values', '@relation r\n@attribute a relational\n@attribute b numeric\n@end a\n@data\n"1\\n2"\n'],
    ['another delimiter', '@relation r\n@attribute a numeric\n@attribute b numeric\n@data\n1 2\n'],
    ['no rows', '@relation r\n@attribute a numeric\n'],
    ['other lines above', '@relation r\n@attribute a numeric\nx\n@data\n1\n'],
    ['another beginning', 'a\n@relation r\n@attribute a numeric\n@data\n1\n'],
  ])('has no %s', (_, text) => expect(arffIn(text)).toBeNull())
})
