/** Where the sources of a summary stand: in the request, as data, or above it, as the chat had them. */
import { dataBlock } from '../domain/data-block.ts'
import type { Asked } from './plan-steps.ts'

export function transcriptBlock({ transcript }: Pick<Asked, 'transcript'>): string {
  return transcript === null ? above : dataBlock('transcript', transcript)
}

export function previousBlock({
  previous,
  transcript,
}: Pick<Asked, 'previous' | 'transcript'>): string {
  if (previous !== null) return dataBlock('previous summary', previous)
  return transcript === null ? 'It stands above, if there is one.' : 'None (start of conversation)'
}

const above = [
  'The conversation is all that stands above this message.',
  'This is not a turn of it: do not answer it, do not go on with it, and call no tool.',
  'Its newest messages stay in sight, so tell above all what came before them.',
].join(' ')
