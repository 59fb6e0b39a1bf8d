import type { LostThings } from '../../../engine/client.ts'
import { Button } from '../../../ui/Button.tsx'
import { plural } from '../../../ui/format.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { useSql } from '../context.tsx'
import css from './Lost.module.css'

/** Lists what a tab had created and lost with its worker, with a button that runs those statements again. */
export function Lost({ lost, tabId }: { readonly lost: LostThings; readonly tabId: string }) {
  const { runner } = useSql()
  const { names, statements, transaction, left } = lost
  const what = names.length > 0 ? `Its temporary tables are gone: ${names.join(', ')}.` : 'What it had set is gone.'
  const isMore = names.length > 0 || statements.length > 0
  return (
    <Notice
      tone="warn"
      live="status"
      flush
      actions={
        <>
          {statements.length > 0 ? (
            <Button size="small" onClick={() => void runner(tabId).makeAgain()}>
              Recreate
            </Button>
          ) : null}
          <Button size="small" onClick={() => runner(tabId).forgetLost()}>
            Leave it
          </Button>
        </>
      }
    >
      <p>
        {left ? 'This tab was closed, or its page was left.' : 'This tab’s engine stopped.'} {isMore ? what : ''}
      </p>
      {transaction ? <p>The open transaction is undone, with all that it had changed.</p> : null}
      {statements.length > 0 ? <Statements statements={statements} /> : null}
    </Notice>
  )
}

function Statements({ statements }: Pick<LostThings, 'statements'>) {
  return (
    <details className={css.statements}>
      <summary>“Recreate” runs {plural(statements.length, 'statement')} on the tables as they are now.</summary>
      <ol>
        {statements.map(({ sql }, i) => (
          <li key={i}>
            <code>{sql}</code>
          </li>
        ))}
      </ol>
    </details>
  )
}
