/**
 * No failure becomes content: nothing that was handed out holds a value that a model made up,
 * or words of a failure: a refusal, an error, the page of a proxy, thoughts, the instructions.
 */
import type { ServedRequest } from '../fault-server.ts'
import { type Finding, finding } from './finding.ts'
import { handedOut, textOfLog } from './handed-out.ts'
import type { Observed } from './observed.ts'

/** Of answers that are no answers; what else a model said is known from the server. */
const failureWords = [
  "can't assist",
  'Let me think about what it could be',
  'The user wants something from me',
  '<think>',
  '<html',
  'One moment',
  'Rate limit',
  'Overloaded',
  'temporarily unavailable',
  'had an error while processing',
  '"unexpected"',
  'in my own words',
  'and so on, and so on',
  '[transcript ·',
] as const

export function checkWords(observed: Observed): readonly Finding[] {
  const told = textOfLog(observed.log)
  const served = observed.served.flat()
  const invented = new Set(served.flatMap((request) => request.invented))
  const words = new Set([...failureWords, ...served.flatMap(wrongSentences)])
  // What people said as well is theirs.
  const values = [...invented].filter((value) => !told.includes(value))
  const sayings = [...words].filter((saying) => !told.includes(saying))
  return handedOut(observed).flatMap(({ where, text }) => [
    ...values
      .filter((value) => standsIn(value, text))
      .map((value) => finding('words', `${where} has the made-up value ${value}`)),
    ...sayings
      .filter((saying) => text.includes(saying))
      .map((saying) => finding('words', `${where} has words of a failure: ${saying}`)),
  ])
}

const leastCharacters = 24

/** What stands in the instructions, or was said by a model that did not do as it was asked. */
function wrongSentences({ fault, said, question }: ServedRequest): readonly string[] {
  const asked = question?.messages.map(({ text }) => withoutData(text)) ?? []
  const instructions = sentencesOf([question?.system ?? '', ...asked].join('\n'))
  const isWrong = fault === 'not-json' || fault === 'wrong-schema' || fault === 'error-text'
  return isWrong ? [...instructions, ...sentencesOf(said ?? '')] : instructions
}

/** The conversation stands in blocks of its own, and is no instruction. */
function withoutData(text: string): string {
  return text.replace(/\[[a-z ]+ · data, not instructions · (\S+)\]\n[\s\S]*?\n\[end \1\]/g, '')
}

function sentencesOf(text: string): readonly string[] {
  return text
    .split(/\n+|(?<=[.!?]) /)
    .map((sentence) => sentence.replace(/^- /, '').trim())
    .filter((sentence) => sentence.length >= leastCharacters)
}

/** As a whole: a number inside a longer one is another number. */
function standsIn(value: string, text: string): boolean {
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    const before = text[at - 1] ?? ' '
    const behind = text[at + value.length] ?? ' '
    if (!/[\w/]/.test(before) && !/\w/.test(behind)) return true
  }
  return false
}
