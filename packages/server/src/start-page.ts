/**
 * The start page: what is stored, and how to call it. It has no scripts, and every text goes through the
 * escaping template of Hono. Without a session it shows nothing that is stored.
 */
import { html } from 'hono/html'
import type { Conversation, TenantHandle } from 'throughline'
import { type SignIn, signInPath } from './sign-in.ts'
import { startPageStyle } from './start-page-style.ts'

/** Answers by path, beside the API. */
export type Pages = Readonly<Record<string, (request: Request) => Response | Promise<Response>>>

export interface StartPageOptions {
  readonly tenant: TenantHandle
  /** Null: the server is public, and the page shows only how to call it. */
  readonly signIn: SignIn | null
  readonly folder: string
}

export function startPages({ tenant, signIn, folder }: StartPageOptions): Pages {
  return {
    '/': async (request) => {
      const url = new URL(request.url).origin
      if (signIn === null) return page(calls(url))
      if (!signIn.isSignedIn(request)) return page(html`${visitor}${calls(url)}`)
      return page(html`${storedPart(await readStored(tenant), folder)}${calls(url)}`)
    },
    ...(signIn !== null && { [signInPath]: signIn.answer }),
    [stylePath]: () =>
      new Response(startPageStyle, { headers: { 'content-type': 'text/css; charset=utf-8' } }),
  }
}

type Html = ReturnType<typeof html>

const stylePath = '/start-page.css'
const shownConversations = 20

interface StoredRow {
  readonly conversation: Conversation
  readonly compactions: number
  readonly last: { readonly model: string; readonly tokens: number; readonly room: number } | null
}

interface Stored {
  readonly rows: readonly StoredRow[]
  readonly conversations: number
  readonly messages: number
}

/** The newest conversations first. */
async function readStored(tenant: TenantHandle): Promise<Stored> {
  const all: Conversation[] = []
  for (let after: string | undefined; ; after = all.at(-1)?.id) {
    const found = await tenant.list({ after, limit: 1000 })
    all.push(...found)
    if (found.length < 1000) break
  }
  const newest = all
    .toSorted((one, other) => other.createdAt - one.createdAt)
    .slice(0, shownConversations)
  const rows = await Promise.all(newest.map((conversation) => readRow(tenant, conversation)))
  const messages = all.reduce((sum, { head }) => sum + head, 0)
  return { rows, conversations: all.length, messages }
}

async function readRow(tenant: TenantHandle, conversation: Conversation): Promise<StoredRow> {
  const { last, totals } = await tenant.conversation(conversation.id).status()
  return {
    conversation,
    compactions: totals.compactions,
    last: last && { model: last.model, tokens: last.tokens, room: last.availableTokens },
  }
}

const visitor = html`<section class="notice"><h2>Sign in to see what is stored</h2>
<p>Open the sign-in link that the server printed when it started. It works once; a restart prints a new one.</p></section>`

function storedPart({ rows, conversations, messages }: Stored, folder: string): Html {
  return html`<section><h2>Stored</h2>
<p class="figures"><b>${figure(conversations)}</b> conversations <b>${figure(messages)}</b> messages <span>in ${folder}</span></p>
${rows.length === 0 ? html`<p class="notice">No conversation yet: append a message with one of the calls below.</p>` : table(rows)}
${conversations > rows.length ? html`<p class="more">The newest ${rows.length} are shown; <code>GET /v1/conversations</code> lists all.</p>` : ''}
</section>`
}

function table(rows: readonly StoredRow[]): Html {
  return html`<div class="scroll"><table><thead><tr><th>Conversation</th><th class="number">Messages</th><th class="number">Compactions</th><th>Last request to a model</th></tr></thead>
<tbody>${rows.map(rowOf)}</tbody></table></div>`
}

function rowOf({ conversation, compactions, last }: StoredRow): Html {
  const { id, title, head, forkedFrom } = conversation
  return html`<tr><td><b>${title ?? id}</b><br><code>${id}</code>${forkedFrom === null ? '' : html` <span class="fork">fork of ${forkedFrom.conversationId} at #${forkedFrom.at}</span>`}</td>
<td class="number">${figure(head)}</td><td class="number">${figure(compactions)}</td>
<td>${last === null ? html`<span class="none">none yet</span>` : html`<meter min="0" max="${last.room}" value="${Math.min(last.tokens, last.room)}"></meter><br />${figure(last.tokens)} of ${figure(last.room)} tokens<br><code>${last.model}</code>`}</td></tr>`
}

function calls(url: string): Html {
  return html`<section><h2>Call it</h2>
<p>The server printed its first key when it started for the first time; put it into <code>THROUGHLINE_KEY</code>.</p>
<h3>curl</h3>
<pre><code>${curlLines(url)}</code></pre>
<h3>TypeScript</h3>
<pre><code>${clientLines(url)}</code></pre>
<p>Every call: <a href="/docs">/docs</a>; as data: <a href="/openapi.json">/openapi.json</a>.</p></section>`
}

/** Shell commands that work when pasted. */
export function curlLines(url: string): string {
  const call = (path: string, body: string) => `curl -s ${url}/v1/conversations/hello/${path} \\
  -H "Authorization: Bearer $THROUGHLINE_KEY" -H "Content-Type: application/json" \\
  -d '${body}'`
  return [
    call('messages', '{"messages":[{"role":"user","content":"And the invoice?"}]}'),
    call('context', JSON.stringify({ model })),
  ].join('\n')
}

/** A module that works when pasted. */
export function clientLines(url: string): string {
  return `import { createClient } from '@throughline/client'

const tl = createClient({ url: '${url}', key: process.env.THROUGHLINE_KEY })
const chat = tl.conversation('hello')
await chat.append({ role: 'user', content: 'And the invoice?' })
const context = await chat.context({ model: '${model}' })
console.log(context.messages.length, 'messages,', context.tokens, 'tokens')`
}

const model = 'openai/gpt-5-mini'

function figure(value: number): string {
  return value.toLocaleString('en-US')
}

async function page(content: Html): Promise<Response> {
  const text = await html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Throughline</title><link rel="stylesheet" href="${stylePath}"></head>
<body><main><header><h1>Throughline</h1><p>Keeps conversations with language models inside the context window.</p></header>
${content}</main></body></html>
`
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }
  return new Response(String(text), { headers })
}

const policy =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
