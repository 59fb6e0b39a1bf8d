import FlaskConical from 'lucide-react/icons/flask-conical'
import LockKeyhole from 'lucide-react/icons/lock-keyhole'
import { Link } from 'react-router'
import { ALL_READABLE, ALL_WRITABLE } from '../../../contract/formats.ts'
import { Button } from '../../../ui/Button.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Points } from '../../../ui/Points.tsx'
import { useConvert } from '../context.tsx'
import { sampleFile } from '../../../tables/sample.ts'
import { AddFiles } from './AddFiles.tsx'
import { RecipesButton } from './RecipesButton.tsx'
import css from './Welcome.module.css'

const POINTS = [
  {
    title: 'Read to the last row',
    text: 'Format, encoding, delimiter and types are detected from every row, not from a sample. Each column says why.',
  },
  {
    title: 'Corrected by you',
    text: 'Keep a code as text, rename, leave out, choose a date format. Save it as a recipe for next month’s file.',
  },
  {
    title: 'Proved by a receipt',
    text: 'The new file is read back and compared with yours, value by value. Nothing is left out unless you say so.',
  },
] as const

/** The Convert screen without files: what it does, what it accepts, and a sample file. */
export function Welcome() {
  const { addFiles } = useConvert()
  return (
    <Page className={css.screen}>
      <div className={css.hero}>
        <div className={css.words}>
          <h1 className={css.title}>Convert tables without losing a digit.</h1>
          <p className={css.lead}>
            Drop a file and get it as CSV, TSV, JSON, Excel, Parquet or Arrow. What comes out is what went in: leading
            zeros, long ids, decimals, dates, and the difference between empty text and null.
          </p>
        </div>
        <Kept />
      </div>
      <div className={css.zone}>
        <p className={css.zoneTitle}>Drop files or a folder anywhere in this window</p>
        <AddFiles />
        <p className={css.hint}>
          or paste a table with <kbd>Ctrl</kbd> <kbd>V</kbd>
        </p>
        <RecipesButton />
        <dl className={css.formats}>
          <div>
            <dt>Reads</dt>
            <dd>{ALL_READABLE}</dd>
          </div>
          <div>
            <dt>Writes</dt>
            <dd>{ALL_WRITABLE}</dd>
          </div>
        </dl>
      </div>
      <div className={css.row}>
        <p className={css.private}>
          <LockKeyhole aria-hidden />
          Your files stay on this machine unless you publish them. There’s no account.
        </p>
        <div className={css.sample}>
          <span>No file at hand?</span>
          <Button icon={<FlaskConical aria-hidden />} onClick={() => void addFiles([sampleFile()])}>
            Try with a sample
          </Button>
        </div>
      </div>
      <Points heading="h2" points={POINTS} />
      <p className={css.more}>
        <Link to="/datasets">Datasets</Link> keep tables together for you and your programs. <Link to="/sql">SQL</Link>{' '}
        queries them, and files that you drop there.
      </p>
    </Page>
  )
}

const ROWS = [
  { file: '00731', others: '731', what: 'Zip code' },
  { file: '9007199254740993', others: '9007199254740992', what: 'Long id' },
  { file: '1E5', others: '100000', what: 'Part number' },
  { file: '0.10', others: '0.1', what: 'Rate' },
] as const

/** What other converters get wrong, shown with four values. */
function Kept() {
  return (
    <table className={css.kept}>
      <caption className="visually-hidden">Values that other programs change</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">What it is</span>
          </th>
          <th scope="col">In your file</th>
          <th scope="col">Elsewhere</th>
          <th scope="col">Here</th>
        </tr>
      </thead>
      <tbody>
        {ROWS.map(({ file, others, what }) => (
          <tr key={file}>
            <th scope="row">{what}</th>
            <td>{file}</td>
            <td>
              <s>{others}</s>
            </td>
            <td>{file}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
