/** Calls that work when pasted, for the terminal and the inspector. */

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
