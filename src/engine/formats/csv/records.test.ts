import { expect, it } from 'vitest'
import { applyEdits, NO_EDITS } from '../../../tables/edits.ts'
import { applyProposals, openProposals } from '../../../tables/proposals.ts'
import { convert, convertAsInspected, inspect } from '../../testing/run.ts'
import { defaultOptions } from '../../../tables/plan.ts'
import { csvReader } from './reader.ts'

/* Files with a line for each value. */

const LDIF = `version: 1

# the first entry
dn: cn=admin,dc=example,dc=com
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: admin
description: An administrator whose description is
  folded

dn: uid=ruelp,ou=people,dc=example,dc=com
cn: Rülp
description:: SsO8cmdlbg==
jpegPhoto:: /9j/4AAQ
mail:
`
const DPKG = `Package: adduser
Version: 3.134
Installed-Size: 686
Description: add and remove users
 It has the commands adduser and deluser.
 .
 More: here.

Package: apt
Version: 2.6.1
Installed-Size: 4232
Depends: adduser, gpgv
`
const SANTANDER = `From: 01/01/2024 to 31/01/2024

Account: XXXX 1234

Date: 31/01/2024
Description: CARD PAYMENT TO "TESCO"
Amount: -12.50

Date: 30/01/2024
Description: SALARY
Amount: 2500.00
`

async function proposed(text: string, name = 'records.txt') {
  const file = new File([text], name)
  const { inspection } = await inspect(file)
  const open = openProposals(inspection, applyEdits(inspection, NO_EDITS))
  return { file, inspection, records: open.filter(({ proposal }) => proposal.code === 'records') }
}

async function rows(text: string) {
  const { file, inspection, records } = await proposed(text)
  expect(records).toHaveLength(1)
  const { request } = applyProposals(inspection, { edits: NO_EDITS, request: {}, applied: [] }, records)
  const again = (await inspect(file, request)).inspection
  const { result, files } = await convertAsInspected(file, again, 'json', defaultOptions('json'), (plan) => plan)
  expect(result.outputs[0].receipts[0]).toMatchObject({ verdict: 'match', differences: [] })
  return {
    file,
    inspection: again,
    notes: again.notes.map(({ message }) => message),
    rows: JSON.parse(await files[0].text()) as unknown,
  }
}

it('LDIF has a row for each entry, and says what was joined and decoded', async () => {
  const found = await rows(LDIF)
  expect(found.rows).toEqual([
    {
      dn: 'cn=admin,dc=example,dc=com',
      objectClass: 'organizationalRole\nsimpleSecurityObject',
      cn: 'admin',
      description: 'An administrator whose description is folded',
      jpegPhoto: null,
      mail: null,
    },
    {
      dn: 'uid=ruelp,ou=people,dc=example,dc=com',
      objectClass: null,
      cn: 'Rülp',
      description: 'Jürgen',
      jpegPhoto: '/9j/4AAQ',
      mail: '',
    },
  ])
  expect(found.notes).toEqual([
    'Lines with a key and a value are read as 2 rows of 6 columns.',
    '2 lines outside of records are not read, the first is line 1, “version: 1”.',
    '1 line went on with the value above.',
    '1 value of a key that the record had already, such as “objectClass”, is put below the first in one cell.',
    '1 value in Base64 is decoded.',
  ])
})

it('dpkg’s stanzas keep the lines of their values', async () => {
  const { rows: found, inspection } = await rows(DPKG)
  expect(found).toEqual([
    {
      Package: 'adduser',
      Version: '3.134',
      'Installed-Size': 686,
      Description: 'add and remove users\nIt has the commands adduser and deluser.\n.\nMore: here.',
      Depends: null,
    },
    { Package: 'apt', Version: '2.6.1', 'Installed-Size': 4232, Description: null, Depends: 'adduser, gpgv' },
  ])
  expect(inspection.settings).toMatchObject({ kind: 'csv', layout: 'records', encoding: 'utf-8', compression: null })
})

it('statements have types, whatever is above the records and how lines end', async () => {
  const found = await rows(SANTANDER.replaceAll('\n', '\r\n'))
  expect(found.rows).toEqual([
    { Date: '2024-01-31', Description: 'CARD PAYMENT TO "TESCO"', Amount: -12.5 },
    { Date: '2024-01-30', Description: 'SALARY', Amount: 2500 },
  ])
  expect(found.notes[1]).toBe(
    '2 lines outside of records are not read, the first is line 1, “From: 01/01/2024 to 31/01/2024”.',
  )
  const context = { signal: new AbortController().signal, progress: () => undefined }
  const source = await csvReader.source?.(found.file, { settings: found.inspection.settings, table: null }, context)
  expect(source?.rows[1]?.cells).toEqual(['31/01/2024', 'CARD PAYMENT TO "TESCO"', '-12.50'])
})

it.each([
  [
    'without blank lines',
    'Name: Anna\nAge: 3\nName: Bob\nAge: 4\n',
    [
      { Name: 'Anna', Age: 3 },
      { Name: 'Bob', Age: 4 },
    ],
  ],
  [
    'with aligned colons, as PowerShell writes them',
    '\r\n\r\nName  : svchost\r\nCPU   : 12.5\r\n\r\nName  : explorer\r\nCPU   : 100.5\r\n\r\n',
    [
      { Name: 'svchost', CPU: 12.5 },
      { Name: 'explorer', CPU: 100.5 },
    ],
  ],
  [
    'with tabs before colons, as in /proc/cpuinfo',
    'processor\t: 0\nflags\t\t: fpu vme\n\nprocessor\t: 1\nflags\t\t: fpu\n\n',
    [
      { processor: 0, flags: 'fpu vme' },
      { processor: 1, flags: 'fpu' },
    ],
  ],
])('records %s are proposed as rows', async (_, text, expected) => {
  expect((await rows(text)).rows).toEqual(expected)
})

it.each([
  ['a log', 'INFO: started\nWARN: slow\nINFO: done\nERROR: failed\n'],
  ['one record', 'Host Name: A\nOS Name: B\nVersion: 1\n'],
  ['times', 'a,b\n1,2024-01-01 10:00:00\n2,2024-01-01 11:00:00\n'],
  ['lines with other text', 'Name: Anna\nAge: 3\n\nName: Bob\nAge: 4\nend\n'],
  ['a table', 'key: value,b\nkey: value,c\nkey: value,d\n'],
])('%s has no such proposal', async (_, text) => {
  expect((await proposed(text)).records).toEqual([])
})

it('bytes that aren’t text in the encoding are refused, and read in another', async () => {
  const bytes = new Uint8Array([
    ...new TextEncoder().encode('Name: Anna\nCity: K'),
    0xf6,
    ...new TextEncoder().encode('ln\n'),
  ])
  const file = new File([bytes], 'records.txt')
  const settings = { kind: 'csv', layout: 'records' } as const
  await expect(inspect(file, { settings: { ...settings, encoding: 'utf-8' } })).rejects.toThrow('aren’t UTF-8')
  const { files } = await convert(file, 'csv', undefined, (plan) => plan, { settings })
  expect(await files[0].text()).toBe('Name,City\nAnna,Köln\n')
})

it('is the only proposal, since others would change lines as if they were rows', async () => {
  const { inspection } = await proposed(LDIF)
  const open = openProposals(inspection, applyEdits(inspection, NO_EDITS))
  expect(open.map(({ proposal }) => proposal.label)).toEqual(['Apply: a row for each “dn”'])
})
