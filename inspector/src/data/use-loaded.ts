/** Loads something from the server for a component, again when its key or the version changes. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from './api.ts'

export type Loaded<Value> =
  | { readonly kind: 'loading'; readonly value: null }
  | { readonly kind: 'loaded'; readonly value: Value }
  | { readonly kind: 'failed'; readonly error: ApiError; readonly value: null }

/** While the same key is loaded again, the old value stays. */
export function useLoaded<Value>(
  key: string,
  load: (signal: AbortSignal) => Promise<Value>,
  version: unknown = 0,
): Loaded<Value> {
  const [state, setState] = useState<{ readonly key: string; readonly loaded: Loaded<Value> }>({
    key,
    loaded: loading,
  })
  const loader = useRef(load)
  loader.current = load
  useEffect(() => {
    const ending = new AbortController()
    setState((before) => (before.key === key ? before : { key, loaded: loading }))
    loader.current(ending.signal).then(
      (value) => {
        if (!ending.signal.aborted) setState({ key, loaded: { kind: 'loaded', value } })
      },
      (error: unknown) => {
        if (ending.signal.aborted) return
        setState({ key, loaded: { kind: 'failed', error: errorOf(error), value: null } })
      },
    )
    return () => ending.abort()
  }, [key, version])
  return state.key === key ? state.loaded : loading
}

const loading = { kind: 'loading', value: null } as const

export function errorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  return new ApiError(
    0,
    'PAGE_FAILED',
    error instanceof Error ? error.message : String(error),
    null,
  )
}
