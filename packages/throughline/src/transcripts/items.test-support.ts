/** Renders items of transcripts and datasets as lines of text, for readable expectations. */
import type { DatasetItem } from '../../../../bench/datasets/dataset-item.ts'
import { type DatasetOptions, readDataset } from '../../../../bench/datasets/read-dataset.ts'
import type { FileInput, PartInput, ToolOutputInput } from '../index.ts'
import type { TranscriptSource } from './json/source-text.ts'
import type { TranscriptMessage } from './transcript.ts'

export async function itemsOf(
  source: TranscriptSource,
  options?: DatasetOptions,
): Promise<DatasetItem[]> {
  return await Array.fromAsync(readDataset(source, options))
}

export async function messagesOf(
  source: TranscriptSource,
  options?: DatasetOptions,
): Promise<TranscriptMessage[]> {
  return (await itemsOf(source, options)).filter((item) => item.kind === 'message')
}

export async function goldenOf(
  source: TranscriptSource,
  options?: DatasetOptions,
): Promise<string> {
  return `\n${(await itemsOf(source, options)).map(lineOf).join('\n')}\n`
}

function lineOf(item: DatasetItem): string {
  switch (item.kind) {
    case 'conversation': {
      const parent = item.parent && ` < ${item.parent.conversationId} ${item.parent.callId}`
      return `conversation ${item.id}${parent ?? ''}${item.meta ? ` ${JSON.stringify(item.meta)}` : ''}`
    }
    case 'message':
      return messageLine(item)
    case 'compaction':
      return `compaction ${item.trigger} ${item.tokensBefore}: ${item.summary}`
    case 'question': {
      const spans = item.evidence.map(({ from, to }) => ` [${from}..${to})`).join('')
      return `question ${item.conversationId}: ${item.question} -> ${item.answer}${spans}`
    }
    case 'branch':
      return `branch ${item.conversationId}: ${item.messages} messages`
    case 'problem':
      return `problem ${item.line}: ${item.reason}`
  }
}

function messageLine({ message, usage, model, conversationId }: TranscriptMessage): string {
  const parts =
    typeof message.content === 'string' ? [message.content] : message.content.map(partText)
  const notes = [
    message.status,
    message.meta && JSON.stringify(message.meta),
    model,
    usage &&
      `${usage.inputTokens}/${usage.outputTokens}/${usage.cacheReadTokens}/${usage.cacheWriteTokens}`,
  ]
  const who = message.author ? `${message.role} (${message.author})` : message.role
  const tail = notes.filter((note) => note).join(' ')
  return `${conversationId} ${message.key} ${who}: ${parts.join(' | ')}${tail ? ` // ${tail}` : ''}`
}

function partText(part: PartInput): string {
  const metadata = part.metadata ? JSON.stringify(part.metadata) : ''
  switch (part.type) {
    case 'text':
      return part.text + metadata
    case 'reasoning':
      return `(${part.text})${part.signature ?? ''}`
    case 'tool-call':
      return `call ${part.callId} ${part.name} ${part.input}${metadata}`
    case 'tool-result':
      return `${part.isError ? 'error' : 'result'} ${part.callId} ${outputText(part.output)}${metadata}`
    case 'file':
      return fileText(part)
    case 'opaque':
      return `${part.kind} ${part.json}`
    case 'resource-excerpt':
    case 'attachment-ref':
      return part.type
  }
}

function outputText(output: ToolOutputInput): string {
  if (typeof output === 'string') return output
  switch (output.kind) {
    case 'text':
      return output.text
    case 'json':
      return output.json
    case 'parts':
      return `[${output.parts.map(partText).join(' | ')}]`
  }
}

function fileText(file: FileInput): string {
  return `file ${file.mediaType} ${file.url ?? file.data}`
}
