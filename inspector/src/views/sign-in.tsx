/** Without a session: the one-time link, or a key. */
import { useState } from 'preact/hooks'
import { send } from '../data/api.ts'
import type { Session } from '../data/types.ts'
import { errorOf } from '../data/use-loaded.ts'
import { CallsView } from './calls.tsx'

interface SignInProps {
  readonly session: Session
  readonly signedIn: () => void
}

export function SignInView({ session, signedIn }: SignInProps) {
  const [key, setKey] = useState('')
  const [problem, setProblem] = useState('')
  const open = async () => {
    try {
      await send('/session', { method: 'POST', headers: { authorization: `Bearer ${key.trim()}` } })
      signedIn()
    } catch (error) {
      const { status, message } = errorOf(error)
      setProblem(status === 401 ? 'This is not a valid key of the server.' : message)
    }
  }
  return (
    <main class="gate">
      <h1>Throughline</h1>
      <p class="lead">See what the model saw, what a compaction dropped, and take it back.</p>
      <section class="panel">
        <h2>Sign in</h2>
        {session.hasLinks && (
          <p>
            Open the sign-in link that the server printed when it started. It works once; a restart
            prints a new one.
          </p>
        )}
        <form
          class="search"
          onSubmit={(event) => {
            event.preventDefault()
            void open()
          }}
        >
          <input
            type="password"
            aria-label="Key of the server"
            placeholder={session.hasLinks ? 'or a key of the server' : 'a key of the server'}
            autocomplete="off"
            value={key}
            onInput={(event) => setKey(event.currentTarget.value)}
          />
          <button type="submit" class="primary" disabled={!/^\s*\S{1,200}\s*$/.test(key)}>
            Sign in
          </button>
        </form>
        {problem !== '' && <p role="alert">{problem}</p>}
        <p class="soft">
          With a key of the role read, the page shows everything and changes nothing.
        </p>
      </section>
      <CallsView session={session} />
    </main>
  )
}
