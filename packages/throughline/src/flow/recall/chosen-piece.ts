/** A run of a message that was found, or that stands beside what was. */
import type { Message } from '../../domain/message.ts'
import { oneLine } from '../../extract/one-line.ts'
import { piecesOf } from './message-pieces.ts'

export interface ChosenPiece {
  readonly message: Message
  readonly from: number
  readonly to: number
  readonly worth: number
}

export function textOf({ message, from, to }: ChosenPiece): string {
  return piecesOf(message).text.slice(from, to)
}

/** Of one message, or of two that follow one another: then they are told together. */
export function isBeside(one: ChosenPiece | undefined, other: ChosenPiece | undefined): boolean {
  if (one === undefined || other === undefined) return false
  return Math.abs(one.message.seq - other.message.seq) <= 1
}

/** The name, or what part it has in the talk. */
export function speakerOf({ author, role, parts }: Message): string {
  if (author !== null) return shortName(author)
  const tool = parts.find((part) => part.type === 'tool-result')
  return role === 'tool' && tool?.name ? shortName(`result of ${tool.name}`) : role
}

/** Names are somebody else's choice. */
function shortName(name: string): string {
  return oneLine(name).slice(0, nameCharacters).toWellFormed()
}

const nameCharacters = 80
