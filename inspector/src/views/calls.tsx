/** How to call the server. */
import type { Session } from '../data/types.ts'
import { Wide } from '../parts/wide.tsx'

export function CallsView({ session }: { readonly session: Session }) {
  return (
    <div class="column">
      <h1>Call it</h1>
      <p>
        The server printed its first key when it started for the first time; put it into{' '}
        <code>THROUGHLINE_KEY</code>. The session of this page is no key: programs need their own.
      </p>
      <h2>curl</h2>
      <Wide label="Calls with curl">
        <pre class="code">{session.curl}</pre>
      </Wide>
      <h2>TypeScript</h2>
      <Wide label="Calls with TypeScript">
        <pre class="code">{session.client}</pre>
      </Wide>
      <p>
        Every call: <a href="/docs">/docs</a>; as data: <a href="/openapi.json">/openapi.json</a>.
      </p>
    </div>
  )
}
