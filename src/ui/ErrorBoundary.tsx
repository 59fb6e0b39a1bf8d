import { asError } from '../lib/errors.ts'
import { Component } from 'react'
import type { ErrorInfo, ReactNode } from 'react'
import { Button } from './Button.tsx'
import { copyText } from './overlays/copy-text.ts'
import css from './ErrorBoundary.module.css'

interface Props {
  /** What failed, as the person knows it: "This file's card", "This screen". */
  readonly what: string
  readonly children: ReactNode
}

interface State {
  readonly error: Error | null
  readonly stack: string
  readonly copied: boolean
}

/** How Chromium and Firefox, WebKit, and Vite (of a style sheet) say that a part of the app can't be had. */
const NOT_LOADED = /dynamically imported module|Importing a module script failed|Unable to preload CSS/i

/** Keeps a failure of one part of the page to that part, and gives the person something to do about it. */
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
          {/* A part that couldn't be loaded isn't asked for again before the page is. */}
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
