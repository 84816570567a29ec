/** Finds what a reply asks or offers, and which of it a short answer means. Linear in the text. */
import { oneLine } from './one-line.ts'

/** The options and the last question of a reply, one per line; null if it has none. */
export function offerIn(reply: string): string | null {
  const lines = reply.slice(-replyCharacters).split('\n')
  const options = lines.flatMap((line) => {
    const [, label = '', text = ''] = option.exec(line.slice(0, lineCharacters)) ?? []
    return text === '' ? [] : [`${label}. ${shortLine(text)}`]
  })
  const last = lines.filter((line) => line.trim() !== '').slice(-questionLines)
  const asked = last.findLast((line) => line.includes('?') || line.includes('？')) ?? ''
  const question = asked.match(lastQuestion)?.[0] ?? ''
  const shown = [...options.slice(-maxOptions), ...(question === '' ? [] : [shortLine(question)])]
  const isOffer = question !== '' || options.length > 1
  return isOffer ? shown.join('\n').slice(-offerCharacters).toWellFormed() : null
}

const replyCharacters = 6_000
const lineCharacters = 240
const questionLines = 4
const maxOptions = 6
const offerCharacters = 600
const noteCharacters = 90
const option =
  /^[\s>*_#•-]{0,12}(?:[Oo]ption |[Pp]lan )?([1-9]\d?|[A-Ha-h])[*_]{0,3}[.):][*_]{0,3}\s(.+)$/u
const lastQuestion = /[^.!?。！？\n]{1,300}[?？](?=[^?？]*$)/u

/** Without brackets, which end a note, and without emphasis. */
function shortLine(text: string): string {
  const plain = oneLine(text.replace(/[[\]]/g, ' ').replaceAll('**', '')).trim()
  return plain.length <= noteCharacters ? plain : `${plain.slice(0, noteCharacters)}…`
}

/** What a short answer means: the options that it names, or else the question; null if neither. */
export function answeredIn(answer: string, offer: string): string | null {
  const text = answer.trim()
  if (text.length > answerCharacters || text.includes('\n')) return null
  const lines = offer.split('\n')
  const labels = new Set(text.match(label) ?? [])
  // Alone, a small letter is a label; in a sentence, it is a word.
  if (/^[a-h]\b/.test(text)) labels.add(text.charAt(0).toUpperCase())
  const chosen = lines.filter((line) => {
    const [, name] = /^(\d{1,2}|[A-Ha-h])\. /.exec(line) ?? []
    return name !== undefined && labels.has(name.toUpperCase())
  })
  if (chosen.length > 0) return chosen.join('; ')
  // A question answers nothing.
  if (/[?？]$/.test(text)) return null
  return lines.findLast((line) => /[?？]$/.test(line)) ?? null
}

const answerCharacters = 80
const label = /(?<![\w.,])(?:\d{1,2}|[A-H])(?![\w']|[.,]\d)/g
