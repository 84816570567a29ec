/** A conversation as Markdown, for people: what was said as it was said, and tools in fences. */
import type { Conversation } from '../domain/conversation.ts'
import type { Message, Part, ToolOutput } from '../domain/message.ts'
import { messageText } from '../flow/text/message-text.ts'
import type { TenantStore } from '../ports/store.ts'
import { messagesIn } from './messages-in.ts'
import { safeLine, withoutControls } from './screen/safe-text.ts'
import { dayOf, momentOf } from './screen/times.ts'

export async function* exportMarkdown(
  store: TenantStore,
  conversation: Conversation,
): AsyncGenerator<string> {
  const { id, title, head, createdAt } = conversation
  yield `# ${safeLine(title ?? id)}\n\n${safeLine(id)}, ${head} messages, begun ${dayOf(createdAt)}\n`
  for await (const message of messagesIn(store, conversation, { from: 0, to: head }))
    yield `\n${markdownOf(message)}\n`
}

function markdownOf(message: Message): string {
  const { seq, role, author, createdAt, status, parts, marks } = message
  const who = author === null ? role : `${safeLine(author)} (${role})`
  const cut = status === 'incomplete' ? ', cut off' : ''
  const isRemoved = marks.some(({ kind }) => kind === 'removed')
  const said = isRemoved ? ['*removed*'] : parts.map(partMarkdown)
  return withoutControls([`## #${seq} ${who}, ${momentOf(createdAt)}${cut}`, ...said].join('\n\n'))
}

function partMarkdown(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'reasoning':
      return quoted(part.text)
    case 'tool-call':
      return `**${safeLine(part.name)}** \`${safeLine(part.callId)}\`\n\n${fenced(pretty(part.input), 'json')}`
    case 'tool-result': {
      const what = part.isError ? 'error of' : 'result of'
      return `*${what}* \`${safeLine(part.callId)}\`\n\n${outputMarkdown(part.output)}`
    }
    case 'resource-excerpt':
      return `*from ${safeLine(part.title ?? part.resourceId)}*\n\n${quoted(part.text)}`
    case 'opaque':
      return fenced(part.json, 'json')
    case 'file':
    case 'attachment-ref':
      return messageText({ parts: [part], marks: [] })
  }
}

function outputMarkdown(output: ToolOutput): string {
  switch (output.kind) {
    case 'text':
      return fenced(output.text, '')
    case 'json':
      return fenced(pretty(output.json), 'json')
    case 'parts':
      return output.parts.map(partMarkdown).join('\n\n')
  }
}

/** A fence that is longer than any in the text: nothing can close it from inside. */
function fenced(text: string, language: string): string {
  let longest = 2
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

function quoted(text: string): string {
  return text.replace(/^/gm, '> ')
}

function pretty(json: string): string {
  try {
    // Only for reading: numbers that JavaScript cannot hold stay as they are written.
    return /\d{16}/.test(json) ? json : JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}
