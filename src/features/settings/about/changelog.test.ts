import { expect, test } from 'vitest'
import markdown from '../../../../.github/CHANGELOG.md?raw'
import { parseChangelog } from './changelog.ts'

test('a changelog is parsed to releases, parts and items', () => {
  const text =
    '# Changelog\n\nIntro.\n\n## 2.0\n\n### Reading\n\n- Files `a.csv`\n  and [more](http://x.y).\n- Two.\n\n## 1.0\n\nThe\nfirst.\n'
  expect(parseChangelog(text)).toEqual([
    {
      name: '2.0',
      summary: [],
      parts: [
        {
          title: 'Reading',
          items: [
            [
              { text: 'Files ', code: false },
              { text: 'a.csv', code: true },
              { text: ' and more.', code: false },
            ],
            [{ text: 'Two.', code: false }],
          ],
        },
      ],
    },
    { name: '1.0', summary: [{ text: 'The first.', code: false }], parts: [] },
  ])
})

test('the project’s own changelog has no other Markdown', () => {
  const releases = parseChangelog(markdown)
  expect(releases.length).toBeGreaterThan(0)
  const plain = releases.flatMap(({ summary, parts }) => [...summary, ...parts.flatMap(({ items }) => items.flat())])
  expect(plain.length).toBeGreaterThan(10)
  expect(plain.filter(({ text, code }) => !code && /\*\*|`|\]\(|\n/.test(text))).toEqual([])
})
