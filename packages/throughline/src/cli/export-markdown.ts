/** Markdown for people. `exportLines` of the toolkit writes what `import` reads back. */
import type { Conversation, Message, Part, ToolOutput } from '../index.ts'
import type { TenantStore } from '../stores/index.ts'
import { messageText, storedMessages } from '../toolkit/index.ts'
import { dayOf, momentOf } from './screen/numbers.ts'
import { safeLine, withoutControls } from './screen/safe-text.ts'

export async function* exportMarkdown(store: TenantStore, conversation: Conversation) {
  const { id, title, head, createdAt } = conversation
  yield `# ${safeLine(title ?? id)}\n\n${safeLine(id)}, ${head} messages, started ${dayOf(createdAt)}\n`
  for await (const message of storedMessages(store, conversation, { from: 0, to: head }))
    yield `\n${markdownOf(message)}\n`
}

function markdownOf(message: Message): string {
  const { seq, role, author, createdAt, status, parts, marks } = message
  const who = author === null ? role : `${safeLine(author)} (${role})`
  const cut = status === 'incomplete' ? ', cut off' : ''
  const isRemoved = marks.some(({ kind }) => kind === 'removed')
  const blocks = isRemoved ? ['*removed*'] : parts.map(partMarkdown)
  return withoutControls(
    [`## #${seq} ${who}, ${momentOf(createdAt)}${cut}`, ...blocks].join('\n\n'),
  )
}

function partMarkdown(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'reasoning':
      return quoted(part.text)
    case 'tool-call':
      return `**${safeLine(part.name)}** \`${safeLine(part.callId)}\`\n\n${fenced(pretty(part.input), 'json')}`
    case 'tool-result':
      return `*${part.isError ? 'error of' : 'result of'}* \`${safeLine(part.callId)}\`\n\n${outputMarkdown(part.output)}`
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
  if (output.kind === 'parts') return output.parts.map(partMarkdown).join('\n\n')
  return output.kind === 'text' ? fenced(output.text, '') : fenced(pretty(output.json), 'json')
}

/** Longer than any fence in the text, so nothing can close it from inside. */
function fenced(text: string, language: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

function quoted(text: string): string {
  return text.replace(/^/gm, '> ')
}

function pretty(json: string): string {
  try {
    // Numbers that JavaScript cannot represent stay as they are written.
    return /\d{16}/.test(json) ? json : JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}
