import { Link } from 'react-router'
import { version } from '../../../../package.json'
import markdown from '../../../../.github/CHANGELOG.md?raw'
import { PALETTE_NAME } from '../../../ui/commands.ts'
import { MOD } from '../../../ui/overlays/Menu.tsx'
import { Card, SectionHeading } from '../parts.tsx'
import { parseChangelog, type Release, type Words } from './changelog.ts'
import settings from '../Settings.module.css'
import css from './About.module.css'

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  [`${MOD}K`, `${PALETTE_NAME}: actions, screens, datasets, saved queries`],
  [`${MOD}V`, 'On Convert: paste a table, or files'],
  [`${MOD}Enter`, 'In SQL: run the statement'],
  ['Tab, Enter, arrows', 'Move through everything else: nothing needs a mouse'],
]

/** What Rowhouse is for, its keyboard shortcuts, its version, and what changed. */
export default function AboutSection() {
  return (
    <>
      <SectionHeading id="about" />
      <Card title="Where to begin">
        <dl className={css.list}>
          <div>
            <dt>
              <Link to="/convert">Convert</Link>
            </dt>
            <dd>
              Drop a file, look at its rows and proposals, choose a format, download. Columns and Reading correct what
              was understood; the receipt tells what changed.
            </dd>
          </div>
          <div>
            <dt>
              <Link to="/datasets">Datasets</Link>
            </dt>
            <dd>Keep tables together under a name: to browse, to export, and for programs to query.</dd>
          </div>
          <div>
            <dt>
              <Link to="/sql">SQL</Link>
            </dt>
            <dd>Query datasets and files that you drop there. Results can be charted and saved in any format.</dd>
          </div>
          <div>
            <dt>
              <Link to="/reference">API reference</Link>
            </dt>
            <dd>Every operation of the service, to read and to run.</dd>
          </div>
        </dl>
      </Card>
      <Card title="Keyboard">
        <dl className={css.list}>
          {KEYS.map(([keys, does]) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <p className={settings.words}>SQL has more of them: see “Keyboard shortcuts” in its menu.</p>
      </Card>
      <Card title={`Version ${version}`}>
        <p className={settings.words}>Free software under the Apache License 2.0. What’s new:</p>
        {releases().map(({ name, summary, parts }) => (
          <section key={name} aria-label={name} className={css.release}>
            <h4>{name}</h4>
            {summary.length > 0 ? <p>{summary.map(shown)}</p> : null}
            {parts.map(({ title, items }) => (
              <details key={title}>
                <summary>
                  {title} <span className={css.count}>{items.length}</span>
                </summary>
                <ul>
                  {items.map((item) => (
                    <li key={item.map(({ text }) => text).join('')}>{item.map(shown)}</li>
                  ))}
                </ul>
              </details>
            ))}
          </section>
        ))}
      </Card>
    </>
  )
}

/** The changes in each version, with headings for people. The card's title already has the current version. */
function releases(): readonly Release[] {
  const [latest, ...earlier] = parseChangelog(markdown)
  return [
    ...(latest ? [{ ...latest, name: 'In this version' }] : []),
    ...earlier.map((release) => (release.name === version ? { ...release, name: 'Before' } : release)),
  ]
}

const shown = ({ text, code }: Words): React.ReactNode => (code ? <code key={text}>{text}</code> : text)
