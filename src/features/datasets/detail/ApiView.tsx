import { useState } from 'react'
import type { DatasetDetails, DatasetTable } from '../../../api/client.ts'
import { KEY_VARIABLE, LANGUAGES, operationRequest, snippet, type Language } from '../../../contract/snippets/index.ts'
import { useSession } from '../../../session/context.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Segments } from '../../../ui/fields/Segments.tsx'
import { Reach } from '../../shared/Reach.tsx'
import { pageSql, tableName } from '../model/sql.ts'
import css from './ApiView.module.css'

const ITEMS = LANGUAGES.map(({ id, label }) => ({ value: id, label }))

/** Code to read a table from a program: runs as it is, if the key is in the environment. */
export default function ApiView({
  dataset,
  table,
}: {
  readonly dataset: DatasetDetails
  readonly table: DatasetTable
}) {
  const { apiBaseUrl, slug } = useSession()
  const [language, setLanguage] = useState<Language>('curl')
  const sql = pageSql(tableName(slug, dataset.name, table.name), [], 100, 0)
  const requests = [
    {
      title: 'The first 100 rows',
      request: operationRequest('query', apiBaseUrl, { body: { sql, timeout_seconds: 30 } }),
    },
    {
      title: 'What the dataset holds',
      request: operationRequest('getDataset', apiBaseUrl, { params: { datasetId: dataset.id } }),
    },
  ]
  return (
    <div className={css.view}>
      <div className={css.head}>
        <p>
          These requests take the API key from <code>{KEY_VARIABLE}</code> in the environment. Keys are made in
          Settings.
        </p>
        <Segments label="Language" value={language} items={ITEMS} onChange={setLanguage} />
      </div>
      <Reach />
      {requests.map(({ title, request }) => {
        const code = snippet(language, request)
        return (
          <figure key={title} className={css.snippet}>
            <figcaption>
              {title}
              <CopyButton label="Copy" text={code} />
            </figcaption>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and the keyboard has to reach that */}
            <pre tabIndex={0} aria-label={`${title}, ${language}`}>
              {code}
            </pre>
          </figure>
        )
      })}
    </div>
  )
}
