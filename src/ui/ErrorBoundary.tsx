import { asError } from '../lib/errors.ts'
import { Component, type ErrorInfo, type ReactNode } from 'react'
import { Button } from './Button.tsx'
import { copyText } from './overlays/copy-text.ts'
import css from './ErrorBoundary.module.css'

interface Props {
  /** What failed, in the person's terms: "This file's card", "This screen". */
  readonly what: string
  readonly children: ReactNode
}

interface State {
  readonly error: Error | null
  readonly stack: string
  readonly copied: boolean
}

/** The error messages of Chromium and Firefox, of WebKit, and of Vite (for style sheets) if a chunk can't be loaded. */
const NOT_LOADED = /dynamically imported module|Importing a module script failed|Unable to preload CSS/i

/** Confines a failure to one part of the page, and offers the person a way on. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, stack: '', copied: false }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: asError(error) }
  }

  override componentDidCatch(_: unknown, info: ErrorInfo): void {
    this.setState({ stack: info.componentStack ?? '' })
  }

  private readonly copy = (): void => {
    const { error, stack } = this.state
    const details = [`${this.props.what}: ${error?.message ?? ''}`, navigator.userAgent, error?.stack ?? '', stack]
    void copyText(details.join('\n\n')).then((copied) => this.setState({ copied }))
  }

  override render(): ReactNode {
    const { error, copied } = this.state
    if (!error) return this.props.children
    const isMissing = NOT_LOADED.test(error.message)
    return (
      <div role="alert" className={css.box}>
        <h2 className={css.title}>
          {isMissing ? 'A part of Rowhouse couldn’t be loaded' : `${this.props.what} stopped working`}
        </h2>
        <p>
          {isMissing
            ? 'The network is down, or there’s a newer version. Reload the page once you’re online: finished files are kept.'
            : 'The fault is in Rowhouse, not in your file, and your file wasn’t changed. Try again; if it comes back, reload the page: finished files are kept.'}
        </p>
        <p className={css.message}>{error.message}</p>
        <div className={css.actions}>
          {/* Browsers don't retry a failed import until the page is reloaded. */}
          {isMissing ? null : (
            <Button look="primary" onClick={() => this.setState({ error: null, copied: false })}>
              Try again
            </Button>
          )}
          <Button look={isMissing ? 'primary' : 'secondary'} onClick={() => location.reload()}>
            Reload the page
          </Button>
          <Button look="quiet" onClick={this.copy}>
            {copied ? 'Copied' : 'Copy details'}
          </Button>
        </div>
      </div>
    )
  }
}
