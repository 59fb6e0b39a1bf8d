import ChevronRight from 'lucide-react/icons/chevron-right'
import Play from 'lucide-react/icons/play'
import KeyRound from 'lucide-react/icons/key-round'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import type { ReferenceDocument, ReferenceOperation, ReferenceParameter, ReferenceResponse } from '../model/document.ts'
import { parseInlines } from '../model/markdown.ts'
import { CodeBlock } from './CodeBlock.tsx'
import { Inlines, Markdown } from './Markdown.tsx'
import { Method } from './Method.tsx'
import { SchemaTree } from './SchemaTree.tsx'
import { goToTryIt } from './TryIt.tsx'
import css from './OperationView.module.css'

interface Props {
  readonly operation: ReferenceOperation
  readonly document: ReferenceDocument
}

/** Documentation of an operation: purpose, parameters, answers. */
export function OperationView({ operation, document }: Props) {
  const { method, path, summary, description, parameters, body, responses, scopes, prefixes } = operation
  return (
    <article className={css.operation} aria-label={summary}>
      <header className={css.head}>
        <h2 className={css.title}>{summary}</h2>
        <p className={css.path}>
          <Method method={method} />
          <code>{path}</code>
          <CopyButton label="Copy the path" text={path} bare />
        </p>
        <p className={css.badges}>
          {scopes === null ? (
            <Badge>no key</Badge>
          ) : (
            <Badge tone="accent" icon={<KeyRound aria-hidden />}>
              API key
            </Badge>
          )}
          {scopes?.map((scope) => (
            <Badge key={scope}>
              <code>{scope}</code>
            </Badge>
          ))}
          {prefixes.length > 0 ? <span className={css.prefixes}>{`Under ${prefixes.join(' and ')}`}</span> : null}
        </p>
        <Button size="small" icon={<Play aria-hidden />} className={css.try} onClick={goToTryIt}>
          Try it
        </Button>
      </header>
      <Markdown source={description} />
      {parameters.length > 0 ? <Parameters parameters={parameters} /> : null}
      {body?.schema ? (
        <section className={css.section} aria-label="Fields of the request">
          <h3 className={css.sectionTitle}>
            Body <span className={css.sectionNote}>application/json</span>
          </h3>
          <SchemaTree label="Fields of the body" schema={body.schema} document={document} />
        </section>
      ) : null}
      <section className={css.section} aria-label="Answers">
        <h3 className={css.sectionTitle}>Answers</h3>
        <div className={css.responses}>
          {responses.map((response) => (
            <Response key={response.status} response={response} document={document} />
          ))}
        </div>
      </section>
    </article>
  )
}

function Parameters({ parameters }: { readonly parameters: readonly ReferenceParameter[] }) {
  return (
    <section className={css.section} aria-label="Parameters">
      <h3 className={css.sectionTitle}>Parameters</h3>
      <dl className={css.parameters}>
        {parameters.map(({ name, place, required, description, values }) => (
          <div key={`${place} ${name}`} className={css.parameter}>
            <dt>
              <code>{name}</code>
              <span className={css.place}>{place === 'path' ? 'in the path' : 'in the query'}</span>
              {required ? <span className={css.required}>required</span> : null}
            </dt>
            <dd>
              <Inlines inlines={parseInlines(description)} />
              {values.length > 0 ? <span className={css.place}> {`One of: ${values.join(', ')}.`}</span> : null}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Response({
  response,
  document,
}: {
  readonly response: ReferenceResponse
  readonly document: ReferenceDocument
}) {
  const { status, description, headers, content } = response
  const good = status.startsWith('2')
  const [first = ''] = description.split('\n\n')
  return (
    <details className={css.response} open={good}>
      <summary className={css.summary}>
        <ChevronRight aria-hidden className={css.chevron} />
        <span className={css.status} data-good={good}>
          {status}
        </span>
        <span className={css.words}>
          <Inlines inlines={parseInlines(first)} />
        </span>
      </summary>
      <div className={css.inside}>
        {description === first ? null : <Markdown source={description.slice(first.length)} />}
        {content?.schema ? (
          <SchemaTree label={`Fields of answer ${status}`} schema={content.schema} document={document} />
        ) : null}
        {content?.examples.map(({ name, summary, value }) => (
          <figure key={name} className={css.example}>
            <figcaption>{`Example: ${summary}`}</figcaption>
            <CodeBlock label={`Example: ${summary}`} code={JSON.stringify(value, null, 2) ?? ''} language="json" />
          </figure>
        ))}
        {headers.length > 0 ? (
          <dl className={css.headers} aria-label={`Headers of answer ${status}`}>
            {headers.map(({ name, description: words }) => (
              <div key={name}>
                <dt>
                  <code>{name}</code>
                </dt>
                <dd>{words}</dd>
              </div>
            ))}
          </dl>
        ) : null}
      </div>
    </details>
  )
}
