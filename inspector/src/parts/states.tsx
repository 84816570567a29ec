/** What a view shows while it loads, when it is empty, and when it failed. */
import type { ComponentChildren } from 'preact'
import type { ApiError } from '../data/api.ts'
import type { Loaded } from '../data/use-loaded.ts'

export function Loading({ rows = 3 }: { readonly rows?: number }) {
  return (
    <div class="loading" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, at) => (
        <span key={at} class="loading-row" />
      ))}
    </div>
  )
}

interface EmptyProps {
  readonly title: string
  readonly children?: ComponentChildren
}

export function Empty({ title, children }: EmptyProps) {
  return (
    <div class="empty">
      <span class="empty-mark" aria-hidden="true" />
      <p class="empty-title">{title}</p>
      {children !== undefined && <div class="empty-text">{children}</div>}
    </div>
  )
}

export function Failure({
  error,
  retry,
}: {
  readonly error: ApiError
  readonly retry?: () => void
}) {
  return (
    <div class="failure" role="alert">
      <p>{error.message}</p>
      <p class="soft">
        <code>{error.code}</code>
        {retry !== undefined && (
          <button type="button" class="quiet" onClick={retry}>
            Try again
          </button>
        )}
      </p>
    </div>
  )
}

interface ShownProps<Value> {
  readonly of: Loaded<Value>
  readonly rows?: number
  readonly children: (value: Value) => ComponentChildren
}

export function Shown<Value>({ of, rows = 3, children }: ShownProps<Value>) {
  if (of.kind === 'loading') return <Loading rows={rows} />
  if (of.kind === 'failed') return <Failure error={of.error} />
  return <>{children(of.value)}</>
}
