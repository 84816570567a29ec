/** Answers of generateContent: the first candidate is stored, its pieces of text joined. */
import {
  type AnswerForm,
  type CollectedAnswer,
  type Fields,
  fieldsOf,
  objectsIn,
  textOf,
} from './answer.ts'

export const geminiAnswer: AnswerForm = {
  whole: (body) => answerOf([body]),
  collector: () => {
    const pieces: Fields[] = []
    return {
      // The stream ends with its connection, and figures may follow the last part.
      take: (data) => {
        pieces.push(data)
        return false
      },
      answer: () => answerOf(pieces),
    }
  },
}

function answerOf(pieces: readonly Fields[]): CollectedAnswer {
  const candidates = pieces.flatMap((piece) => objectsIn(piece['candidates']).slice(0, 1))
  const parts = candidates.flatMap((candidate) =>
    objectsIn(fieldsOf(candidate['content'])?.['parts']),
  )
  const usage = pieces.findLast((piece) => fieldsOf(piece['usageMetadata']) !== null)
  const ids = parts.flatMap((part) => [
    textOf(fieldsOf(part['functionCall'])?.['id']),
    textOf(part['thoughtSignature']),
  ])
  const joined = joinTexts(parts)
  return {
    messages: joined.length === 0 ? [] : [{ role: 'model', parts: joined }],
    isComplete: candidates.some((candidate) => typeof candidate['finishReason'] === 'string'),
    usage: fieldsOf(usage?.['usageMetadata']),
    ids: [textOf(pieces[0]?.['responseId']), ...ids].filter((id) => id !== ''),
  }
}

/** Only plain texts are joined: a part with a signature is sent back as it is. */
function joinTexts(parts: readonly Fields[]): readonly Fields[] {
  const joined: Fields[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    const isPlain = (each: Fields | undefined) =>
      each !== undefined && Object.keys(each).every((name) => name === 'text')
    if (isPlain(last) && isPlain(part))
      joined[joined.length - 1] = { text: textOf(last?.['text']) + textOf(part['text']) }
    else joined.push(part)
  }
  return joined.filter((part) => !(part['text'] === '' && Object.keys(part).length === 1))
}
