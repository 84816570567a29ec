/** A page with every operation of the OpenAPI document. It loads nothing, and shows nothing that is stored. */

type Json = Readonly<Record<string, unknown>>

/** The style is in the page. */
export const docsHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
}

interface Described {
  readonly operationId: string
  readonly summary: string
  readonly 'x-role': string
  readonly parameters: readonly Json[]
  readonly requestBody?: Json
  readonly responses: Readonly<Record<string, Json>>
}

export function docsPage(document: Json): string {
  const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, Described>>>>
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => operation(method, path, described)),
  )
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Throughline API</title>
<style>body{font:16px/1.5 system-ui;max-width:64rem;margin:2rem auto;padding:0 1rem}summary{cursor:pointer}pre{background:#f3f3f3;padding:1rem;overflow:auto}td{padding:.1rem .6rem;vertical-align:top}</style>
<h1>Throughline API</h1>
<p>Every call needs a key: <code>Authorization: Bearer …</code>. As data: <a href="/openapi.json">/openapi.json</a>.</p>
${operations.join('\n')}
</html>
`
}

function operation(method: string, path: string, described: Described): string {
  const { operationId, summary, parameters, requestBody, responses } = described
  const rows = parameters.map(
    ({ name, in: place, required, schema }) =>
      `<tr><td><code>${escaped(name)}</code><td>${escaped(place)}${required ? ', required' : ''}<td><code>${escaped(JSON.stringify(schema))}</code>`,
  )
  const statuses = Object.entries(responses).map(
    ([status, { description, content }]) =>
      `<tr><td>${escaped(status)}<td>${escaped(description)}${Number(status) < 300 ? block(content) : ''}`,
  )
  return `<details id="${escaped(operationId)}"><summary><code>${escaped(method.toUpperCase())} ${escaped(path)}</code> ${escaped(summary)}</summary>
<p>Role: ${escaped(described['x-role'])}</p>
<table>${rows.join('')}</table>${requestBody === undefined ? '' : block(requestBody['content'])}
<table>${statuses.join('')}</table></details>`
}

function block(content: unknown): string {
  return `<pre>${escaped(JSON.stringify(content, null, 2))}</pre>`
}

function escaped(value: unknown): string {
  const entities: Readonly<Record<string, string>> = {
    '&': 'amp',
    '<': 'lt',
    '>': 'gt',
    '"': 'quot',
  }
  return String(value).replaceAll(/[&<>"]/g, (character) => `&${entities[character]};`)
}
