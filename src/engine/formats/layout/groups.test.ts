import { describe, expect, test } from 'vitest'
import { type Groups, groupsOver, isAboveGroups, isAboveNames } from './header-rows.ts'

/** Rows of cells separated by commas. */
const rowsOf = (text: string): string[][] => text.split('\n').map((line) => line.split(','))

const GAMES = 'Lions,Rome,Bears,Oslo\nCats,Bonn,Dogs,Kiel\nHens,Graz,Ants,Linz'
const ORDERS = 'Ann,a@x.org,AB-1,open\nBob,b@x.org,CD-2,closed\nCid,c@x.org,EF-3,open'

describe('rows of texts below two rows of names', () => {
  test.each<[string, Groups, string]>([
    ['names come again below names with gaps', 'sure', `Home,,Away,\nTeam,Town,Team,Town\n${GAMES}`],
    ['names come again below names that are repeated', 'sure', `Home,Home,Away,Away\nTeam,Town,Team,Town\n${GAMES}`],
    ['years come again', 'sure', 'Cup,,League,\n2023,2024,2023,2024\nwon,lost,won,won\nlost,lost,won,lost'],
    ['columns are usually called so', 'sure', `Customer,,Order,\nName,Email,Code,Status\n${ORDERS}`],
    ['so are most of those below a single group', 'sure', 'Id,Person,\n,Name,Email\n1,Ann,a@x.org\n2,Bob,b@x.org'],
    [
      'a column in no group has no value in the second row alone',
      'sure',
      'Game,Home,,Away,\n,Alpha,Beta,Gamma,Delta\nfinal,a,b,c,d\nsemi,e,f,g,h\nquarter,i,j,k,l',
    ],
    ['nothing but gaps says so', 'likely', `Home,,Away,\nAlpha,Beta,Gamma,Delta\n${GAMES}`],
    ['nor that, above one group', 'possible', 'Name,,Town\nAnn,Smith,Rome\nBob,Jones,Oslo\nCid,Brown,Bonn'],
    ['no row below but one', 'none', 'Home,,Away,\nTeam,Town,Team,Town\nLions,Rome,Bears,Oslo'],
    ['no gaps', 'none', `Host,Town,Guest,From\nTeam,Town,Team,Town\n${GAMES}`],
    ['a gap that the second row has, too', 'possible', `Home,,Away,\nAlpha,,Beta,Gamma\n${GAMES}`],
    ['values come again in each row', 'likely', 'Home,,Away,\nx,y,x,y\na,b,a,b\nc,d,c,d\ne,f,e,f'],
    ['a value that is there below', 'none', `Home,,Away,\nCats,Town,Team,Town\n${GAMES}`],
    ['a value that is there below in another column', 'none', `Home,,Away,\nOslo,Town,Team,Town\n${GAMES}`],
    ['a number', 'none', `Home,,Away,\nTeam,12,Team,12\n${GAMES}`],
    ['an address like those below', 'none', `Customer,,Order,\nDan,d@x.org,Code,Status\n${ORDERS}`],
    [
      'usual names that are values',
      'likely',
      'Field,,Kind,\nname,email,date,city\nprice,phone,status,tax\nsum,mail,code,day',
    ],
  ])('%s: %s', (_, groups, text) => expect(groupsOver(rowsOf(text))).toBe(groups))
})

test('a title isn’t above names that come but once', () => {
  const below = 'Name,Email,Code,Status\n' + ORDERS
  expect(isAboveNames(rowsOf(`Shop,,Orders,\n${below}`))).toBe(false)
  expect(isAboveNames(rowsOf(`Home,,Away,\nTeam,Town,Team,Town\n${GAMES}`))).toBe(true)
})

test.each<[string, boolean, string]>([
  [
    'names above groups of columns',
    true,
    `Home,,,,Away,,,\nClub,,Place,,Club,,Place,\nTeam,Town,Land,Seats,Team,Town,Land,Seats\na,b,c,d,e,f,g,h\ni,j,k,l,m,n,o,p`,
  ],
  [
    'a column in no group has its name on top',
    true,
    'Area,2023,,,,2024,,,\n,H1,,H2,,H1,,H2,\n,Lead,State,Lead,State,Lead,State,Lead,State\nA,a,x,b,y,c,x,d,y\nB,e,y,f,x,g,y,h,x',
  ],
  [
    'a column with one row below has a group, too',
    true,
    'Staff,,,Contact,,\nName,,Role,Office,,Home\nFirst,Last,,Phone,Room,City\nAnn,Lee,cook,12,A1,Bonn\nBob,Ray,clerk,13,A2,Ulm\nCid,Fox,boss,14,B1,Jena',
  ],
  ['a title', false, `Games 2024,,,\nHome,,Away,\nTeam,Town,Team,Town\n${GAMES}`],
  ['a key with its value', false, `Season,Spring,,\nHome,,Away,\nTeam,Town,Team,Town\n${GAMES}`],
  ['keys, each above one name', false, `Season,,Spring,\nHome,,Away,\nTeam,Town,Team,Town\n${GAMES}`],
])('above two rows of names: %s', (_, isAbove, text) => expect(isAboveGroups(rowsOf(text))).toBe(isAbove))
