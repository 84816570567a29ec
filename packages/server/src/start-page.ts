/** The start page: which calls there are. It shows nothing that is stored, so it needs no key. */
import type { Route } from './route.ts'

export function startPage(routes: readonly Route[]): string {
  const rows = routes.map(
    ({ method, path, summary, role }) =>
      `<tr><td><code>${method}</code><td><code>${escaped(path)}</code><td>${escaped(summary)}<td>${role}`,
  )
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Throughline server</title>
<style>body{font:16px/1.5 system-ui;max-width:64rem;margin:2rem auto;padding:0 1rem}td{padding:.1rem .6rem;vertical-align:top}pre{background:#f3f3f3;padding:1rem;overflow:auto}</style>
<h1>Throughline server</h1>
<p>Every call needs a key. The server printed the first one when it started for the first time.</p>
<pre>curl -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\
  -d '{"messages":[{"role":"user","content":"Hello"}]}' $URL/v1/conversations/first/messages
curl -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\
  -d '{"model":"openai/gpt-5-mini"}' $URL/v1/conversations/first/context</pre>
<p>The same as data: <a href="/openapi.json">/openapi.json</a>.</p>
<table>${rows.join('\n')}</table>
</html>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
