/** The inspector: what a model saw, what a compaction dropped, and how to undo it. */
import { render } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { call, onSignedOut, send } from './data/api.ts'
import { useRoute } from './data/route.ts'
import type { Session } from './data/types.ts'
import { useLoaded } from './data/use-loaded.ts'
import { MayWrite, Notify } from './parts/action.tsx'
import { Failure, Loading } from './parts/states.tsx'
import { CallsView } from './views/calls.tsx'
import { ConversationView } from './views/conversation.tsx'
import { ConversationsView } from './views/conversations.tsx'
import { ImportZone } from './views/import.tsx'
import { SignInView } from './views/sign-in.tsx'

function Inspector() {
  const [version, setVersion] = useState(0)
  const again = useCallback(() => setVersion((before) => before + 1), [])
  const session = useLoaded('session', (signal) => call<Session>('/session', { signal }), version)
  useEffect(() => onSignedOut(again), [again])
  if (session.kind === 'failed')
    return (
      <main class="gate">
        <Failure error={session.error} retry={again} />
      </main>
    )
  if (session.kind === 'loading')
    return (
      <main class="gate">
        <Loading rows={2} />
      </main>
    )
  if (session.value.role === null) return <SignInView session={session.value} signedIn={again} />
  return <Signed session={session.value} signedOut={again} />
}

interface SignedProps {
  readonly session: Session
  readonly signedOut: () => void
}

const noticeMs = 6000

function Signed({ session, signedOut }: SignedProps) {
  const route = useRoute()
  const [notice, setNotice] = useState('')
  const [imports, setImports] = useState(0)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const notify = useCallback((text: string) => {
    setNotice(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setNotice(''), noticeMs)
  }, [])
  const mayWrite = session.role !== 'read'
  useEffect(() => {
    document.title =
      route.page === 'conversation' ? `${route.id}, ${route.tab} – Throughline` : 'Throughline'
  }, [route.page, route.page === 'conversation' ? `${route.id} ${route.tab}` : ''])
  const signOut = async () => {
    await send('/session', { method: 'DELETE' }).catch(() => {})
    signedOut()
  }
  return (
    <MayWrite.Provider value={mayWrite}>
      <Notify.Provider value={notify}>
        <button
          type="button"
          class="skip"
          onClick={() => document.querySelector<HTMLElement>('main')?.focus()}
        >
          Skip to the content
        </button>
        <header class="bar">
          <a class="brand" href="#/" aria-current={route.page === 'list' ? 'page' : undefined}>
            <svg viewBox="0 0 32 32" aria-hidden="true">
              <path d="M4 9h9M4 16h24M19 23h9" />
            </svg>
            Throughline
          </a>
          <nav aria-label="Inspector">
            <a href="#/" aria-current={route.page === 'list' ? 'page' : undefined}>
              Conversations
            </a>
            <a href="#/calls" aria-current={route.page === 'calls' ? 'page' : undefined}>
              API
            </a>
          </nav>
          <span class="bar-end">
            {!mayWrite && <span class="badge">read only</span>}
            <ImportZone imported={() => setImports((before) => before + 1)} />
            <button type="button" class="quiet" onClick={() => void signOut()}>
              Sign out
            </button>
          </span>
        </header>
        <main tabIndex={-1} class={`page-${route.page}`}>
          {route.page === 'list' && <ConversationsView version={imports} folder={session.folder} />}
          {route.page === 'calls' && <CallsView session={session} />}
          {route.page === 'conversation' && (
            <ConversationView key={route.id} route={route} session={session} />
          )}
        </main>
        <div class={`notice${notice === '' ? '' : ' is-shown'}`} role="status">
          {notice}
        </div>
      </Notify.Provider>
    </MayWrite.Provider>
  )
}

const page = document.getElementById('page')
if (page !== null) render(<Inspector />, page)
