/** The parts of a message as text: never as HTML. Tool calls and results are folded. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { short } from '../data/format.ts'
import type { Part } from '../data/types.ts'

export function MessageParts({ parts }: { readonly parts: readonly Part[] }) {
  return (
    <>
      {parts.map((part, at) => (
        // Parts have no id, and their order never changes.
        <PartOf key={at} part={part} />
      ))}
    </>
  )
}

function PartOf({ part }: { readonly part: Part }) {
  switch (part.type) {
    case 'text':
      return <LongText text={part.text} />
    case 'reasoning':
      return (
        <Folded title="reasoning" hint={oneLine(part.text)} text={part.text}>
          <LongText text={part.text} />
        </Folded>
      )
    case 'tool-call':
      return (
        <Folded
          title={part.name}
          hint={oneLine(argumentsIn(part.input))}
          text={part.input}
          mark="call"
        >
          <LongText text={pretty(part.input)} isCode />
        </Folded>
      )
    case 'tool-result': {
      const text = outputText(part.output)
      return (
        <Folded
          title={`${part.name ?? 'tool'} ${part.isError ? 'failed' : 'result'}`}
          hint={oneLine(text)}
          text={text}
          mark={part.isError ? 'error' : 'result'}
        >
          <LongText text={text} isCode />
        </Folded>
      )
    }
    case 'file':
      return <p class="part-note">{`file ${part.name ?? ''} (${part.mediaType})`}</p>
    case 'resource-excerpt':
      return (
        <Folded
          title={`excerpt of ${part.title ?? part.resourceId}`}
          hint={oneLine(part.text)}
          text={part.text}
        >
          <LongText text={part.text} />
        </Folded>
      )
    case 'attachment-ref':
      return <p class="part-note">{`attachment ${part.title ?? part.attachmentId}`}</p>
    case 'opaque':
      return (
        <Folded title={part.kind} hint="a block of the provider" text={part.json}>
          <LongText text={part.json} isCode />
        </Folded>
      )
  }
}

interface FoldedProps {
  readonly title: string
  readonly hint: string
  readonly text: string
  readonly mark?: 'call' | 'result' | 'error'
  readonly children: ComponentChildren
}

/** The content is drawn only while it is open: a page may have hundreds of results. */
export function Folded({ title, hint, text, mark, children }: FoldedProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class={`fold ${mark ?? ''}`} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="fold-name">{title}</span>
        <span class="fold-hint">{hint}</span>
        <span class="fold-size">{`${short(text.length)} characters`}</span>
      </summary>
      {isOpen && children}
    </details>
  )
}

const shownCharacters = 1600
const mostCharacters = 200_000

export function LongText({
  text,
  isCode = false,
}: {
  readonly text: string
  readonly isCode?: boolean
}) {
  const [isOpen, setOpen] = useState(false)
  const limit = isOpen ? mostCharacters : shownCharacters
  const rest = text.length - limit
  return (
    <>
      <div class={isCode ? 'text code' : 'text'}>{rest > 0 ? text.slice(0, limit) : text}</div>
      {rest > 0 && !isOpen && (
        <button type="button" class="quiet" onClick={() => setOpen(true)}>
          {`Show ${short(rest)} more characters`}
        </button>
      )}
      {rest > 0 && isOpen && (
        <p class="part-note">{`${short(rest)} more characters: see the original.`}</p>
      )}
    </>
  )
}

export function outputText(
  output: Extract<Part, { readonly type: 'tool-result' }>['output'],
): string {
  if (output.kind === 'text') return output.text
  if (output.kind === 'json') return pretty(output.json)
  return output.parts
    .map((part) => (part.type === 'text' ? part.text : `[${part.type}]`))
    .join('\n')
}

export function oneLine(text: string): string {
  return text.slice(0, 300).replaceAll(/\s+/g, ' ').trim()
}

function argumentsIn(input: string): string {
  try {
    const value: unknown = JSON.parse(input)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return Object.values(value)
        .map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
        .join('  ')
  } catch {
    // Shown as it is.
  }
  return input
}

/** Indented only as far as it is JSON; numbers that JSON.parse would change keep their text. */
function pretty(json: string): string {
  if (json.length > 20_000) return json
  try {
    const indented = JSON.stringify(JSON.parse(json), null, 2)
    const digits = (text: string) => text.replaceAll(/\s/g, '').length
    return digits(indented) === digits(json) ? indented : json
  } catch {
    return json
  }
}
