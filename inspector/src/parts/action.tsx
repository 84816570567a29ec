/** Buttons that change something: they show that they work, and what went wrong. */
import type { ComponentChildren } from 'preact'
import { createContext } from 'preact'
import { useContext, useState } from 'preact/hooks'
import { errorOf } from '../data/use-loaded.ts'

/** Whether the session may change something; actions are hidden otherwise. */
export const MayWrite = createContext(false)

/** Shows a message for some seconds, and reads it to screen readers. */
export const Notify = createContext<(text: string) => void>(() => {})

interface ActionProps {
  readonly children: ComponentChildren
  readonly run: () => Promise<string | null>
  readonly kind?: 'primary' | 'plain' | 'quiet'
  readonly disabled?: boolean
  /** For readers too: it changes nothing. */
  readonly reads?: boolean
  readonly label?: string
}

/** `run` returns what to say when it is done. */
export function Action({
  children,
  run,
  kind = 'plain',
  disabled,
  reads = false,
  label,
}: ActionProps) {
  const mayWrite = useContext(MayWrite)
  const notify = useContext(Notify)
  const [isRunning, setRunning] = useState(false)
  if (!mayWrite && !reads) return null
  const start = async () => {
    setRunning(true)
    try {
      const done = await run()
      if (done !== null) notify(done)
    } catch (error) {
      notify(`Not done: ${errorOf(error).message}`)
    } finally {
      setRunning(false)
    }
  }
  return (
    <button
      type="button"
      class={kind}
      disabled={isRunning || disabled === true}
      aria-busy={isRunning}
      aria-label={label}
      onClick={() => void start()}
    >
      {children}
    </button>
  )
}
