import { useState } from 'react'
import { convertSnippet, publishSnippet, type Language } from '../../../contract/snippets/index.ts'
import { useSession } from '../../../session/context.tsx'
import type { ReferenceDocument } from '../model/document.ts'
import { Markdown } from './Markdown.tsx'
import { Reach } from '../../shared/Reach.tsx'
import { SnippetTabs } from './CodeBlock.tsx'
import css from './Overview.module.css'

/** What applies to all operations, and tasks that need several of them. */
export function Overview({ document }: { readonly document: ReferenceDocument }) {
  const { apiBaseUrl, workspaceId } = useSession()
  const [language, setLanguage] = useState<Language>('curl')
  const has = (...ids: readonly string[]): boolean =>
    ids.every((id) => document.operations.some((one) => one.id === id))
  return (
    <>
      <article className={css.guide} aria-label="Overview">
        <Markdown source={document.description} />
      </article>
      <div className={css.flows}>
        {has('signUploads', 'createDataset') ? (
          <section className={css.flow} aria-labelledby="flow-publish">
            <h2 id="flow-publish" className={css.title}>
              Publish a file as a dataset
            </h2>
            <SnippetTabs
              label="Publish a file, in"
              language={language}
              onLanguage={setLanguage}
              code={(chosen) =>
                publishSnippet(chosen, {
                  baseUrl: apiBaseUrl,
                  workspaceId,
                  datasetName: 'Sales 2026',
                  tableName: 'orders',
                  filename: 'orders.csv',
                  format: 'csv',
                })
              }
            />
            <Reach />
          </section>
        ) : null}
        {has('conversionUrls', 'convert') ? (
          <section className={css.flow} aria-labelledby="flow-convert">
            <h2 id="flow-convert" className={css.title}>
              Convert a file
            </h2>
            <SnippetTabs
              label="Convert a file, in"
              language={language}
              onLanguage={setLanguage}
              code={(chosen) =>
                convertSnippet(chosen, {
                  baseUrl: apiBaseUrl,
                  filename: 'orders.csv',
                  from: 'csv',
                  to: 'parquet',
                  resultFilename: 'orders.parquet',
                })
              }
            />
            <Reach />
          </section>
        ) : null}
      </div>
    </>
  )
}
